import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openWhileRunning } from '#server/database/maintenance.ts'
import { listPending } from '#server/database/migrate.ts'
import { withOwner } from '#server/database/open-database.ts'
import type { Settings } from '#server/environment.ts'
import { readSecretFile } from '#server/installation/secret-file.ts'
import { readVersion } from '#server/installation/version.ts'
import { sealSecret } from './backup-key.ts'
import { filesFolder } from './home-files.ts'
import type { Manifest } from './manifest.ts'
import { findReferencedFiles, type ReferencedFiles } from './referenced-files.ts'
import { describeContents } from './target.ts'
import { writeArchive } from './write-archive.ts'

export type BackupOptions = {
  settings: Settings
  /** A file, or an existing folder. Null: the backup folder in home. */
  target: string | null
  /** FORECOURT_BACKUP_KEY, which encrypts the secret in the archive. */
  backupKey: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Backs up an installation, even while it is running.
 * @returns the path and manifest of the archive, and the files that the database refers to. These are null if files are in
 * Azure Storage, which is not backed up, or if the database is older than this version.
 */
export async function backUp(
  options: BackupOptions,
): Promise<{ path: string; manifest: Manifest; referenced: ReferencedFiles | null }> {
  const { settings, backupKey, now, say } = options
  const path = await choosePath(options)
  const database = await openWhileRunning(settings, say)
  try {
    return await withOwner(database.owner, async (owner) => {
      const contents = await describeContents(owner)
      if (contents === null || !contents.isOurs)
        throw new Error('This database has no Forecourt installation yet.')
      const secret = settings.secret ?? (await readSecretFile(settings.home, 'secret'))
      const manifest = await writeArchive(owner, path, {
        productVersion: await readVersion(settings.projectFolder),
        now,
        filesFolder: filesFolder(settings.home),
        secretSealed: backupKey === null || secret === null ? null : sealSecret(secret, backupKey),
      })
      // Azure files are not in the folder, and an older database may not have all the tables to check.
      const isComparable = settings.azureStorage === null && (await listPending(owner)).length === 0
      const referenced = isComparable ? await findReferencedFiles(owner, filesFolder(settings.home)) : null
      return { path, manifest, referenced }
    })
  } finally {
    await database.stop()
  }
}

async function choosePath({ settings, target, now }: BackupOptions): Promise<string> {
  const name = `forecourt-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`
  if (target === null) {
    const backups = join(settings.home, 'backups')
    await mkdir(backups, { recursive: true, mode: 0o700 })
    return join(backups, name)
  }
  const isFolder = (await stat(target).catch(() => null))?.isDirectory() === true
  return resolve(isFolder ? join(target, name) : target)
}
