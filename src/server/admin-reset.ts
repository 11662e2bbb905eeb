import { openWhileRunning } from './database/maintenance.ts'
import { listPending } from './database/migrate.ts'
import { ownerTransactions, withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { resetAccess, type AccessReset } from './identity/index.ts'

/** What was done, and the link that sets the new password. */
export type ResetDone = AccessReset & { link: string }

/**
 * Lets somebody who is locked out in again: only here, on the machine itself, beside the running product or without it.
 * @throws Error with one sentence; then nothing was changed.
 */
export async function resetOnServer(
  settings: Settings,
  { userName, takesFactors, say }: { userName: string; takesFactors: boolean; say: (line: string) => void },
): Promise<ResetDone> {
  const database = await openWhileRunning(settings, say)
  try {
    if ((await withOwner(database.owner, listPending)).length > 0) {
      throw new Error('The database is older than this copy: start the product once, or run npm run migrate.')
    }
    const isDemoOpen = settings.demo ?? settings.isLoopback
    const done = await ownerTransactions(database.owner)((db) =>
      resetAccess(db, userName, { takesFactors, isDemoOpen }),
    )
    return { ...done, link: `${addressOf(settings)}/auth/reset-password#${done.word}` }
  } finally {
    await database.stop()
  }
}

/** Where a browser on this machine finds the product, unless it has a public address. */
function addressOf({ publicUrl, host, port }: Settings): string {
  if (publicUrl !== null) return new URL(publicUrl).origin
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
