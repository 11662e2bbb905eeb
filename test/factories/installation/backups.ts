import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from '#server/backup/backup.ts'
import { restore } from '#server/backup/restore.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { openPool } from '#server/database/connect.ts'
import { readSettings, type Settings } from '#server/environment.ts'
import { openInstallation } from '#server/installation/open-installation.ts'
import { readSecrets } from '#server/secrets.ts'
import type { TestDatabase } from '#test/engine/database.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { urlOf } from '#test/harness/whole-database.ts'

export const NOW = new Date('2026-11-21T15:30:00Z')
const HOMES = join(import.meta.dirname, '../../..', '.forecourt-test')

/** A temporary home folder. */
export async function makeHome(): Promise<{ home: string; remove: () => Promise<void> }> {
  await mkdir(HOMES, { recursive: true, mode: 0o700 })
  const home = await mkdtemp(join(HOMES, `${process.pid}-backup-`))
  return { home, remove: () => rm(home, { recursive: true, force: true }) }
}

/** Settings for this database. With `secret: null`, the secret is read from the home folder. */
export const settingsFor = (
  database: TestDatabase,
  home: string,
  secret: string | null = TEST_SECRET,
): Settings =>
  readSettings({
    FORECOURT_HOME: home,
    DATABASE_URL: urlOf(database.login),
    DATABASE_OWNER_URL: urlOf(database.connection),
    FORECOURT_SECRET: secret ?? undefined,
  })

/** Adds the installation row with the key check value, like a first start. */
export async function seal(database: TestDatabase, secret = TEST_SECRET): Promise<void> {
  const pool = openPool(database.login, 'forecourt_iam', 1)
  await openInstallation(pool, readSecrets(secret))
  await pool.end()
}

export async function makeArchive(
  database: TestDatabase,
  home: string,
  { name = 'a.tar.gz', backupKey = null }: { name?: string; backupKey?: string | null } = {},
): Promise<{ path: string; manifest: Manifest }> {
  return backUp({
    settings: settingsFor(database, home),
    target: join(home, name),
    backupKey,
    now: NOW,
    say: () => {},
  })
}

export async function restoreInto(
  database: TestDatabase,
  home: string,
  archive: string,
  more: { isReplacing?: boolean; backupKey?: string | null; secret?: string | null } = {},
): Promise<Manifest> {
  const { isReplacing = false, backupKey = null, secret = TEST_SECRET } = more
  return restore({
    settings: settingsFor(database, home, secret),
    archive,
    isReplacing,
    backupKey,
    now: NOW,
    say: () => {},
  })
}

/** Adds a file to the file folder of a home. */
export async function putFile(home: string, name: string, bytes: Buffer): Promise<void> {
  const path = join(home, 'files', name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, bytes)
}
