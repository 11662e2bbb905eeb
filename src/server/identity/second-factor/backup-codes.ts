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

/**
 * Replaces all codes with new ones, in one statement.
 * @returns null if no authenticator is on.
 */
export async function renewBackupCodes({ iam }: Identity, of: UserRow): Promise<string[] | null> {
  const codes = newBackupCodes()
  const { rows } = await sql<{ userId: string }>`
    with holder as (
      select customer_id, user_id from iam.authenticators
      where customer_id = ${of.customerId} and user_id = ${of.userId} and confirmed_at is not null for update
    ), before as (
      delete from iam.backup_codes b using holder h where b.customer_id = h.customer_id and b.user_id = h.user_id
    )
    insert into iam.backup_codes (customer_id, user_id, code_hash)
    select h.customer_id, h.user_id, c.hash
    from holder h, unnest(${codes.map((code) => backupCodeHash(of, code))}::bytea[]) c (hash)
    returning user_id`.execute(iam)
  return rows.length > 0 ? codes : null
}
