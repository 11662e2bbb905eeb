import { faultOfName } from '#contract/files/names.ts'
import { MEDIA_CONTAINER, type FileLeaf, type FileNode, type FolderContent } from '#contract/files/files.ts'
import { conflict, type Failure, notFound } from '#server/http/failure.ts'
import { StorageRefusal, type Place, type Stored, type StoredFile } from '#server/outside/file-storage.ts'

/** Names below a root, as the caller gives them. */
export type Names = readonly string[]

type Root = { container: string; root: Names }

/** Where all files of a customer are. Nothing that a caller sends goes before the customer's number. */
export const spaceOf = (customerId: string): Place => [customerId]

/** Where a path of a customer is in the store. */
export function placeOf(customerId: string, { container, root }: Root, names: Names): Place {
  return [...spaceOf(customerId), container, ...root, ...names]
}

/** Where a path of the media is in the store. */
export function mediaPlace(customerId: string, names: Names): Place {
  return placeOf(customerId, { container: MEDIA_CONTAINER, root: [] }, names)
}

/** What is in a folder, by name; `names` are those of the folder itself. */
export function contentOf(children: readonly Stored[], names: Names): FolderContent {
  // What somebody laid there by hand under a name that no call can say is not shown either.
  const named = children
    .filter(({ name }) => faultOfName(name) === null)
    .toSorted((a, b) => collator.compare(a.name, b.name))
  return {
    nodes: named.flatMap((child) => (child.kind === 'folder' ? nodeOf([...names, child.name]) : [])),
    leafs: named.flatMap((child) => (child.kind === 'file' ? leafOf(child, names) : [])),
  }
}
const collator = new Intl.Collator('en', { numeric: true })

export function nodeOf(names: Names): FileNode {
  return { path: names.join('/'), name: names.at(-1) ?? '' }
}

/** `names` are those of the folder it is in. */
export function leafOf({ name, size, type, updatedAt }: StoredFile, names: Names): FileLeaf {
  return { path: [...names, name].join('/'), name, size, type, updatedAt: updatedAt.toISOString() }
}

export const noFolder = (): Failure => notFound('Folder')

export function takenName(name: string, kind: Stored['kind']): Failure {
  const sentence = `There is a ${kind} named ${name} here already.`
  return conflict(sentence)
}

/** Makes an answer of what the store refused. */
export function withSentence(error: unknown, name: string): unknown {
  if (!(error instanceof StorageRefusal)) return error
  return error.why === 'missing' ? notFound('File or folder') : takenName(name, 'file')
}
