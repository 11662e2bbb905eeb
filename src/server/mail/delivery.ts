import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { MailTransport, Outcome } from '#server/outside/smtp.ts'
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

type Claimed = {
  customerId: string
  id: string
  toName: string
  toEmail: string
  subject: string
  textSealed: string
  attempts: number
  hasExpired: boolean
  isOld: boolean
}

/**
 * Sends the mails that are due, one after the other. Each is claimed first: counted as attempted, with its next attempt
 * already set. So no lock is held while the mail server speaks, no other server takes the same one, and where this
 * process is killed half-way the mail comes up again: it may go out twice, but is never lost.
 */
export async function deliverDue(
  iam: Kysely<DB>,
  transport: MailTransport | null,
  open: OpenWords,
): Promise<Delivered> {
  const done: Delivered = { sent: 0, failed: 0, postponed: 0, kept: 0 }
  if (transport === null) return { ...done, kept: await keepWaiting(iam) }
  for (let turn = 0; turn < MOST_A_RUN; turn += 1) {
    const mail = await claimNext(iam)
    if (mail === null) return done
    const outcome = await sendOne(transport, mail, wordsOf({ open }, mail))
    done[await settle(iam, mail, outcome)] += 1
    // The others would meet the same: they wait for the next run, without an attempt less.
    if (outcome.kind === 'unreachable') return done
  }
  return done
}

async function sendOne(transport: MailTransport, mail: Claimed, text: string | null): Promise<Outcome> {
  if (mail.hasExpired) return { kind: 'refused', reason: LINK_EXPIRED }
  if (text === null) return { kind: 'refused', reason: UNREADABLE }
  return transport.send({ ...mail, key: `outbox-${mail.customerId}-${mail.id}`, text })
}

/** Where the mail server was taken away, nothing goes out any more. */
async function keepWaiting(iam: Kysely<DB>): Promise<number> {
  const kept = await iam
    .updateTable('outboxMails')
    .set({ state: 'kept', nextAttemptAt: null })
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return Number(kept.numUpdatedRows)
}

async function claimNext(iam: Kysely<DB>): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update outbox_mails m set attempts = m.attempts + 1, error = null,
      next_attempt_at = now() + (${sql.val([...WAITS])}::int[])[least(m.attempts + 1, ${WAITS.length})] * interval '1 minute'
    from (
      select d.customer_id, d.id from outbox_mails d
      where d.state = 'waiting' and d.next_attempt_at <= now()
      order by d.next_attempt_at, d.id limit 1 for update skip locked
    ) due
    where m.customer_id = due.customer_id and m.id = due.id
    returning m.customer_id, m.id, m.to_name, m.to_email, m.subject, m.text_sealed, m.attempts,
      coalesce(m.expires_at <= now(), false) as has_expired,
      m.created_at < now() - ${AWAY_HOURS} * interval '1 hour' as is_old`.execute(iam)
  return rows[0] ?? null
}

/**
 * Notes what became of a mail, unless a later attempt has begun. A mail server that is away says nothing of the mail:
 * it has an attempt no less, and is given up by its age alone.
 */
async function settle(iam: Kysely<DB>, mail: Claimed, outcome: Outcome): Promise<keyof Delivered> {
  const change = iam
    .updateTable('outboxMails')
    .where('customerId', '=', mail.customerId)
    .where('id', '=', mail.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', mail.attempts)
  if (outcome.kind === 'sent') {
    await change.set({ state: 'sent', sentAt: sql`now()`, nextAttemptAt: null, error: null }).execute()
    return 'sent'
  }
  const isAway = outcome.kind === 'unreachable'
  if (outcome.kind === 'refused' || (isAway ? mail.isOld : mail.attempts >= MOST_ATTEMPTS)) {
    await change.set({ state: 'failed', nextAttemptAt: null, error: outcome.reason }).execute()
    return 'failed'
  }
  const again = sql<string>`now() + ${AWAY_MINUTES} * interval '1 minute'`
  await change
    .set({ error: outcome.reason, ...(isAway && { attempts: mail.attempts - 1, nextAttemptAt: again }) })
    .execute()
  return 'postponed'
}
