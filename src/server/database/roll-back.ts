import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#server/environment.ts'
import { markCopy } from '#server/installation/copy-state.ts'
import { takeLock } from '#server/installation/lock.ts'
import { chooseAccount } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { clearLeftover } from './embedded/leftover.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { listCopies, repairSwap, swapBack, swapIn } from './embedded/swap-data.ts'
import { pendingMigrations } from './migrate.ts'
import { DATABASE, withOwner } from './open-database.ts'

type RollbackOptions = {
  settings: Pick<Settings, 'home' | 'databaseUrl'>
  /** The name of a copy in `<home>/backups`. Null: the newest. */
  copy: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Rolls back an upgrade: restores the embedded database from the copy made before it was migrated. Run it with the product
 * version from before the upgrade, because a newer one would migrate the database again.
 * @returns the copy that was used, and the folder with the database from after the upgrade.
 * @throws Error, without any change, if the product is running, the database is not embedded, there is no such copy, or the
 * product version does not match the copy.
 */
export async function rollBack({
  settings,
  copy,
  now,
  say,
}: RollbackOptions): Promise<{ copy: string; kept: string }> {
  const { home } = settings
  if (settings.databaseUrl !== null)
    throw new Error(
      'DATABASE_URL is set, so the database is on your own server. Restore the backup you made there before the upgrade.',
    )
  const lock = await takeLock(home)
  try {
    await repairSwap(home)
    const copies = await listCopies(home)
    const chosen = copy === null ? copies[0] : copies.find((name) => name === copy)
    if (chosen === undefined) throw new Error(describeMissing({ home, copy, copies }))
    if ((await lstat(join(home, 'postgres')).catch(() => null)) === null)
      throw new Error(`There is no database in ${home} yet.`)
    const account = await chooseAccount({ home: await realpath(home), binaries: await findBinaries(), say })
    await clearLeftover({ data: join(home, 'postgres'), socketFolder: account.place, say })
    const kept = await swapIn({ home, account, copy: chosen, now })
    try {
      await acceptVersion({ home, now, say })
    } catch (error) {
      await swapBack({ home, kept })
      throw error
    }
    return { copy: chosen, kept }
  } finally {
    await lock.release()
  }
}

function describeMissing({
  home,
  copy,
  copies,
}: {
  home: string
  copy: string | null
  copies: readonly string[]
}): string {
  if (copies.length === 0)
    return `There is nothing to roll back to. ${join(home, 'backups')} has no copy from before a migration.`
  return `There is no copy named ${copy}. Available copies: ${copies.join(', ')}.`
}

/**
 * Declares the database a copy, which sends nothing until an operator says so.
 * @throws Error if this version would migrate the database again, or cannot read it
 */
async function acceptVersion({
  home,
  now,
  say,
}: Pick<RollbackOptions, 'now' | 'say'> & { home: string }): Promise<void> {
  const server = await startEmbedded({ home, say })
  try {
    const pending = await withOwner({ ...server.connection, database: DATABASE }, async (owner) => {
      const names = await pendingMigrations(owner)
      // What waited then may have been sent since.
      if (names.length === 0) await markCopy(owner, now)
      return names
    })
    if (pending.length === 0) return
    throw new Error(
      `This version of Forecourt would migrate that database again (pending migrations: ${pending.length}, starting with ${pending[0]}). ` +
        'Install the version you used before the upgrade and run the command there. Nothing was changed.',
    )
  } finally {
    await server.stop()
  }
}
