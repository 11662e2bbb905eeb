import type pg from 'pg'
import { isDatabaseAway } from '#server/database/faults.ts'
import { openAlone } from '#server/database/maintenance.ts'
import { findPending, migrateEmpty } from '#server/database/migrate.ts'
import { startDatabase, withOwner } from '#server/database/open-database.ts'
import type { Settings } from '#server/environment.ts'
import { opensInstallation } from '#server/installation/open-installation.ts'
import { readSecretFile } from '#server/installation/secret-file.ts'
import { readSecrets } from '#server/secrets.ts'
import { openSecret } from './backup-key.ts'
import { finishHome, markUnfinished, stageFiles, unmark } from './home-files.ts'
import { loadArchive } from './load-archive.ts'
import type { Manifest } from './manifest.ts'
import { BadArchive, checkArchive } from './read-archive.ts'
import { describeContents, refuseWhileInUse, wipe } from './target.ts'

export type Restoring = {
  settings: Settings
  archive: string
  /** Wipes what is there. Without it only an empty database is filled. */
  isReplacing: boolean
  /** FORECOURT_BACKUP_KEY, for an archive that carries its secret. */
  backupKey: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Restores an installation and brings it up to the code. The archive is read to its end before anything is written.
 * The database is filled in one transaction: until its end, what was there stays.
 * @throws Error with a sentence: the archive is damaged or foreign, the product runs, something is there already, the
 * secret is another one.
 */
export async function restore(restoring: Restoring): Promise<Manifest> {
  const { settings, archive, now, say } = restoring
  const manifest = await checkArchive(archive)
  await refuseOtherMigrations(manifest)
  const secret = await chooseSecret(restoring, manifest)
  const database = await openAlone(settings, say)
  try {
    await withOwner(database.owner, async (owner) => {
      await refuseWhileInUse(owner)
      const isFull = await refuseContents(owner, restoring)
      await stageFiles(settings.home, archive)
      await fillDatabase(owner, { archive, manifest, isFull, home: settings.home })
      await finishHome(settings.home, { secret, now })
    })
    await withOwner(database.owner, async (owner) => {
      await startDatabase(owner, database.loginRole, say)
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
    throw new BadArchive(`This copy of Forecourt cannot restore the archive. ${reason}`, { cause: error })
  }
}

/** The secret to put into the home; null where the one it has already, or the environment's, is the right one. */
async function chooseSecret(
  { settings, backupKey }: Restoring,
  { keyCheckSealed, secretSealed }: Manifest,
): Promise<string | null> {
  if (keyCheckSealed === null) return null
  const present = settings.secret ?? (await readSecretFile(settings.home, 'secret'))
  if (present !== null && opensInstallation(readSecrets(present), keyCheckSealed)) return null
  if (settings.secret !== null)
    throw new Error('FORECOURT_SECRET is not the secret that this archive was sealed with. Set that one.')
  if (secretSealed === null || backupKey === null) {
    throw new Error(
      secretSealed === null
        ? `The archive holds no secret. Put the one it was sealed with into ${settings.home}/secret, or into FORECOURT_SECRET.`
        : 'The archive holds its secret sealed. Set FORECOURT_BACKUP_KEY to the words it was backed up with.',
    )
  }
  const secret = openSecret(secretSealed, backupKey)
  if (secret === null) throw new Error('FORECOURT_BACKUP_KEY is not the one this archive was backed up with.')
  if (!opensInstallation(readSecrets(secret), keyCheckSealed))
    throw new BadArchive('The secret in the archive does not open what is in it.')
  return secret
}

async function refuseContents(owner: pg.Client, { isReplacing }: Restoring): Promise<boolean> {
  const contents = await describeContents(owner)
  if (contents === null) return false
  if (!contents.isOurs)
    throw new Error(`The database holds ${contents.words}. Restore into a database of its own.`)
  if (isReplacing) return true
  throw new Error(
    `The database holds ${contents.words}. Nothing was changed. With --replace it is wiped for good: back it up first.`,
  )
}

async function fillDatabase(
  owner: pg.Client,
  wanted: { archive: string; manifest: Manifest; isFull: boolean; home: string },
): Promise<void> {
  const { archive, manifest, isFull, home } = wanted
  await owner.query('begin')
  try {
    if (isFull) await wipe(owner)
    await migrateEmpty(
      owner,
      manifest.migrations.map(({ name }) => name),
    )
    await loadArchive(owner, archive, manifest)
    await forgetFileStore(owner)
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    if (!isDatabaseAway(error)) throw error
    throw new Error('The connection to the database broke. Nothing was changed there.', { cause: error })
  }
  await markUnfinished(home, archive)
  try {
    await owner.query('commit')
  } catch (error) {
    // Whether it was committed is not known when the connection broke: only a refusal of the server says no.
    if (isRefusal(error)) await unmark(home)
    throw error
  }
}

/** The files of the archive go into this home, whatever store they were in: its next start notes which one that is. */
async function forgetFileStore(owner: pg.Client): Promise<void> {
  // An archive of an earlier version has no such column: it is added once the database is brought up to the code.
  const { rows } = await owner.query(
    `select from pg_attribute where attrelid = 'iam.installation'::regclass and attname = 'file_store'`,
  )
  if (rows.length > 0) await owner.query('update iam.installation set file_store = null')
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'
