import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { AskedWidth } from './picture-widths.ts'
import { can, Func, Opr } from '../permissions.ts'
import { Container, FileName, FolderName, FolderPath, ItemPath } from './names.ts'

/** The container of a customer's media. */
export const MEDIA_CONTAINER = 'media'

/** The most paths that one call deletes. */
const MAX_DELETED = 500

const at = {
  container: Container,
  /** The folder that the other paths are relative to, and can't leave. */
  root: FolderPath,
}

/** A folder. `path` is relative to the root and can be sent back as is. */
export const FileNode = z.object({ path: z.string(), name: z.string() })
export type FileNode = z.infer<typeof FileNode>

/** A file. Its type is detected from its first bytes. */
export const FileLeaf = z.object({
  path: z.string(),
  name: z.string(),
  /** In bytes. */
  size: z.number().int(),
  type: z.string(),
  updatedAt: Instant,
  /** What a picture of the media shows, in words, if that was entered. Only in the contents of a folder. */
  alt: z.string().optional(),
})
export type FileLeaf = z.infer<typeof FileLeaf>

/** The contents of a folder, by name. */
export const FolderContent = z.object({ leafs: z.array(FileLeaf), nodes: z.array(FileNode) })
export type FolderContent = z.infer<typeof FolderContent>

/** What shows a file. */
const MediaUse = z.object({
  kind: z.enum(['vehicle', 'promoPage', 'dvpLayout', 'savedBlocks']),
  id: Id,
  title: z.string(),
})
export type MediaUse = z.infer<typeof MediaUse>

/** What shows files. `total` also counts what the caller may not see; at most 50 are named. */
export const MediaUses = z.object({ total: z.number().int(), uses: z.array(MediaUse) })
export type MediaUses = z.infer<typeof MediaUses>

/** Files of the media library with the same content as one that is being uploaded. */
export const SameContent = z.array(z.object({ name: z.string(), same: z.array(FileLeaf) }))
export type SameContent = z.infer<typeof SameContent>

/** Multipart fields are always text. */
const Flag = z
  .enum(['true', 'false'], 'Enter true or false.')
  .optional()
  .transform((word) => word === 'true')

/** The file manager, on the paths of the specification (section 7). Files belong to the whole customer. */
const CHILDREN = '/api/azure/get-children'

export const files = {
  getChildren: endpoint({
    method: 'GET',
    path: CHILDREN,
    allow: can(Func.media, Opr.list),
    summary: 'Returns the contents of a folder: files as leafs, folders as nodes.',
    input: z.strictObject({ ...at, folder: FolderPath }),
    output: FolderContent,
    outside: true,
  }),
  uses: endpoint({
    method: 'GET',
    path: '/api/azure/get-uses',
    allow: can(Func.media, Opr.read),
    summary: 'Returns which vehicles, pages, layouts and saved blocks show a file, or files in a folder.',
    input: z.strictObject({ ...at, path: ItemPath }),
    output: MediaUses,
  }),
  createDirectory: endpoint({
    method: 'POST',
    path: '/api/azure/create-directory',
    allow: can(Func.media, Opr.create),
    summary: 'Creates a folder. Every run of non-alphanumeric characters in its name becomes one space.',
    input: z.strictObject({ ...at, folder: FolderPath, dirName: FolderName }),
    output: FileNode,
    outside: true,
    changes: [CHILDREN],
  }),
  rename: endpoint({
    method: 'POST',
    path: '/api/azure/rename',
    allow: can(Func.media, Opr.update),
    summary:
      'Renames a file or folder. Returns 409 if the name is already in use, or if a vehicle or page shows the file or one in the folder.',
    input: z.strictObject({ ...at, path: ItemPath, newName: FileName }),
    output: FileNode,
    outside: true,
    changes: [CHILDREN],
  }),
  delete: endpoint({
    method: 'POST',
    path: '/api/azure/delete',
    allow: can(Func.media, Opr.delete),
    summary:
      'Deletes files, and folders with their contents. Returns 409 if a vehicle or page shows one of them; then nothing is deleted.',
    input: z.strictObject({
      ...at,
      toDelete: z
        .array(ItemPath, 'Send a list of paths.')
        .min(1, 'Choose at least one file or folder.')
        .max(MAX_DELETED, `You can delete at most ${MAX_DELETED} files or folders at once.`),
    }),
    outside: true,
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/azure/download',
    kind: 'download',
    allow: can(Func.media, Opr.read),
    summary:
      'Downloads one file, as an attachment. With `w`, a picture as a WebP of at most that width and height in pixels; 404 for other files.',
    input: z.strictObject({ ...at, path: ItemPath, w: AskedWidth.optional() }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/azure/upload',
    kind: 'upload',
    allow: can(Func.media, Opr.create),
    summary:
      'Uploads files to the folder `path`: all of them or none. Fields must precede the first file. Returns 409 if a name is in use, unless `overwrite` is true, and with `askIfSame` if the media library has a file with the same content.',
    input: z.strictObject({ ...at, path: FolderPath, overwrite: Flag, askIfSame: Flag }),
    output: z.array(FileLeaf),
    preview: SameContent,
  }),
}
