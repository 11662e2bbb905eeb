import { faultOfName } from '#contract/files/names.ts'
import { MEDIA_CONTAINER, type FileLeaf, type FileNode, type FolderContent } from '#contract/files/files.ts'
import { conflict, type Failure, notFound } from '#server/http/failure.ts'
import {
  StorageRefusal,
  type StoragePath,
  type Stored,
  type StoredFile,
} from '#server/outside/file-storage.ts'

/** Path segments below a root. */
export type Names = readonly string[]

export type Root = { container: string; root: Names }

/** The storage prefix of a customer. Caller input never precedes the customer ID. */
export const spaceOf = (customerId: string): StoragePath => [customerId]

/** The storage path of a customer's file or folder. */
export function placeOf(customerId: string, { container, root }: Root, names: Names): StoragePath {
  return [...spaceOf(customerId), container, ...root, ...names]
}

/** The path of a media file or folder from the top of the media; null for those of other containers. */
export const namesInMedia = ({ container, root }: Root, names: Names): Names | null =>
  container === MEDIA_CONTAINER ? [...root, ...names] : null

/** The path by which records refer to a media file or folder; null for those of other containers. */
export const pathInMedia = (root: Root, names: Names): string | null =>
  namesInMedia(root, names)?.join('/') ?? null

/** The storage path of a media file or folder. */
export function mediaPlace(customerId: string, names: Names): StoragePath {
  return placeOf(customerId, { container: MEDIA_CONTAINER, root: [] }, names)
}

/** The contents of a folder, sorted by name; `names` is the path of the folder. */
export function contentOf(children: readonly Stored[], names: Names): FolderContent {
  // Hides files added manually under names that the API doesn't accept.
  const visible = children
    .filter(({ name }) => faultOfName(name) === null)
    .toSorted((a, b) => collator.compare(a.name, b.name))
  return {
    nodes: visible.flatMap((child) => (child.kind === 'folder' ? nodeOf([...names, child.name]) : [])),
    leafs: visible.flatMap((child) => (child.kind === 'file' ? leafOf(child, names) : [])),
  }
}
const collator = new Intl.Collator('en', { numeric: true })

export function nodeOf(names: Names): FileNode {
  return { path: names.join('/'), name: names.at(-1) ?? '' }
}

/** `names` is the path of its folder. */
export function leafOf({ name, size, type, updatedAt }: StoredFile, names: Names): FileLeaf {
  return { path: [...names, name].join('/'), name, size, type, updatedAt: updatedAt.toISOString() }
}

export const folderNotFound = (): Failure => notFound('Folder')

export function nameTaken(name: string, kind: Stored['kind'] | 'file or folder'): Failure {
  const sentence = `A ${kind} named ${name} already exists here.`
  return conflict(sentence)
}

/** Converts a storage error to a failure. */
export function toFailure(error: unknown, name: string): unknown {
  if (!(error instanceof StorageRefusal)) return error
  return error.why === 'missing' ? notFound('File or folder') : nameTaken(name, 'file or folder')
}

/** `N10.jpg`, or `N10 2.jpg` if that is taken. */
export function freeFileName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number += 1) {
    const other = `${start.slice(0, 180)} ${number}${end}`
    if (!taken.has(other)) return other
  }
}
