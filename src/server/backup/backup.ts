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

export type BackingUp = {
  settings: Settings
  /** A file, or a folder that is there; null: the home's own folder of backups. */
  target: string | null
  /** FORECOURT_BACKUP_KEY: seals the secret into the archive. */
  backupKey: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Backs an installation up, also while it runs.
 * @returns where the archive is, what is in it, and the files that rows name; null where those are in Azure Storage, of
 * which a backup has nothing, or where the database is older than this copy of the product.
 */
export async function backUp(
  backingUp: BackingUp,
): Promise<{ path: string; manifest: Manifest; referenced: ReferencedFiles | null }> {
  const { settings, backupKey, now, say } = backingUp
  const path = await choosePath(backingUp)
  const database = await openWhileRunning(settings, say)
  try {
    return await withOwner(database.owner, async (owner) => {
      const contents = await describeContents(owner)
      if (contents === null || !contents.isOurs)
        throw new Error('There is no Forecourt in this database yet.')
      const secret = settings.secret ?? (await readSecretFile(settings.home, 'secret'))
      const manifest = await writeArchive(owner, path, {
        productVersion: await readVersion(settings.projectFolder),
        now,
        filesFolder: filesFolder(settings.home),
        secretSealed: backupKey === null || secret === null ? null : sealSecret(secret, backupKey),
      })
      // Azure has files of its own, and an older database may lack the tables that name some.
      const isComparable = settings.azureStorage === null && (await listPending(owner)).length === 0
      const referenced = isComparable ? await findReferencedFiles(owner, filesFolder(settings.home)) : null
      return { path, manifest, referenced }
    })
  } finally {
    await database.stop()
  }
}

async function choosePath({ settings, target, now }: BackingUp): Promise<string> {
  const name = `forecourt-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`
  if (target === null) {
    const backups = join(settings.home, 'backups')
    await mkdir(backups, { recursive: true, mode: 0o700 })
    return join(backups, name)
  }
  const isFolder = (await stat(target).catch(() => null))?.isDirectory() === true
  return resolve(isFolder ? join(target, name) : target)
}
