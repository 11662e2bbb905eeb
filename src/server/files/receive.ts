import { type FileLeaf, files as calls } from '#contract/files/files.ts'
import { FileName } from '#contract/files/names.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Upload } from '#server/http/kinds.ts'
import type { FileStorage, Place, StagedFile, StoredFile } from '#server/outside/file-storage.ts'
import { leafOf, takenName, withSentence, type Names } from './places.ts'
import type { Quota } from './quota.ts'

type Coming = {
  files: Upload
  actor: Actor
  folder: Place
  /** The names of the folder below its root. */
  path: Names
  overwrite: boolean
  counted: Awaited<ReturnType<Quota['begin']>>
}
type Staged = { name: string; file: StagedFile; replaces: boolean }

/**
 * Takes the files of one upload in: all of them or none. Each is staged while it comes and published once the last one
 * is there, so an upload that breaks leaves nothing behind.
 */
export async function receive(
  storage: FileStorage,
  { files, actor, folder, path, overwrite, counted }: Coming,
): Promise<{ leafs: FileLeaf[]; replaced: string[] }> {
  const staged: Staged[] = []
  try {
    for await (const { name: given, stream } of files) {
      const name = readName(given)
      if (staged.some((one) => one.name === name)) throw refused(`Two of these files are named ${name}.`)
      const other = await storage.find([...folder, name])
      if (other !== null) requireFreeName(other, { actor, overwrite })
      const file = await storage.stage([...folder, name], stream, counted.admit)
      counted.next()
      staged.push({ name, file, replaces: other !== null })
    }
    if (staged.length === 0) throw refused('Send at least one file.', { files: 'Send at least one file.' })
    const published = await publishAll(storage, folder, staged)
    return {
      leafs: published.map((file) => leafOf(file, path)),
      replaced: staged.filter(({ replaces }) => replaces).map(({ name }) => [...path, name].join('/')),
    }
  } catch (error) {
    await Promise.all(staged.map(({ file }) => file.discard()))
    throw error
  }
}

async function publishAll(
  storage: FileStorage,
  folder: Place,
  staged: readonly Staged[],
): Promise<StoredFile[]> {
  const published: StoredFile[] = []
  const isNew: Place[] = []
  for (const { name, file, replaces } of staged) {
    try {
      published.push(await file.publish({ replaces }))
      if (!replaces) isNew.push([...folder, name])
    } catch (error) {
      // Somebody else took the name while these were on their way.
      await storage.remove(isNew)
      throw withSentence(error, name)
    }
  }
  return published
}

function readName(given: string): string {
  const read = FileName.safeParse(given)
  if (read.success) return read.data
  const sentence = read.error.issues[0]?.message ?? ''
  throw refused(sentence, { files: sentence })
}

function requireFreeName(
  { name, kind }: { name: string; kind: 'file' | 'folder' },
  { actor, overwrite }: Pick<Coming, 'actor' | 'overwrite'>,
): void {
  if (kind === 'folder') throw takenName(name, 'folder')
  if (!overwrite) {
    throw conflict(`There is a file named ${name} here already. Choose another name, or replace it.`)
  }
  // Whoever may add files may not thereby destroy those of others.
  if (!actor.may(calls.rename.allow)) {
    throw forbidden(`There is a file named ${name} here already, and you may not replace it.`)
  }
}
