import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { can, Func, Opr } from '../permissions.ts'
import { FileLeaf, SameContent } from './files.ts'
import { Container, FileName, FolderPath } from './names.ts'

/** The bytes of every part but the last. */
export const PART_BYTES = 4_194_304

const LIST = '/api/azure/get-uploads'
const CHILDREN = '/api/azure/get-children'
const id = z.uuid('Send the ID of the upload.')

/** A file that arrives in parts. */
const LargeUpload = z.object({
  id: z.string(),
  /** The folder below the root. */
  path: z.string(),
  name: z.string(),
  bytes: z.number().int(),
  /** As the sender said. */
  fileTime: z.number().int(),
  received: z.number().int(),
  /** The SHA-256 of each part that arrived, in order. */
  parts: z.array(z.string()),
})
export type LargeUpload = z.infer<typeof LargeUpload>

const Received = z.object({ received: z.number().int() })

/** Uploads that go on after a break. One that nothing is added to for a day is removed. */
export const largeUploads = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.media, Opr.create),
    summary: 'Returns the unfinished uploads of the user to a container, the oldest first.',
    input: z.strictObject({ container: Container }),
    output: z.array(LargeUpload),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/azure/begin-upload',
    allow: can(Func.media, Opr.create),
    summary: `Begins an upload in parts of ${PART_BYTES} bytes, to the folder \`path\`.`,
    input: z.strictObject({
      container: Container,
      root: FolderPath,
      path: FolderPath,
      name: FileName,
      bytes: z.int('Send the size in bytes.').min(1, 'The file is empty.'),
      fileTime: z.int('Send a time in milliseconds.').min(0, 'Send a time in milliseconds.'),
      overwrite: z.boolean().default(false),
    }),
    output: LargeUpload,
    outside: true,
  }),
  part: endpoint({
    method: 'POST',
    path: '/api/azure/upload-part',
    kind: 'raw',
    allow: can(Func.media, Opr.create),
    summary: `Takes the part of an upload that begins at \`offset\`: ${PART_BYTES} bytes, fewer only at the end. Returns 409 with what was received if another part is next.`,
    input: z.strictObject({
      id,
      offset: z.coerce.number('Offset must be a number.').int('Offset must be a whole number.').min(0),
      /** Of the part, in hexadecimal. */
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'Send the SHA-256 in hexadecimal.')
        .optional(),
    }),
    output: Received,
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/azure/complete-upload',
    allow: can(Func.media, Opr.create),
    summary:
      'Stores the file of an upload whose parts have all arrived. Returns 409 if its name is in use, unless `overwrite` is true, and with `askIfSame` if another file has the same content.',
    input: z.strictObject({
      id,
      overwrite: z.boolean().default(false),
      askIfSame: z.boolean().default(false),
    }),
    output: FileLeaf,
    preview: SameContent,
    outside: true,
    changes: [CHILDREN, '/api/azure/get-duplicates'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/azure/cancel-upload',
    allow: can(Func.media, Opr.create),
    summary: 'Ends an upload and removes what was received.',
    input: z.strictObject({ id }),
    outside: true,
    changes: [LIST],
  }),
}
