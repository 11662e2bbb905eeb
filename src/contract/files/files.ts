import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { FileName, FolderName, FolderPath, ItemPath } from './names.ts'

/** Where the media of a customer are. */
export const MEDIA_CONTAINER = 'media'

/** How many paths one call deletes. */
const MOST_DELETED = 500

/** Azure's rule for containers, in one installation's store a space of its own inside each customer. */
const Container = z
  .string('Container must be text.')
  .regex(
    /^[a-z0-9](-?[a-z0-9]){2,62}$/,
    'Container has 3 to 63 small letters, digits and single hyphens between them.',
  )

const at = {
  container: Container,
  /** The folder that the other paths begin at, and never leave. */
  root: FolderPath,
}

/** A folder. `path` begins at the root and can be sent back as it is. */
export const FileNode = z.object({ path: z.string(), name: z.string() })
export type FileNode = z.infer<typeof FileNode>

/** A file. Its type is what its first bytes say. */
export const FileLeaf = z.object({
  path: z.string(),
  name: z.string(),
  /** In bytes. */
  size: z.number().int(),
  type: z.string(),
  updatedAt: Instant,
})
export type FileLeaf = z.infer<typeof FileLeaf>

/** What is in a folder, by name. */
export const FolderContent = z.object({ leafs: z.array(FileLeaf), nodes: z.array(FileNode) })
export type FolderContent = z.infer<typeof FolderContent>

/** Multipart carries text alone. */
const Flag = z
  .enum(['true', 'false'], 'Say true or false.')
  .optional()
  .transform((word) => word === 'true')

/** The file manager, on the paths of the specification (section 7). Files belong to the whole customer. */
export const files = {
  getChildren: endpoint({
    method: 'GET',
    path: '/api/azure/get-children',
    allow: can(Func.media, Opr.list),
    summary: 'What is in a folder: its files as leafs and its folders as nodes.',
    input: z.strictObject({ ...at, folder: FolderPath }),
    output: FolderContent,
    outside: true,
  }),
  createDirectory: endpoint({
    method: 'POST',
    path: '/api/azure/create-directory',
    allow: can(Func.media, Opr.create),
    summary:
      'Makes a folder. Every run of other signs than letters and digits in its name becomes one space.',
    input: z.strictObject({ ...at, folder: FolderPath, dirName: FolderName }),
    output: FileNode,
    outside: true,
  }),
  rename: endpoint({
    method: 'POST',
    path: '/api/azure/rename',
    allow: can(Func.media, Opr.update),
    summary: 'Gives a file or a folder another name in its folder. A name in use answers 409.',
    input: z.strictObject({ ...at, path: ItemPath, newName: FileName }),
    output: FileNode,
    outside: true,
  }),
  delete: endpoint({
    method: 'POST',
    path: '/api/azure/delete',
    allow: can(Func.media, Opr.delete),
    summary: 'Deletes files, and folders with all that is in them.',
    input: z.strictObject({
      ...at,
      toDelete: z
        .array(ItemPath, 'Send a list of paths.')
        .min(1, 'Name at least one file or folder.')
        .max(MOST_DELETED, `At most ${MOST_DELETED} files or folders go at once.`),
    }),
    outside: true,
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/azure/download',
    kind: 'download',
    allow: can(Func.media, Opr.read),
    summary: 'One file, always offered for saving.',
    input: z.strictObject({ ...at, path: ItemPath }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/azure/upload',
    kind: 'upload',
    allow: can(Func.media, Opr.create),
    summary:
      'Puts files into the folder `path`: all of them or none. Fields stand before the first file. A name in use answers 409 unless `overwrite` is true.',
    input: z.strictObject({ ...at, path: FolderPath, overwrite: Flag }),
    output: z.array(FileLeaf),
  }),
}
