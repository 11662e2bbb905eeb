import { openWhileRunning } from './database/maintenance.ts'
import { listPending } from './database/migrate.ts'
import { ownerTransactions, withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { readMailCode, resetAccess, type AccessReset } from './identity/index.ts'
import { readSecretFile } from './installation/secret-file.ts'
import { readSecrets } from './secrets.ts'

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

/**
 * The code that a user can sign in with, when its email doesn't arrive: in a restored copy, or without a mail server.
 * @throws Error with a sentence for the operator if the user has none.
 */
export async function readCodeOnServer(
  settings: Settings,
  { userName, say }: { userName: string; say: (line: string) => void },
): Promise<{ code: string; expiresAt: string }> {
  const secret = settings.secret ?? (await readSecretFile(settings.home, 'secret'))
  if (secret === null) throw new Error(`There is no secret in ${settings.home} yet.`)
  const database = await openWhileRunning(settings, say)
  try {
    const code = await ownerTransactions(database.owner)((db) =>
      readMailCode(db, readSecrets(secret), userName),
    )
    if (code !== null) return code
    throw new Error(
      `${userName} has no sign-in code. Sign in up to the page that asks for it, and run this again.`,
    )
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
