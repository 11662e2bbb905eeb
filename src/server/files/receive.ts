import { type FileLeaf, files as calls } from '#contract/files/files.ts'
import { FileName } from '#contract/files/names.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Upload } from '#server/http/kinds.ts'
import { inspectUpload } from '#server/outside/inspect-upload.ts'
import type { FileStorage, StoragePath, StagedFile, StoredFile } from '#server/outside/file-storage.ts'
import { keepBytes } from './replaced-pictures.ts'
import { leafOf, nameTaken, toFailure, type Names } from './storage-paths.ts'
import type { Quota } from './quota.ts'

type UploadRequest = {
  files: Upload
  actor: Actor
  folder: StoragePath
  /** The path of the folder below its root. */
  path: Names
  overwrite: boolean
  counted: Awaited<ReturnType<Quota['begin']>>
  /** Called when all files have arrived, and before the first is stored. Throws if they aren't wanted. */
  check: (staged: readonly { name: string; content: string; replaces: boolean }[]) => Promise<void>
  /** Called with each file that replaces another, as soon as it has arrived. Throws if it can't. */
  checkReplaced: (name: string, bytes: Buffer | null) => Promise<void>
}
/** `content`: the SHA-256. */
type Staged = { name: string; content: string; file: StagedFile; replaces: boolean }

/**
 * Stores the files of one upload: all of them or none. Each is staged as it arrives and published after the last one, so an
 * interrupted upload leaves nothing behind.
 */
export async function receive(
  storage: FileStorage,
  { files, actor, folder, path, overwrite, counted, check, checkReplaced }: UploadRequest,
): Promise<{ leafs: FileLeaf[]; stored: { file: StoredFile; content: string }[]; replaced: string[] }> {
  const staged: Staged[] = []
  try {
    for await (const { name: fileName, stream } of files) {
      const name = readName(fileName)
      if (staged.some((one) => one.name === name)) throw refused(`Two of these files are named ${name}.`)
      const other = await storage.find([...folder, name])
      if (other !== null) requireFreeName(other, { actor, overwrite })
      const { body, result } = inspectUpload(stream)
      const kept = other === null ? null : keepBytes(body)
      const file = await storage.stage([...folder, name], kept?.body ?? body, counted.admit)
      counted.next()
      staged.push({ name, content: result().sha256, file, replaces: other !== null })
      if (kept !== null) await checkReplaced(name, kept.bytes())
    }
    if (staged.length === 0) throw refused('Send at least one file.', { files: 'Send at least one file.' })
    await check(staged)
    const stored = await publishAll(storage, folder, staged)
    return {
      stored,
      leafs: stored.map(({ file }) => leafOf(file, path)),
      replaced: staged.filter(({ replaces }) => replaces).map(({ name }) => [...path, name].join('/')),
    }
  } catch (error) {
    await Promise.all(staged.map(({ file }) => file.discard()))
    throw error
  }
}

async function publishAll(
  storage: FileStorage,
  folder: StoragePath,
  staged: readonly Staged[],
): Promise<{ file: StoredFile; content: string }[]> {
  const published: { file: StoredFile; content: string }[] = []
  const isNew: StoragePath[] = []
  for (const { name, content, file, replaces } of staged) {
    try {
      published.push({ file: await file.publish({ replaces }), content })
      if (!replaces) isNew.push([...folder, name])
    } catch (error) {
      // The name was taken during the upload.
      await storage.remove(isNew)
      throw toFailure(error, name)
    }
  }
  return published
}

function readName(fileName: string): string {
  const read = FileName.safeParse(fileName)
  if (read.success) return read.data
  const sentence = read.error.issues[0]?.message ?? ''
  throw refused(sentence, { files: sentence })
}

/** @throws Failure 409 if a name is in use, unless the file may be replaced and is to be */
export function requireFreeName(
  { name, kind }: { name: string; kind: 'file' | 'folder' },
  { actor, overwrite }: Pick<UploadRequest, 'actor' | 'overwrite'>,
): void {
  if (kind === 'folder') throw nameTaken(name, 'folder')
  if (!overwrite) {
    throw conflict(`A file named ${name} already exists here. Choose another name or replace it.`)
  }
  // Permission to add files doesn't include overwriting those of others.
  if (!actor.may(calls.rename.allow)) {
    throw forbidden(`A file named ${name} already exists here, and you don't have permission to replace it.`)
  }
}
