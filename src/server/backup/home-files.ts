import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { writeDraft } from '#server/installation/exclusive-file.ts'
import { fileOfEntry } from './manifest.ts'
import { openArchive } from './read-archive.ts'

/** The folder for files in the home folder. */
export const filesFolder = (home: string): string => join(home, 'files')
const stagedFolder = (home: string): string => join(home, 'files-restoring')
const marker = (home: string): string => join(home, 'restore-unfinished')

/**
 * @throws Error if a restore was interrupted: database, secret and files may be from two installations.
 */
export async function refuseUnfinishedRestore(home: string): Promise<void> {
  const archive = await readFile(marker(home), 'utf8').catch(() => null)
  if (archive === null) return
  throw new Error(
    `A restore from ${archive.trim()} was interrupted. Run it again: npm run restore -- --replace ${archive.trim()}`,
  )
}

/** Marks the installation as inconsistent until `finishHome`. */
export async function markUnfinished(home: string, archive: string): Promise<void> {
  await writeFile(marker(home), `${archive}\n`, { mode: 0o600, flush: true })
}

/** Removes the mark, because the restore changed nothing. */
export async function unmark(home: string): Promise<void> {
  await rm(marker(home), { force: true })
}

/** Unpacks the archive's files next to the current ones. */
export async function stageFiles(home: string, archive: string): Promise<void> {
  const staged = stagedFolder(home)
  await rm(staged, { recursive: true, force: true })
  for await (const entry of openArchive(archive)) {
    const name = fileOfEntry(entry.name)
    if (name === null) continue
    const path = join(staged, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    for await (const bytes of entry.body) if (!file.write(bytes)) await once(file, 'drain')
    file.end()
    await finished(file)
  }
}

/**
 * Moves the restored files into place, and the secret if the archive has one. The previous ones are kept under names
 * that end in `-before-restore-` and the time.
 */
export async function finishHome(
  home: string,
  { secret, now }: { secret: string | null; now: Date },
): Promise<void> {
  const aside = `-before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  if (secret !== null) {
    const path = join(home, 'secret')
    if (await isThere(path)) await rename(path, `${path}${aside}`)
    await rename(await writeDraft(path, `${secret}\n`), path)
  }
  const files = filesFolder(home)
  if (await isThere(files)) await rename(files, `${files}${aside}`)
  if (await isThere(stagedFolder(home))) await rename(stagedFolder(home), files)
  await unmark(home)
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
