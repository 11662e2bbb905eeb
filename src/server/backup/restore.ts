import type pg from 'pg'
import { isDatabaseUnavailable } from '#server/database/faults.ts'
import { openExclusively } from '#server/database/maintenance.ts'
import { findPending, migrateEmpty } from '#server/database/migrate.ts'
import { startDatabase, withOwner } from '#server/database/open-database.ts'
import type { Settings } from '#server/environment.ts'
import { markCopy } from '#server/installation/copy-state.ts'
import { opensInstallation } from '#server/installation/open-installation.ts'
import { readSecretFile } from '#server/installation/secret-file.ts'
import { readSecrets } from '#server/secrets.ts'
import { openSecret } from './backup-key.ts'
import { finishHome, markUnfinished, stageFiles, unmark } from './home-files.ts'
import { loadArchive } from './load-archive.ts'
import type { Manifest } from './manifest.ts'
import { BadArchive, checkArchive } from './read-archive.ts'
import { describeContents, refuseWhileInUse, wipe } from './target.ts'

export type RestoreOptions = {
  settings: Settings
  archive: string
  /** Deletes existing data. Without this, only an empty database is filled. */
  isReplacing: boolean
  /** FORECOURT_BACKUP_KEY, for an archive that includes the secret. */
  backupKey: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Restores an installation and migrates it to this version. The whole archive is verified before anything is written. The
 * database is filled in one transaction, so until its end the old data stays. The result is a restored copy, which sends and
 * fetches nothing until an operator says that it is the real installation.
 * @throws Error if the archive is damaged or not ours, the product is running, the database is not empty, or the secret
 * does not match.
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { settings, archive, now, say } = options
  const manifest = await checkArchive(archive)
  await refuseOtherMigrations(manifest)
  const secret = await chooseSecret(options, manifest)
  const database = await openExclusively(settings, say)
  try {
    await withOwner(database.owner, async (owner) => {
      await refuseWhileInUse(owner)
      const isFull = await refuseContents(owner, options)
      await stageFiles(settings.home, archive)
      await fillDatabase(owner, { archive, manifest, isFull, home: settings.home })
    })
    await withOwner(database.owner, async (owner) => {
      await startDatabase(owner, database.loginRole, say)
      // Before the product can start: the original may have sent since what waits in the archive.
      await markCopy(owner, now)
      await finishHome(settings.home, { secret, now })
      await owner.query('analyze')
    })
  } finally {
    await database.stop()
  }
  return manifest
}

async function refuseOtherMigrations(manifest: Manifest): Promise<void> {
  try {
    await findPending(manifest.migrations)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadArchive(`This version of Forecourt cannot restore the archive. ${reason}`, { cause: error })
  }
}

/** The secret to write to home. Null if the existing one, or that in the environment, is right. */
async function chooseSecret(
  { settings, backupKey }: RestoreOptions,
  { keyCheckSealed, secretSealed }: Manifest,
): Promise<string | null> {
  if (keyCheckSealed === null) return null
  const present = settings.secret ?? (await readSecretFile(settings.home, 'secret'))
  if (present !== null && opensInstallation(readSecrets(present), keyCheckSealed)) return null
  if (settings.secret !== null)
    throw new Error(
      'FORECOURT_SECRET is not the secret this archive was encrypted with. Set the original secret.',
    )
  if (secretSealed === null || backupKey === null) {
    throw new Error(
      secretSealed === null
        ? `The archive does not include the secret. Put the original secret into ${settings.home}/secret or FORECOURT_SECRET.`
        : 'The secret in the archive is encrypted. Set FORECOURT_BACKUP_KEY to the key of the backup.',
    )
  }
  const secret = openSecret(secretSealed, backupKey)
  if (secret === null) throw new Error('FORECOURT_BACKUP_KEY is not the key this archive was backed up with.')
  if (!opensInstallation(readSecrets(secret), keyCheckSealed))
    throw new BadArchive('The secret in the archive does not match its data.')
  return secret
}

async function refuseContents(owner: pg.Client, { isReplacing }: RestoreOptions): Promise<boolean> {
  const contents = await describeContents(owner)
  if (contents === null) return false
  if (!contents.isOurs)
    throw new Error(`The database contains ${contents.description}. Restore into a separate database.`)
  if (isReplacing) return true
  throw new Error(
    `The database contains ${contents.description}. Nothing was changed. To delete it permanently, back it up and use --replace.`,
  )
}

async function fillDatabase(
  owner: pg.Client,
  options: { archive: string; manifest: Manifest; isFull: boolean; home: string },
): Promise<void> {
  const { archive, manifest, isFull, home } = options
  await owner.query('begin')
  try {
    if (isFull) await wipe(owner)
    await migrateEmpty(
      owner,
      manifest.migrations.map(({ name }) => name),
    )
    await loadArchive(owner, archive, manifest)
    await clearFileStore(owner)
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    if (!isDatabaseUnavailable(error)) throw error
    throw new Error('The connection to the database was lost. Nothing was changed in it.', { cause: error })
  }
  await markUnfinished(home, archive)
  try {
    await owner.query('commit')
  } catch (error) {
    // If the connection was lost, the commit may have succeeded. Only a server error means that it did not.
    if (isRefusal(error)) await unmark(home)
    throw error
  }
}

/** The archive's files go into this home, whatever storage they were in. The next start records the storage. */
async function clearFileStore(owner: pg.Client): Promise<void> {
  // Archives of earlier versions do not have this column yet: migrations add it later.
  const { rows } = await owner.query(
    `select from pg_attribute where attrelid = 'iam.installation'::regclass and attname = 'file_store'`,
  )
  if (rows.length > 0) await owner.query('update iam.installation set file_store = null')
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'
