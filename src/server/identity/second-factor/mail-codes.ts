import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import {
  MAIL_CODE_MINUTES,
  MAIL_CODE_TRIES,
  MAIL_CODE_SENDS,
  type OtpSent,
} from '#contract/identity/second-factor/second-factor.ts'
import type { DB } from '#server/database/schema.ts'
import { tooMany } from '#server/http/failure.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { Secrets } from '#server/secrets.ts'
import type { FactorState, UserRow } from '../credentials/factor-state.ts'
import type { Identity } from '../identity.ts'
import { formatMoment, readerVariables } from '../email-format.ts'
import { noteEvent } from '../events.ts'
import { readRecipient } from '../passwords/password-mails.ts'
import { formatWait } from '../credentials/sign-in-failures.ts'
import { countRequest, requestWait } from '../request-counts.ts'
import { accountKey, placeKey, type FactorPlace } from '../credentials/factor-tries.ts'

const WINDOW_SECONDS = MAIL_CODE_MINUTES * 60
/** Emails to all places together in which the user didn't sign in before, so that no botnet floods a mailbox. */
const UNKNOWN_SENDS = 10 * MAIL_CODE_SENDS
const COUNTED = 'sign-in codes of an account'

/**
 * Emails a six-digit code: the previous one while it is valid, else a new one. Waits some seconds for the mail server.
 * @throws Failure 429 after three within ten minutes, counted for the place.
 */
export async function mailCode(identity: Identity, state: FactorState, place: FactorPlace): Promise<OtpSent> {
  const { iam, outbox } = identity
  const { count, seconds } = await countRequest(iam, COUNTED, placeKey(state, place), WINDOW_SECONDS)
  if (count > MAIL_CODE_SENDS) {
    const said = `We emailed ${MAIL_CODE_SENDS} codes in ${MAIL_CODE_MINUTES} minutes.`
    throw tooMany(`${said} ${await whatToDo(iam, state, { place, seconds })}`, seconds)
  }
  if (!place.isKnown) {
    const all = await countRequest(iam, COUNTED, accountKey(state), WINDOW_SECONDS)
    if (all.count > UNKNOWN_SENDS) {
      const said = 'Too many codes were requested for this account. Resetting your password ends this wait.'
      throw tooMany(`${said} ${await whatToDo(iam, state, { place, seconds: all.seconds })}`, all.seconds)
    }
  }
  const { code, expiresAt } = await saveCode(identity, state, place)
  const recipient = await readRecipient(iam, state)
  const { firstName = '', fullName = '', title = null } = recipient ?? {}
  const emailText = await outbox.compose(iam, {
    customerId: state.customerId,
    key: 'sign-in-code',
    variables: {
      ...readerVariables({ firstName, fullName, userName: state.userName, title }),
      until: formatMoment(expiresAt),
    },
    code,
  })
  const sent = await outbox.sendNow({
    customerId: state.customerId,
    organizationId: recipient?.onlyOrganizationId ?? null,
    userId: state.userId,
    toName: fullName,
    toEmail: state.email,
    ...emailText,
    hasSecret: true,
    expiresAt,
  })
  return {
    isSent: sent === 'sent',
    failure: FAILURES[sent],
    validUntil: expiresAt,
    sendsLeft: MAIL_CODE_SENDS - count,
    waitSeconds: count === MAIL_CODE_SENDS ? seconds : null,
  }
}

async function whatToDo(
  iam: Kysely<DB>,
  { customerId, userId, email }: FactorState,
  { place, seconds }: { place: FactorPlace; seconds: number },
): Promise<string> {
  const { rows } =
    await sql`select from iam.mail_codes where customer_id = ${customerId} and user_id = ${userId}
    and is_known = ${place.isKnown} and email_key = ${email.toLowerCase()}
    and tries < ${MAIL_CODE_TRIES} and expires_at > app_now()`.execute(iam)
  const request = `equest a new one in ${formatWait(seconds)}`
  return rows.length > 0 ? `Use the latest code, or r${request}.` : `R${request}.`
}

/** Seconds until another code can be emailed to a place; null if it can be now. */
export async function mailCodeWait(iam: Kysely<DB>, of: UserRow, place: FactorPlace): Promise<number | null> {
  const limit = { windowSeconds: WINDOW_SECONDS }
  const [here, all] = await Promise.all([
    requestWait(iam, COUNTED, placeKey(of, place), { ...limit, allowed: MAIL_CODE_SENDS }),
    place.isKnown ? null : requestWait(iam, COUNTED, accountKey(of), { ...limit, allowed: UNKNOWN_SENDS }),
  ])
  return here === null && all === null ? null : Math.max(here ?? 0, all ?? 0)
}

