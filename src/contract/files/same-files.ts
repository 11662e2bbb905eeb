import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { can, Func, Opr } from '../permissions.ts'
import { FileLeaf, MediaUses } from './files.ts'
import { ItemPath } from './names.ts'

/** The most duplicates that one call deletes. */
export const MAX_DUPLICATES = 200
const LIST = '/api/azure/get-duplicates'
const CHILDREN = '/api/azure/get-children'

/** Files of the media library with the same content. At most ten are named; `total` counts all. */
export const SameFiles = z.object({
  /** Of each. */
  bytes: z.number().int(),
  total: z.number().int(),
  files: z.array(FileLeaf.extend({ used: MediaUses })),
})
export type SameFiles = z.infer<typeof SameFiles>

const Paths = z.array(z.string())
const WithReasons = z.array(z.object({ path: z.string(), reason: z.string() }))

/** Files of the media library that have the same content. */
export const sameFiles = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.media, Opr.read),
    summary:
      'Returns ten groups of media files with the same content, the largest first, with what uses each file. `next` is sent as `after` for the following groups.',
    input: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,15}\.[0-9a-f]{64}$/, 'Send the `next` of the answer before.')
        .optional(),
    }),
    output: z.object({ groups: z.array(SameFiles), next: z.string().nullable() }),
    outside: true,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/azure/delete-duplicates',
    allow: can(Func.media, Opr.delete),
    summary:
      'Deletes media files whose content another file has. Files that are used, and the last one of each content, stay and are named in `kept`. For a day, `undo` restores the others.',
    input: z.strictObject({
      paths: z
        .array(ItemPath, 'Send a list of paths.')
        .min(1, 'Choose at least one file.')
        .max(MAX_DUPLICATES, `You can delete at most ${MAX_DUPLICATES} duplicates at once.`),
    }),
    output: z.object({ undo: z.string().nullable(), deleted: Paths, kept: WithReasons }),
    outside: true,
    changes: [CHILDREN, LIST],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/azure/restore-duplicates',
    allow: can(Func.media, Opr.delete),
    summary:
      'Restores what `delete-duplicates` deleted. Files whose name is in use again are named in `kept`.',
    input: z.strictObject({
      undo: z.string().regex(/^\d{13}-[0-9a-f-]{36}$/, 'Send the `undo` of the deletion.'),
    }),
    output: z.object({ restored: Paths, kept: WithReasons }),
    outside: true,
    changes: [CHILDREN, LIST],
  }),
}
