import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageRefusal, type FileStorage, type StoragePath } from './file-storage.ts'
import { openFolderStorage } from './folder-storage.ts'

type MovedFiles = {
  files: number
  /** Files not moved because the target already had a file, which is newer, at their path. */
  left: number
  /** The path the folder was renamed to. */
  aside: string
}

/**
 * Copies the files under `kept` in a folder to the storage that replaces it, then renames the folder, so that nothing is
 * lost. If it is killed, run it again: files that the target already has are skipped.
 * @param folder of `openFolderStorage`.
 * @param aside the new path of the folder.
 * @returns null if the folder does not exist or is empty.
 * @throws Error from either storage. The folder is unchanged in that case.
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
  folder: StoragePath,
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

async function moveFile(source: FileStorage, target: FileStorage, place: StoragePath): Promise<boolean> {
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
