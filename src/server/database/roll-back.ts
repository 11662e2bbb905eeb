import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#server/environment.ts'
import { takeLock } from '#server/installation/lock.ts'
import { chooseAccount } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { clearLeftover } from './embedded/leftover.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { listCopies, repairSwap, swapBack, swapIn } from './embedded/swap-data.ts'
import { pendingMigrations } from './migrate.ts'
import { DATABASE, withOwner } from './open-database.ts'

type RollingBack = {
  settings: Pick<Settings, 'home' | 'databaseUrl'>
  /** The name of a copy in `<home>/backups`; null: the newest. */
  copy: string | null
  now: Date
  say: (line: string) => void
}

/**
 * Takes an upgrade back: the built-in database becomes what it was before the product migrated it. It must be the copy of
 * the product from before the upgrade that does this, since a newer one would migrate it again.
 * @returns the copy that was taken, and the folder in which the database of after the upgrade is kept.
 * @throws Error with a sentence, having changed nothing: the product runs, the database is no built-in one, there is no such
 * copy, or the product is older or newer than it.
 */
export async function rollBack({
  settings,
  copy,
  now,
  say,
}: RollingBack): Promise<{ copy: string; kept: string }> {
  const { home } = settings
  if (settings.databaseUrl !== null)
    throw new Error(
      'DATABASE_URL names a server of your own. Restore the copy there that you made before the upgrade.',
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
      await refuseOtherVersion(home, say)
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
    return `There is nothing to go back to: ${join(home, 'backups')} has no copy from before a migration.`
  return `There is no copy ${copy}. There is ${copies.join(', ')}.`
}

/** @throws Error where this copy of the product would migrate the database again, or cannot read it. */
async function refuseOtherVersion(home: string, say: (line: string) => void): Promise<void> {
  const server = await startEmbedded({ home, say })
  try {
    const pending = await withOwner({ ...server.connection, database: DATABASE }, pendingMigrations)
    if (pending.length === 0) return
    throw new Error(
      `This version of Forecourt would migrate that database again (${pending.length} migrations, beginning with ${pending[0]}). ` +
        'Install the version that you used before, and run the command there. Nothing was changed.',
    )
  } finally {
    await server.stop()
  }
}
