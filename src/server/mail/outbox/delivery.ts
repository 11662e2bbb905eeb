import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { MailTransport, Outcome } from '#server/outside/smtp.ts'
import type { HandlerRow } from '../handlers/handler-row.ts'
import { attachPictures, type ReadPicture } from '../templates/pictures.ts'
import { UNREADABLE, wordsOf, type OpenWords } from './sealed-words.ts'

/** The most mails one run sends: a next one comes within the minute. */
const MOST_A_RUN = 50
/** Minutes after the first, second, third and every later attempt until the next. */
const WAITS = [1, 5, 30, 120] as const
/** After so many attempts a mail is given up. */
const MOST_ATTEMPTS = WAITS.length + 1
/** Minutes until the next attempt where the mail server was away, and the hours after which that is given up. */
const AWAY_MINUTES = 5
const AWAY_HOURS = 72
const LINK_EXPIRED = 'Its link has expired.'

export type Delivered = { sent: number; failed: number; postponed: number; kept: number }

/** Who sends: a customer's own email handler, or null for the installation's mail server. Null as answer: nobody does. */
export type OpenTransport = (handler: HandlerRow | null) => MailTransport | null

/** How the parts of a mail are opened; there is not always HTML. Pictures are those of the media that the HTML names. */
type OpenParts = { text: OpenWords; html: (row: Claimed) => string | null; picture: ReadPicture }

/** So many senders work side by side: one whose server hangs holds up its own mails alone. */
const SIDE_BY_SIDE = 4

type Claimed = {
  customerId: string
  id: string
  toName: string
  toEmail: string
  subject: string
  textSealed: string
  htmlSealed: string | null
  messageKey: string
  isReminder: boolean
  attempts: number
  hasExpired: boolean
  isOld: boolean
  /** Why nothing is sent to its address any more, and since when. */
  suppressed: 'bounced' | 'complained' | null
  suppressedOn: string | null
}

/**
 * Sends the mails that are due, for each sender one after the other. Each is claimed first: counted as attempted, with
 * its next attempt already set. So no lock is held while the mail server speaks, no other server takes the same one, and
 * where this process is killed half-way the mail comes up again: it may go out twice, but is never lost.
 */
