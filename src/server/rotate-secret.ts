import { refuseWhileInUse } from './backup/target.ts'
import { openExclusively } from './database/maintenance.ts'
import { withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { opensInstallation, sealedInstallation } from './installation/open-installation.ts'
import { startRotation, endRotation, resealAll, type Resealed } from './installation/rotate.ts'
import type { SealedColumn } from './installation/sealed-columns.ts'
import { sealedAuthenticators, sealedMailCodes } from './identity/index.ts'
import { sealedChannels } from './channels/index.ts'
import { sealedFeedSources } from './feeds/index.ts'
import { sealedWebhookSecrets } from './leads/index.ts'
import { sealedHandlers, sealedMails } from './mail/index.ts'
import { listKeys, readSecrets } from './secrets.ts'

/** Every column that is encrypted with the secret. */
export const allSealed: readonly SealedColumn[] = [
  sealedInstallation,
  sealedHandlers,
  ...sealedMails,
  sealedAuthenticators,
  sealedMailCodes,
  sealedChannels,
  ...sealedWebhookSecrets,
  sealedFeedSources,
]

export type Rotated = Resealed & {
  /** The file with the older keys. Null if they are in FORECOURT_SECRET. */
  kept: string | null
}

/**
 * Gives the installation a new secret and re-encrypts everything with it. If it is killed, run it again: until it ends,
 * the secret file has both keys, and the product also starts with those.
 * @throws Error while the product uses the database, or if FORECOURT_SECRET has only one key.
 */
export async function rotateSecret(
  settings: Settings,
  { now, say }: { now: Date; say: (line: string) => void },
): Promise<Rotated> {
  if (settings.secret !== null && listKeys(settings.secret).length === 1) {
    throw new Error(
      'The secret comes from FORECOURT_SECRET. Add a new key before the current one, each with a number ' +
        '(FORECOURT_SECRET=2:the-new-key,1:the-current-key), and run this again.',
    )
  }
  const database = await openExclusively(settings, say)
  try {
    return await withOwner(database.owner, async (owner) => {
      await refuseWhileInUse(owner)
      const { rows } = await owner.query<{ sealed: string }>(
        'select key_check_sealed as sealed from iam.installation',
      )
      const both = settings.secret ?? (await startRotation(settings.home))
      const secrets = readSecrets(both)
      const [check] = rows
      if (check !== undefined && !opensInstallation(secrets, check.sealed))
        throw new Error('This is not the secret that the database was encrypted with. Nothing was changed.')
      const done = await resealAll(owner, secrets, allSealed)
      const kept = settings.secret === null ? await endRotation(settings.home, both, now) : null
      return { ...done, kept }
    })
  } finally {
    await database.stop()
  }
}