const FAILURES = {
  sent: null,
  kept: "Emails aren't sent here. An administrator can read the code in the outbox.",
  waits:
    'This installation is a restored copy, so no emails are sent. An administrator can read the code in the outbox, and its operator with "npm run admin:reset -- --code" and your user name.',
  failed:
    "The email wasn't sent, because the mail server didn't accept it. Try again later, or ask your administrator or support to reset your access.",
  unanswered: 'The mail server has not answered yet. The email may still arrive.',
} as const

/**
 * Keeps the code that is valid for this address, or stores a new one. Known browsers have a code of their own, which attempts
 * elsewhere don't use up.
 */
async function saveCode(
  { iam, secrets }: Identity,
  { customerId, userId, email }: FactorState,
  { isKnown }: FactorPlace,
): Promise<{ code: string; expiresAt: string }> {
  const generated = randomInt(1_000_000).toString().padStart(6, '0')
  const isGood = sql`c.expires_at > app_now() and c.tries < ${MAIL_CODE_TRIES} and c.email_key = excluded.email_key`
  const { rows } = await sql<{ codeSealed: string; expiresAt: string }>`
    insert into iam.mail_codes as c (customer_id, user_id, is_known, code_sealed, email_key, expires_at)
    values (${customerId}, ${userId}, ${isKnown}, ${secrets.seal(generated, contextOf({ customerId, userId }))}, ${email.toLowerCase()},
      app_now() + ${MAIL_CODE_MINUTES} * interval '1 minute')
    on conflict (customer_id, user_id, is_known) do update set
      code_sealed = case when ${isGood} then c.code_sealed else excluded.code_sealed end,
      tries = case when ${isGood} then c.tries else 0 end,
      expires_at = case when ${isGood} then c.expires_at else excluded.expires_at end,
      email_key = excluded.email_key
    returning code_sealed, expires_at`.execute(iam)
  const [stored] = rows
  if (stored === undefined) throw new Error('The code was not saved.')
  return {
    code: secrets.open(stored.codeSealed, contextOf({ customerId, userId })),
    expiresAt: stored.expiresAt,
  }
}

/**
 * The latest code that a user can sign in with now, for an operator in a terminal: it checks no permission.
 * @returns null if there is none that is valid.
 */
export async function readMailCode(
  db: Kysely<DB>,
  secrets: Secrets,
  userName: string,
): Promise<{ code: string; expiresAt: string } | null> {
  const { rows } = await sql<UserRow & { codeSealed: string; expiresAt: string }>`
    select c.customer_id, c.user_id, c.code_sealed, c.expires_at from iam.mail_codes c
    join users u on u.customer_id = c.customer_id and u.id = c.user_id
    where u.user_name_key = lower(${userName.trim()}) and c.expires_at > app_now() and c.tries < ${MAIL_CODE_TRIES}
    order by c.expires_at desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  await noteEvent(db, {
    customerId: row.customerId,
    by: null,
    endpoint: 'admin:reset',
    table: 'users',
    rowId: row.userId,
    what: 'had their sign-in code shown on the server',
  })
  return { code: secrets.open(row.codeSealed, contextOf(row)), expiresAt: row.expiresAt }
}

/**
 * Checks and uses an emailed code.
 * @returns `gone` if none is valid: five wrong attempts, ten minutes are over, or it was used.
 */
export async function spendMailCode(
  { iam, secrets }: Identity,
  { customerId, userId, email }: FactorState,
  { given, place }: { given: string; place: FactorPlace },
): Promise<'right' | 'wrong' | 'gone'> {
  const { rows } = await sql<{ codeSealed: string; tries: number }>`
    update iam.mail_codes set tries = tries + 1
    where customer_id = ${customerId} and user_id = ${userId} and is_known = ${place.isKnown}
      and email_key = ${email.toLowerCase()} and tries < ${MAIL_CODE_TRIES} and expires_at > app_now()
    returning code_sealed, tries`.execute(iam)
  const [tried] = rows
  if (tried === undefined) return 'gone'
  const code = secrets.open(tried.codeSealed, contextOf({ customerId, userId }))
  if (!isSameCode(code, given)) return tried.tries >= MAIL_CODE_TRIES ? 'gone' : 'wrong'
  const used = await iam
    .deleteFrom('iam.mailCodes')
    .where('customerId', '=', customerId)
    .where('userId', '=', userId)
    .where('isKnown', '=', place.isKnown)
    .where('codeSealed', '=', tried.codeSealed)
    .executeTakeFirst()
  return used.numDeletedRows > 0n ? 'right' : 'gone'
}

function isSameCode(code: string, given: string): boolean {
  const [one, other] = [Buffer.from(code), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The sealed column, for rotating the installation secret. */
export const sealedMailCodes: SealedColumn = {
  table: 'iam.mail_codes',
  column: 'code_sealed',
  contextColumns: ['customer_id', 'user_id'],
  context: (row) => contextOf({ customerId: row.customer_id ?? '', userId: row.user_id ?? '' }),
}

function contextOf({ customerId, userId }: UserRow): string {
  return `iam.mail_codes.code_sealed/${customerId}/${userId}`
}
