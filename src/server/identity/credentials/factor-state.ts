import { sql, type Kysely } from 'kysely'
import type { OtpChannel } from '#contract/identity/second-factor/second-factor.ts'
import type { DB } from '#server/database/schema.ts'
import type { Identity } from '../identity.ts'

export type UserRow = { customerId: string; userId: string }

/** A user's second factor, and whether their user type requires one. */
export type FactorState = UserRow & {
  userName: string
  email: string
  isDemo: boolean
  isRequired: boolean
  authenticatorAt: string | null
  backupCodesLeft: number
}

/** @returns null if the user no longer exists. */
export async function readFactors(iam: Kysely<DB>, of: UserRow): Promise<FactorState | null> {
  const { rows } = await sql<FactorState>`
    select u.customer_id, u.id as user_id, u.user_name, u.email, u.is_demo, t.requires_second_factor as is_required,
      a.confirmed_at as authenticator_at,
      (select count(*)::int from iam.backup_codes b where b.customer_id = u.customer_id and b.user_id = u.id
        and b.used_at is null) as backup_codes_left
    from users u join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    left join iam.authenticators a on a.customer_id = u.customer_id and a.user_id = u.id and a.confirmed_at is not null
    where u.customer_id = ${of.customerId} and u.id = ${of.userId}`.execute(iam)
  return rows[0] ?? null
}

/**
 * The verification channels of a user, best first. With an authenticator there are no emailed codes: they
 * would make it only as safe as the mailbox. Backup codes work beside either, so that a mail server that fails locks no one out
 * who saved some. Codes are emailed if the user type requires a second factor and
 * the customer's emails are sent. If they aren't, and no backup code is left, the user sets up an authenticator, so that
 * the password alone never suffices and no one is locked out. Demo users read their codes in the outbox.
 */
export async function otpChannels({ iam, outbox }: Identity, state: FactorState): Promise<OtpChannel[]> {
  const backup: OtpChannel[] = state.backupCodesLeft > 0 ? [{ type: 'backup', label: 'Backup code' }] : []
  if (state.authenticatorAt !== null)
    return [{ type: 'authenticator', label: 'Authenticator app' }, ...backup]
  if (!state.isRequired) return []
  const isMailed = state.email !== '' && (state.isDemo || (await outbox.isSending(iam, state.customerId)))
  if (!isMailed) return backup.length > 0 ? backup : [{ type: 'setup', label: 'Set up an authenticator app' }]
  return [{ type: 'email', label: `Email to ${maskEmail(state.email)}` }, ...backup]
}

/** How many users of a customer need an emailed code to sign in as soon as its emails are sent. Not demo users: they need one already. */
export async function countMailCodeUsers(db: Kysely<DB>, customerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users u
    join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    where u.customer_id = ${customerId} and t.requires_second_factor and u.email <> '' and not u.is_demo and u.is_active
      and not exists (select from iam.authenticators a
        where a.customer_id = u.customer_id and a.user_id = u.id and a.confirmed_at is not null)`.execute(db)
  return rows[0]?.count ?? 0
}

/** Enough to recognize one's own address: "s\u2022\u2022\u2022@n\u2022\u2022\u2022.example". */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split(/@(?=[^@]*$)/)
  const [first = ''] = domain
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : ''
  return `${String.fromCodePoint(name.codePointAt(0) ?? 0x2022)}${MASK}@${first}${MASK}${end}`
}
const MASK = '\u2022'.repeat(3)
