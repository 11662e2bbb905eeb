import { type RawBuilder, sql, type Kysely, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import { claim, isFree, isHeld, isOfOpenCustomer, type LeaseTable, type Waits } from '#server/queue/lease.ts'
import type { MailTransport, Outcome } from '#server/outside/smtp.ts'
import type { HandlerRow } from '../handlers/handler-row.ts'
import { attachPictures, type ReadPicture } from '../templates/pictures.ts'
import { UNREADABLE, decryptText, type DecryptText } from './sealed-text.ts'

const EMAILS: LeaseTable = {
  table: 'outbox_mails',
  keys: ['customer_id', 'id'],
  attempts: 'attempts',
  seconds: 60,
  isSent: true,
  waitsInCopy: true,
}
/** The most emails of one customer per run; then the other customers have their turn, and the next run follows at once. */
const MAX_PER_RUN = 50
const RETRIES: Waits = [60, 5 * 60, 30 * 60, 2 * 3_600]
/** An email that failed this many times has failed for good. */
const MAX_ATTEMPTS = RETRIES.length + 1
/** While the mail server is unreachable: minutes between attempts, and hours until giving up. */
const AWAY_MINUTES = 5
const AWAY_HOURS = 72
const LINK_EXPIRED = 'Its link has expired.'
const IN_DOUBT = "It may have arrived: sending was interrupted. It isn't sent again."

export type Delivered = { sent: number; failed: number; postponed: number; kept: number }

/** The transport of a customer's email handler, or for null, of the installation's mail server. Returns null if there is none. */
export type OpenTransport = (handler: HandlerRow | null) => MailTransport | null

/** Decrypts the parts of an email; HTML is optional. `picture` reads media pictures used in the HTML. */
export type OpenParts = { text: DecryptText; html: (row: Claimed) => string | null; picture: ReadPicture }

/** Senders run in parallel, so that a slow server only delays its own emails. */
const CONCURRENCY = 4
/**
 * Emails of one customer at the same time, each to another recipient. A recipient gets one after another: if this process is
 * killed, at most one email to each is in doubt.
 */
const LANES = 4

type Claimed = {
  customerId: string
  id: string
  lease: string
  toName: string
  toEmail: string
  subject: string
  textSealed: string
  htmlSealed: string | null
  messageKey: string
  isReminder: boolean
  isPersonal: boolean
  isOnce: boolean
  unsubscribeUrl: string | null
  fromName: string | null
  replyTo: string | null
  inReplyTo: string | null
  attempts: number
  /** Seconds until each later attempt, if the email has a schedule of its own. */
  retryWaits: number[] | null
  hasExpired: boolean
  isOld: boolean
  /** Why and since when its address is suppressed. */
  suppressed: 'bounced' | 'complained' | null
  suppressedOn: string | null
}

/**
 * Sends the emails that are due. Each is claimed first: its attempt is counted and its next
 * attempt scheduled. So no lock is held while the mail server responds, no other process takes the same email, and if this
 * process is killed, the email is tried again: it can go out twice, but is never lost.
 */
export async function deliverDue(
  iam: Kysely<DB>,
  openTransport: OpenTransport,
  open: OpenParts,
): Promise<{ done: Delivered; hasMore: boolean }> {
  const done: Delivered = { sent: 0, failed: 0, postponed: 0, kept: 0 }
  let hasMore = false
  // Without a mail server of its own, a copy would mark what waits as not sent.
  if (await isCopy(iam)) return { done, hasMore }
  await doubtInterrupted(iam)
  done.kept = await keepWaiting(iam, { isKeptWithoutHandler: openTransport(null) === null })
  const senders = await findSenders(iam)
  /** Without their own handler, customers share the installation's server: if it is away, it is away for all of them. */
  let isServerAway = false
  const work = async (): Promise<void> => {
    for (let next = senders.shift(); next !== undefined; next = senders.shift()) {
      const transport = openTransport(next.handler)
      if (transport === null || (next.handler === null && isServerAway)) continue
      const { isReached, isAll } = await deliverBy(iam, { ...next, transport, open }, done)
      if (!isReached && next.handler === null) isServerAway = true
      if (isReached && !isAll) hasMore = true
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { done, hasMore }
}

/**
 * `sent`: a mail server accepted it. `kept`: the customer's emails aren't sent. `waits`: this installation is a restored copy.
 * `unanswered`: it may still arrive.
 */
export type SentNow = 'sent' | 'kept' | 'waits' | 'failed' | 'unanswered'

/**
 * Sends one email at once. If the customer's email handler doesn't accept it, the installation's mail server tries as well.
 * What neither accepts stays queued like any other email.
 */
export async function deliverOne(
  iam: Kysely<DB>,
  openTransport: OpenTransport,
  open: OpenParts,
  { customerId, id }: { customerId: string; id: string },
): Promise<SentNow> {
  const [sender = { customerId, handler: null }] = await findSenders(iam, { customerId, id })
  const mail = await claimNext(iam, { ...sender, id })
  if (mail === null) return (await isCopy(iam)) ? 'waits' : 'kept'
  let [outcome, by] = [await sendOne(openTransport(sender.handler), mail, open), sender.handler]
  if (outcome.kind !== 'sent' && by !== null) {
    const second = await sendOne(openTransport(null), mail, open)
    if (second.kind === 'sent') [outcome, by] = [second, null]
  }
  await recordOutcome(iam, mail, outcome, by)
  return outcome.kind === 'sent' ? 'sent' : 'failed'
}

type Sender = { customerId: string; handler: HandlerRow | null }

/** Sends emails of one customer. `isReached`: the mail server was. `isAll`: none is left that is due. */
async function deliverBy(
  iam: Kysely<DB>,
  { customerId, handler, transport, open }: Sender & { transport: MailTransport; open: OpenParts },
  done: Delivered,
): Promise<{ isReached: boolean; isAll: boolean }> {
  let [left, isReached] = [MAX_PER_RUN, true]
  /** The recipients of what is being sent. */
  const busy = new Set<string>()
  /** One email at a time of those that are never repeated: a kill leaves one of them in doubt. */
  let isSendingOnce = false
  let claiming: Promise<unknown> = Promise.resolve()
  /** One claim after another, so that two lanes don't choose the same recipient. */
  const claimFree = async (): Promise<Claimed | null> => {
    const next = claiming.then(async () => {
      if (left === 0 || !isReached) return null
      const mail = await claimNext(iam, { customerId, handler, busy, isWithoutOnce: isSendingOnce })
      if (mail === null) return null
      isSendingOnce ||= mail.isOnce
      left -= 1
      busy.add(mail.toEmail.toLowerCase())
      return mail
    })
    claiming = next.catch(() => {})
    return next
  }
  /** Sends one email. @returns false if there is none, or the mail server is unreachable. */
  const sendNext = async (): Promise<boolean> => {
    const mail = await claimFree()
    if (mail === null) return false
    const outcome = await sendOne(transport, mail, open)
    done[await recordOutcome(iam, mail, outcome, handler)] += 1
    busy.delete(mail.toEmail.toLowerCase())
    if (mail.isOnce) isSendingOnce = false
    // The remaining emails would fail the same way. They wait for the next run without losing an attempt.
    if (outcome.kind === 'unreachable') isReached = false
    return isReached
  }
  const lane = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- One email at a time per lane.
    while (await sendNext());
  }
  // The first one finds out whether the mail server is reachable.
  if (await sendNext()) await Promise.all(Array.from({ length: LANES }, lane))
  return { isReached, isAll: left > 0 }
}

async function sendOne(transport: MailTransport | null, mail: Claimed, open: OpenParts): Promise<Outcome> {
  if (transport === null) return { kind: 'unreachable', reason: 'No mail server is set up.' }
  if (mail.hasExpired) return { kind: 'refused', reason: LINK_EXPIRED, before: 'expired' }
  if (mail.suppressed !== null) return { kind: 'refused', reason: whySuppressed(mail), before: 'suppressed' }
  const text = decryptText({ open: open.text }, mail)
  const html = decryptText({ open: () => open.html(mail) ?? '' }, mail)
  if (text === null || html === null) return { kind: 'refused', reason: UNREADABLE, before: 'unreadable' }
  const shown = html !== '' && (await attachPictures(html, mail.customerId, open.picture))
  return transport.send({ ...mail, key: mail.messageKey, text, ...shown })
}

function whySuppressed({ suppressed, suppressedOn }: Claimed): string {
  const what =
    suppressed === 'bounced' ? 'an email to it hard-bounced' : 'the recipient marked an email as spam'
  return `This address is suppressed: ${what} on ${suppressedOn}. Remove it from the suppressed addresses to send again.`
}

/** Marks queued emails as not sent if the default handler is outbox only, or the mail server was removed. */
async function keepWaiting(
  iam: Kysely<DB>,
  { isKeptWithoutHandler }: { isKeptWithoutHandler: boolean },
): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    with kept as (
      update outbox_mails m set state = 'kept', next_attempt_at = null
      where m.state = 'waiting' and case
        when exists (select from email_handlers h where h.customer_id = m.customer_id and ${isHandlerOf(sql`m`)})
          then exists (select from email_handlers h where h.customer_id = m.customer_id and ${isHandlerOf(sql`m`)} and h.kind = 'outbox')
        else ${isKeptWithoutHandler} end
      returning m.id
    ) select count(*)::int as kept from kept`.execute(iam)
  return rows[0]?.kept ?? 0
}

/**
 * Whether an email `d` is due. One that was never tried and is still further ahead was stored before the clock was set back.
 */
const isDue = sql`(d.next_attempt_at <= app_now()
  or d.attempts = 0 and d.next_attempt_at > app_now() + ${2 * AWAY_MINUTES} * interval '1 minute')`

/**
 * Customers with email to send now, with their handler; the one that has waited longest first.
 * @param only the customer of one queued email, due or not.
 */
async function findSenders(iam: Kysely<DB>, only?: OneMail): Promise<Sender[]> {
  const { rows } = await sql<{ [K in keyof HandlerRow]: HandlerRow[K] | null } & { sender: string }>`
    select due.customer_id as sender, h.customer_id, h.id, h.kind, h.from_name, h.from_email, h.reply_to, h.smtp_host,
      h.smtp_port, h.smtp_security, h.smtp_user, h.postmark_stream, h.secret_sealed, c.is_platform
    from (
      select d.customer_id, d.chosen_handler_id, min(d.next_attempt_at) as since from outbox_mails d
      where d.state = 'waiting' and ${isOfOpenCustomer(sql`d.customer_id`)}
        and ${only === undefined ? isDue : isOne(only)} group by d.customer_id, d.chosen_handler_id
    ) due
    left join email_handlers h on h.customer_id = due.customer_id and ${isHandlerOf(sql`due`)}
    left join customers c on c.id = h.customer_id
    order by due.since`.execute(iam)
  return rows.map(({ sender, ...row }) => ({ customerId: sender, handler: isWhole(row) ? row : null }))
}

/** SQL: the handler `h` sends the email: the chosen one, or the customer's default. */
const isHandlerOf = (mail: RawBuilder<unknown>) =>
  sql<SqlBool>`case when ${mail}.chosen_handler_id is null then h.is_default else h.id = ${mail}.chosen_handler_id end`

/**
 * Emails that are never repeated, and whose server stopped while it sent them: no other one tries again. Their lease says so, because
 * every outcome ends it.
 */
async function doubtInterrupted(iam: Kysely<DB>): Promise<void> {
  await sql`update outbox_mails m set state = 'failed', in_doubt = true, next_attempt_at = null, lease = null, leased_until = null,
      error = ${IN_DOUBT}
    where m.is_once and m.state = 'waiting' and m.lease is not null and ${isFree(EMAILS, 'm')}`.execute(iam)
}

type OneMail = { customerId: string; id: string }
const isOne = ({ customerId, id }: OneMail) => sql`d.customer_id = ${customerId} and d.id = ${id}`

/** Whether the left join found a handler. */
function isWhole(row: { [K in keyof HandlerRow]: HandlerRow[K] | null }): row is HandlerRow {
  return row.id !== null
}

/** Nothing is claimed if the customer's default handler changed in the meantime: the next run uses the new one. */
async function claimNext(
  iam: Kysely<DB>,
  {
    customerId,
    handler,
    ...rest
  }: Sender & ({ busy: ReadonlySet<string>; isWithoutOnce: boolean } | { id: string }),
): Promise<Claimed | null> {
  return claim<Claimed>(
    iam,
    EMAILS,
    {
      joins: sql`left join email_handlers h on h.customer_id = d.customer_id and ${isHandlerOf(sql`d`)}
        left join suppressed_addresses s on s.customer_id = d.customer_id and s.email_key = lower(d.to_email)`,
      columns: sql`s.reason, to_char(s.created_at, 'FMMonth FMDD, YYYY') as suppressed_on`,
      where: sql`d.customer_id = ${customerId} and d.state = 'waiting' and not (d.is_once and (d.lease is not null or ${'isWithoutOnce' in rest && rest.isWithoutOnce}))
        and h.id is not distinct from ${handler?.id ?? null}::bigint
        and ${'id' in rest ? sql`d.id = ${rest.id}` : sql`${isDue} and lower(d.to_email) <> all(${[...rest.busy]}::text[])`}`,
      orderBy: sql`d.is_once, d.next_attempt_at, d.id`,
    },
    {
      // The time of the next attempt if this one fails, or this process is killed.
      set: sql`error = null, refusal = null, next_attempt_at = app_now() + (coalesce(t.retry_waits, ${sql.val([...RETRIES])}::int[]))
        [least(t.attempts + 1, coalesce(cardinality(t.retry_waits), ${RETRIES.length}))] * interval '1 second'`,
      returning: sql`t.customer_id, t.id, t.lease, t.to_name, t.to_email, t.subject, t.text_sealed, t.html_sealed, t.message_key,
        t.is_reminder, t.is_personal, t.is_once, t.unsubscribe_url, t.from_name, t.reply_to, t.in_reply_to, t.attempts, t.retry_waits,
        coalesce(t.expires_at <= app_now(), false) as has_expired, due.reason as suppressed,
        due.suppressed_on, t.created_at < app_now() - ${AWAY_HOURS} * interval '1 hour' as is_old`,
    },
  )
}

/** Whether an email that was not sent is given up. */
function isOver({ retryWaits, attempts, isOld }: Claimed, outcome: Outcome): boolean {
  if (outcome.kind === 'refused') return true
  if (retryWaits !== null) return attempts > retryWaits.length
  return outcome.kind === 'unreachable' ? isOld : attempts >= MAX_ATTEMPTS
}

/**
 * Records the outcome of an attempt, unless a later attempt has begun. If the mail server was unreachable, the attempt
 * doesn't count, and the email is given up only by age, unless it has a schedule of its own.
 */
async function recordOutcome(
  iam: Kysely<DB>,
  mail: Claimed,
  outcome: Outcome,
  handler: HandlerRow | null,
): Promise<keyof Delivered> {
  const change = iam
    .updateTable('outboxMails')
    .where('state', '=', 'waiting')
    .where(isHeld(EMAILS, { key: [mail.customerId, mail.id], lease: mail.lease }))
    .set({ lease: null, leasedUntil: null })
  if (outcome.kind === 'sent') {
    const result = { handlerId: handler?.id ?? null, messageId: outcome.messageId ?? null, outcome: null }
    await change
      .set({ state: 'sent', sentAt: sql`app_now()`, nextAttemptAt: null, error: null, ...result })
      .execute()
    return 'sent'
  }
  if (mail.isOnce && outcome.kind === 'unreachable' && outcome.mayHaveArrived === true) {
    await change.set({ state: 'failed', inDoubt: true, nextAttemptAt: null, error: IN_DOUBT }).execute()
    return 'failed'
  }
  if (isOver(mail, outcome)) {
    const refusal = outcome.kind === 'unreachable' ? null : (outcome.before ?? 'server')
    await change.set({ state: 'failed', nextAttemptAt: null, error: outcome.reason, refusal }).execute()
    return 'failed'
  }
  const isUncounted = outcome.kind === 'unreachable' && mail.retryWaits === null
  const again = sql<string>`app_now() + ${AWAY_MINUTES} * interval '1 minute'`
  await change
    .set({
      error: outcome.reason,
      ...(isUncounted && { attempts: mail.attempts - 1, nextAttemptAt: again }),
    })
    .execute()
  return 'postponed'
}
