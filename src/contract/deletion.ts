import { z } from 'zod'
import { Id, Version } from './fields.ts'
import { MAX_CHOSEN, Selection } from './lists/selection.ts'

/** A record that is deleted as the caller saw it. */
export const Seen = z.strictObject({
  id: Id,
  version: Version.meta({
    description:
      'The version that the caller saw. If the record has changed since, it is not deleted: 409 with the current one. Without it, the record is deleted as it is.',
  }),
})

/** What the caller has seen of selected rows. Those that changed since are left out and listed. */
const seenOfRows = {
  versions: z
    .record(Id, z.int().min(1))
    .refine((versions) => Object.keys(versions).length <= MAX_CHOSEN, `At most ${MAX_CHOSEN} versions.`)
    .optional()
    .meta({
      description:
        'By ID, the versions of the selected rows that the caller saw. Rows that have another one by now are not deleted, and listed.',
    }),
  readMsAgo: z
    .int()
    .min(0)
    .max(30 * 24 * 3_600_000)
    .optional()
    .meta({
      description:
        'How many milliseconds ago the caller read the list. Selected rows without a version here that were changed since are not deleted, and listed.',
    }),
}

/** The rows that a job deletes, as the caller saw them. */
export const RowsSeen = z.strictObject({ selection: Selection, ...seenOfRows })
/** How the caller saw them. */
export type SeenOfRows = Readonly<Pick<z.output<typeof RowsSeen>, 'versions' | 'readMsAgo'>>

/** The records that a job deletes: like `RowsSeen`, or one as its own page showed it. */
export const SelectionSeen = z
  .strictObject({
    ...RowsSeen.shape,
    version: Version.meta({
      description:
        'With one record selected by ID: the version that the caller saw. If the record has changed since, it is not deleted: 409 with the current one.',
    }),
  })
  .refine(
    ({ selection, version }) =>
      version === undefined || ('ids' in selection && new Set(selection.ids).size === 1),
    { path: ['version'], message: 'Send a version only with the ID of one record.' },
  )

/**
 * Method, input and output of a call that deletes a record which has a version. On the server `requireSeen` compares it. The
 * output is null after the deletion; a 409 has the current record.
 */
export const deletionOf = <Schema extends z.ZodType>(schema: Schema) =>
  ({ method: 'DELETE', input: Seen, output: schema.nullable() }) as const
