import { z } from 'zod'
import { Id, Version } from './fields.ts'
import { Selection } from './lists/selection.ts'

/** A record that is deleted as the caller saw it. */
export const Seen = z.strictObject({
  id: Id,
  version: Version.meta({
    description:
      'The version that the caller saw. If the record has changed since, it is not deleted: 409 with the current one. Without it, the record is deleted as it is.',
  }),
})

/** The rows that a job deletes. */
export const SelectionSeen = z
  .strictObject({
    selection: Selection,
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
