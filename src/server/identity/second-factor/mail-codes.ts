import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import {
  MAIL_CODE_MINUTES,
  MAIL_CODE_TRIES,
  MAIL_CODES_AN_HOUR,
  type OtpSent,
} from '#contract/identity/second-factor/second-factor.ts'
import { tooMany } from '#server/http/failure.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { FactorState, UserRow } from './factor-state.ts'
import type { Identity } from '../identity.ts'
import { momentInWords, readerVariables } from '../mail-words.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { countRequest } from '../request-counts.ts'

/**
 * Mails a code of six digits to a person: the one that was mailed before as long as it is good, else a new one.
 * @throws Failure 429 after five within an hour.
 */
export async function mailCode(identity: Identity, state: FactorState): Promise<OtpSent> {
  const { iam, outbox } = identity
  const key = `${state.customerId}/${state.userId}`
  const { count, seconds } = await countRequest(iam, 'sign-in codes of an account', key, 3_600)
  if (count > MAIL_CODES_AN_HOUR) {
    throw tooMany(
      `${MAIL_CODES_AN_HOUR} mails an hour are enough. Use the latest code, or try again later.`,
      seconds,
    )
  }
  const { code, expiresAt } = await saveCode(identity, state)
  const recipient = await readRecipient(iam, state)
  const { firstName = '', fullName = '', title = null } = recipient ?? {}
  const words = await outbox.compose(iam, {
    customerId: state.customerId,
    key: 'sign-in-code',
    variables: {
      ...readerVariables({ firstName, fullName, userName: state.userName, title }),
      until: momentInWords(expiresAt),
    },
    code,
  })
  await outbox.put(iam, {
    customerId: state.customerId,
    organizationId: recipient?.onlyOrganizationId ?? null,
    userId: state.userId,
    toName: fullName,
    toEmail: state.email,
    ...words,
    hasSecret: true,
    expiresAt,
  })
  return { isSent: true, validUntil: expiresAt, sendsLeft: MAIL_CODES_AN_HOUR - count }
}

/** Keeps the code that is good for this address, or a new one in its place. */
async function saveCode(
  { iam, secrets }: Identity,
  { customerId, userId, email }: FactorState,
): Promise<{ code: string; expiresAt: string }> {
  const made = randomInt(1_000_000).toString().padStart(6, '0')
  const isGood = sql`c.expires_at > app_now() and c.tries < ${MAIL_CODE_TRIES} and c.email_key = excluded.email_key`
  const { rows } = await sql<{ codeSealed: string; expiresAt: string }>`
    insert into iam.mail_codes as c (customer_id, user_id, code_sealed, email_key, expires_at)
    values (${customerId}, ${userId}, ${secrets.seal(made, contextOf({ customerId, userId }))}, ${email.toLowerCase()},
      app_now() + ${MAIL_CODE_MINUTES} * interval '1 minute')
    on conflict (customer_id, user_id) do update set
      code_sealed = case when ${isGood} then c.code_sealed else excluded.code_sealed end,
      tries = case when ${isGood} then c.tries else 0 end,
      expires_at = case when ${isGood} then c.expires_at else excluded.expires_at end,
      email_key = excluded.email_key
    returning code_sealed, expires_at`.execute(iam)
  const [kept] = rows
  if (kept === undefined) throw new Error('The code was not kept.')
  return { code: secrets.open(kept.codeSealed, contextOf({ customerId, userId })), expiresAt: kept.expiresAt }
}

/**
 * Uses a mailed code up.
 * @returns `gone` when there is none that is good: five tries were wrong, ten minutes are over, or it was used.
 */
export async function spendMailCode(
  { iam, secrets }: Identity,
  { customerId, userId, email }: FactorState,
  given: string,
): Promise<'right' | 'wrong' | 'gone'> {
  const { rows } = await sql<{ codeSealed: string; tries: number }>`
    update iam.mail_codes set tries = tries + 1
    where customer_id = ${customerId} and user_id = ${userId} and email_key = ${email.toLowerCase()}
      and tries < ${MAIL_CODE_TRIES} and expires_at > app_now()
    returning code_sealed, tries`.execute(iam)
  const [tried] = rows
  if (tried === undefined) return 'gone'
  const code = secrets.open(tried.codeSealed, contextOf({ customerId, userId }))
  if (!isSameCode(code, given)) return tried.tries >= MAIL_CODE_TRIES ? 'gone' : 'wrong'
  const used = await iam
    .deleteFrom('iam.mailCodes')
    .where('customerId', '=', customerId)
    .where('userId', '=', userId)
    .where('codeSealed', '=', tried.codeSealed)
    .executeTakeFirst()
  return used.numDeletedRows > 0n ? 'right' : 'gone'
}

function isSameCode(code: string, given: string): boolean {
  const [one, other] = [Buffer.from(code), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Where the codes are, for a new secret. */
export const sealedMailCodes: SealedColumn = {
  table: 'iam.mail_codes',
  column: 'code_sealed',
  contextColumns: ['customer_id', 'user_id'],
  context: (row) => contextOf({ customerId: row.customer_id ?? '', userId: row.user_id ?? '' }),
}

function contextOf({ customerId, userId }: UserRow): string {
  return `iam.mail_codes.code_sealed/${customerId}/${userId}`
}
