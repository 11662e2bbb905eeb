import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageRefusal, type FileStorage, type Place } from './file-storage.ts'
import { openFolderStorage } from './folder-storage.ts'

type MovedFiles = {
  files: number
  /** The store had something of their names: it is newer, and stayed. */
  left: number
  /** Where the folder was put aside. */
  aside: string
}

/**
 * Brings the files of a folder, under `kept` in it, into the store that takes its place; then puts the folder aside, so
 * that nothing is lost. Killed half-way it is run again: what the store has already is left.
 * @param folder of `openFolderStorage`.
 * @param aside where the folder goes.
 * @returns null when there is no such folder, or it is empty.
 * @throws Error of either store: the folder is as it was then.
 */
export async function moveFiles(
  target: FileStorage,
  { folder, aside }: { folder: string; aside: string },
): Promise<MovedFiles | null> {
  const kept = join(folder, 'kept')
  const spaces = await readdir(kept, { withFileTypes: true }).catch(() => [])
  if (spaces.length === 0) return null
  const source = await openFolderStorage(folder)
  const moved: MovedFiles = { files: 0, left: 0, aside }
  for (const { name } of spaces) await moveFolder(source, target, [name], moved)
  await rename(kept, aside)
  return moved
}

async function moveFolder(
  source: FileStorage,
  target: FileStorage,
  folder: Place,
  moved: MovedFiles,
): Promise<void> {
  const children = (await source.list(folder)) ?? []
  if (children.length === 0) await target.makeFolder(folder).catch(leaveTaken)
  for (const { kind, name } of children) {
    const place = [...folder, name]
    if (kind === 'folder') await moveFolder(source, target, place, moved)
    else if (await moveFile(source, target, place)) moved.files += 1
    else moved.left += 1
  }
}

async function moveFile(source: FileStorage, target: FileStorage, place: Place): Promise<boolean> {
  if ((await target.find(place)) !== null) return false
  const file = await source.read(place)
  if (file === null) return false
  const staged = await target.stage(place, file.body, () => {})
  try {
    await staged.publish({ replaces: false })
    return true
  } catch (error) {
    await staged.discard()
    leaveTaken(error)
    return false
  }
}

function leaveTaken(error: unknown): void {
  if (!(error instanceof StorageRefusal && error.why === 'taken')) throw error
}
