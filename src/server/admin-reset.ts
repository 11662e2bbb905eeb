import { openWhileRunning } from './database/maintenance.ts'
import { listPending } from './database/migrate.ts'
import { ownerTransactions, withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { resetAccess, type AccessReset } from './identity/index.ts'

/** The result of the reset, with the link that sets the new password. */
export type ResetDone = AccessReset & { link: string }

/**
 * Restores access for a locked-out user. It only works on the machine itself, whether or not the product is running.
 * @throws Error with a sentence for the operator. Nothing was changed in that case.
 */
export async function resetOnServer(
  settings: Settings,
  {
    userName,
    removesFactors,
    say,
  }: { userName: string; removesFactors: boolean; say: (line: string) => void },
): Promise<ResetDone> {
  const database = await openWhileRunning(settings, say)
  try {
    if ((await withOwner(database.owner, listPending)).length > 0) {
      throw new Error(
        'The database is older than this version. Start Forecourt once, or run npm run migrate.',
      )
    }
    const isDemoOpen = settings.demo ?? settings.isLoopback
    const done = await ownerTransactions(database.owner)((db) =>
      resetAccess(db, userName, { removesFactors, isDemoOpen }),
    )
    return { ...done, link: `${addressOf(settings)}/auth/reset-password#${done.secret}` }
  } finally {
    await database.stop()
  }
}

/** The public URL, or else the URL on this machine. */
function addressOf({ publicUrl, host, port }: Settings): string {
  if (publicUrl !== null) return new URL(publicUrl).origin
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
