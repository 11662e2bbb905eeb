import { refuseWhileInUse } from './backup/target.ts'
import { openAlone } from './database/maintenance.ts'
import { withOwner } from './database/open-database.ts'
import type { Settings } from './environment.ts'
import { opensInstallation, sealedInstallation } from './installation/open-installation.ts'
import { startRotation, endRotation, resealAll, type Resealed } from './installation/rotate.ts'
import type { SealedColumn } from './installation/sealed-columns.ts'
import { sealedAuthenticators, sealedMailCodes } from './identity/index.ts'
import { sealedChannels, sealedFeedSources } from './inventory/index.ts'
import { sealedHandlers, sealedMails } from './mail/index.ts'
import { listKeys, readSecrets } from './secrets.ts'

/** Every column that the secret seals. */
export const allSealed: readonly SealedColumn[] = [
  sealedInstallation,
  sealedHandlers,
  ...sealedMails,
  sealedAuthenticators,
  sealedMailCodes,
  sealedChannels,
  sealedFeedSources,
]

export type Rotated = Resealed & {
  /** Where the older keys are kept; null where FORECOURT_SECRET holds them. */
  kept: string | null
}

/**
 * Gives the installation a new secret and seals everything anew with it. Killed half-way it is run again: until its
 * end the secret's file has both keys, with which the product starts as well.
 * @throws Error while a copy works on the database, or where FORECOURT_SECRET has one key only.
 */
export async function rotateSecret(
  settings: Settings,
  { now, say }: { now: Date; say: (line: string) => void },
): Promise<Rotated> {
  if (settings.secret !== null && listKeys(settings.secret).length === 1) {
    throw new Error(
      'FORECOURT_SECRET keeps the secret here. Put a new key in front of it, each with its number ' +
        '(FORECOURT_SECRET=2:the-new-key,1:the-present-one), and run this again.',
    )
  }
  const database = await openAlone(settings, say)
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
        throw new Error(
          'This is not the secret that the database was sealed with. Nothing was changed in it.',
        )
      const done = await resealAll(owner, secrets, allSealed)
      const kept = settings.secret === null ? await endRotation(settings.home, both, now) : null
      return { ...done, kept }
    })
  } finally {
    await database.stop()
  }
}
