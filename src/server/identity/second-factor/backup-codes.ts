import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { BACKUP_CODES } from '#contract/identity/second-factor/second-factor.ts'
import type { UserRow } from '../credentials/factor-state.ts'
import type { Identity } from '../identity.ts'
import { fingerprintOf } from '../credentials/tokens.ts'

/** Without characters that are easily confused. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Ten codes of 60 bits, in three groups: "7KQ2-M4XD-9RTB". */
export function newBackupCodes(): string[] {
  const group = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: BACKUP_CODES }, () => [group(), group(), group()].join('-'))
}

/** The stored hash of a code, specific to its user. Hyphens, spaces and case are ignored. */
export function backupCodeHash({ customerId, userId }: UserRow, code: string): Buffer {
  return fingerprintOf(`backup code/${customerId}/${userId}/${code.replace(/[\s-]/g, '').toUpperCase()}`)
}

/** Uses a backup code. @returns whether it was valid. */
export async function spendBackupCode({ iam }: Identity, of: UserRow, given: string): Promise<boolean> {
  const used = await iam
    .updateTable('iam.backupCodes')
    .set({ usedAt: sql`app_now()` })
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .where('codeHash', '=', backupCodeHash(of, given))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** Replaces all codes with new ones, in one statement. The caller has checked that the user signs in with a second factor. */
export async function renewBackupCodes({ iam }: Identity, of: UserRow): Promise<string[]> {
  const codes = newBackupCodes()
  await sql`
    with before as (
      delete from iam.backup_codes where customer_id = ${of.customerId} and user_id = ${of.userId}
    )
    insert into iam.backup_codes (customer_id, user_id, code_hash)
    select ${of.customerId}::bigint, ${of.userId}::bigint, hash
    from unnest(${codes.map((code) => backupCodeHash(of, code))}::bytea[]) c (hash)`.execute(iam)
  return codes
}