export async function deliverDue(
  iam: Kysely<DB>,
  openTransport: OpenTransport,
  open: OpenParts,
): Promise<Delivered> {
  const done: Delivered = { sent: 0, failed: 0, postponed: 0, kept: 0 }
  done.kept = await keepWaiting(iam, { isKeptWithoutHandler: openTransport(null) === null })
  const senders = await findSenders(iam)
  const work = async (): Promise<void> => {
    for (let next = senders.shift(); next !== undefined; next = senders.shift()) {
      const transport = openTransport(next.handler)
      if (transport !== null) await deliverBy(iam, { handler: next.handler, transport, open }, done)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return done
}

async function deliverBy(
  iam: Kysely<DB>,
  { handler, transport, open }: { handler: HandlerRow | null; transport: MailTransport; open: OpenParts },
  done: Delivered,
): Promise<void> {
  for (let turn = 0; turn < MOST_A_RUN; turn += 1) {
    const mail = await claimNext(iam, handler)
    if (mail === null) return
    const outcome = await sendOne(transport, mail, open)
    done[await settle(iam, mail, outcome, handler)] += 1
    // The others would meet the same: they wait for the next run, without an attempt less.
    if (outcome.kind === 'unreachable') return
  }
}

async function sendOne(transport: MailTransport, mail: Claimed, open: OpenParts): Promise<Outcome> {
  if (mail.hasExpired) return { kind: 'refused', reason: LINK_EXPIRED }
  if (mail.suppressed !== null) return { kind: 'refused', reason: whySuppressed(mail) }
  const text = wordsOf({ open: open.text }, mail)
  const html = wordsOf({ open: () => open.html(mail) ?? '' }, mail)
  if (text === null || html === null) return { kind: 'refused', reason: UNREADABLE }
  const shown = html !== '' && (await attachPictures(html, mail.customerId, open.picture))
  return transport.send({ ...mail, key: mail.messageKey, text, ...shown })
}

function whySuppressed({ suppressed, suppressedOn }: Claimed): string {
  const what = suppressed === 'bounced' ? 'a mail to it bounced for good' : 'its reader called a mail spam'
  return `Nothing is sent to this address: ${what} on ${suppressedOn}. Take it off the suppressed addresses to send again.`
}

/** Where mails are to be kept, or the mail server was taken away, nothing goes out any more. */
async function keepWaiting(
  iam: Kysely<DB>,
  { isKeptWithoutHandler }: { isKeptWithoutHandler: boolean },
): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    with kept as (
      update outbox_mails m set state = 'kept', next_attempt_at = null
      where m.state = 'waiting' and case
        when exists (select from email_handlers h where h.customer_id = m.customer_id and h.is_default)
          then exists (select from email_handlers h where h.customer_id = m.customer_id and h.is_default and h.kind = 'outbox')
        else ${isKeptWithoutHandler} end
      returning m.id
    ) select count(*)::int as kept from kept`.execute(iam)
  return rows[0]?.kept ?? 0
}

/** Who has a mail to send right now; who waits longest comes first. */
async function findSenders(iam: Kysely<DB>): Promise<{ handler: HandlerRow | null }[]> {
  const { rows } = await sql<{ [K in keyof HandlerRow]: HandlerRow[K] | null }>`
    select h.customer_id, h.id, h.kind, h.from_name, h.from_email, h.reply_to, h.smtp_host, h.smtp_port, h.smtp_security,
      h.smtp_user, h.postmark_stream, h.secret_sealed, c.is_platform
    from (
      select own.customer_id, own.id, min(d.next_attempt_at) as since from outbox_mails d
      left join email_handlers own on own.customer_id = d.customer_id and own.is_default
      where d.state = 'waiting' and d.next_attempt_at <= app_now() group by own.customer_id, own.id
    ) due
    left join email_handlers h on h.customer_id = due.customer_id and h.id = due.id
    left join customers c on c.id = h.customer_id
    order by due.since`.execute(iam)
  return rows.map((row) => ({ handler: isWhole(row) ? row : null }))
}

/** A row of the left join that found its handler. */
function isWhole(row: { [K in keyof HandlerRow]: HandlerRow[K] | null }): row is HandlerRow {
  return row.id !== null
}

async function claimNext(iam: Kysely<DB>, handler: HandlerRow | null): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update outbox_mails m set attempts = m.attempts + 1, error = null,
      next_attempt_at = app_now() + (${sql.val([...WAITS])}::int[])[least(m.attempts + 1, ${WAITS.length})] * interval '1 minute'
    from (
      select d.customer_id, d.id, s.reason, to_char(s.created_at, 'FMDD FMMonth YYYY') as suppressed_on
      from outbox_mails d
      left join email_handlers h on h.customer_id = d.customer_id and h.is_default
      left join suppressed_addresses s on s.customer_id = d.customer_id and s.email_key = lower(d.to_email)
      where d.state = 'waiting' and d.next_attempt_at <= app_now()
        and h.customer_id is not distinct from ${handler?.customerId ?? null}::bigint
        and h.id is not distinct from ${handler?.id ?? null}::bigint
      order by d.next_attempt_at, d.id limit 1 for update of d skip locked
    ) due
    where m.customer_id = due.customer_id and m.id = due.id
    returning m.customer_id, m.id, m.to_name, m.to_email, m.subject, m.text_sealed, m.html_sealed, m.message_key, m.is_reminder, m.attempts,
      coalesce(m.expires_at <= app_now(), false) as has_expired, due.reason as suppressed, due.suppressed_on,
      m.created_at < app_now() - ${AWAY_HOURS} * interval '1 hour' as is_old`.execute(iam)
  return rows[0] ?? null
}

/**
 * Notes what became of a mail, unless a later attempt has begun. A mail server that is away says nothing of the mail:
 * it has an attempt no less, and is given up by its age alone.
 */
async function settle(
  iam: Kysely<DB>,
  mail: Claimed,
  outcome: Outcome,
  handler: HandlerRow | null,
): Promise<keyof Delivered> {
  const change = iam
    .updateTable('outboxMails')
    .where('customerId', '=', mail.customerId)
    .where('id', '=', mail.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', mail.attempts)
  if (outcome.kind === 'sent') {
    const taken = { handlerId: handler?.id ?? null, messageId: outcome.messageId ?? null, outcome: null }
    await change
      .set({ state: 'sent', sentAt: sql`app_now()`, nextAttemptAt: null, error: null, ...taken })
      .execute()
    return 'sent'
  }
  const isAway = outcome.kind === 'unreachable'
  if (outcome.kind === 'refused' || (isAway ? mail.isOld : mail.attempts >= MOST_ATTEMPTS)) {
    await change.set({ state: 'failed', nextAttemptAt: null, error: outcome.reason }).execute()
    return 'failed'
  }
  const again = sql<string>`app_now() + ${AWAY_MINUTES} * interval '1 minute'`
  await change
    .set({ error: outcome.reason, ...(isAway && { attempts: mail.attempts - 1, nextAttemptAt: again }) })
    .execute()
  return 'postponed'
}
