import { sql, type Updateable } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Leads } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { actingUserId, ownUserId } from './assign-lead.ts'
import { readLeadClock, responseTimes } from './lead-clock.ts'
import { type LockedLead, lockLead } from './lock-lead.ts'

/** What a buyer got from a person. */
type Answer = Readonly<{
  channel: 'email' | 'call'
  at: string
  /** Of those who did it, also while they acted as someone else. Null: not a user of this customer. */
  byUserId: string | null
  byName: string | null
  messageId: string | null
}>

type Change = Updateable<Leads>

/** Answering accepts a lead for its owner, or for the user who answered one without an owner. A colleague's answer accepts nothing. */
export async function acceptByAnswer(db: Database, lead: LockedLead, actor: Member): Promise<void> {
  await change(db, lead, acceptedBy(lead, actor))
}

/** Notes that a person reached the buyer by phone. */
export async function noteCall(db: Database, lead: LockedLead, actor: Member): Promise<void> {
  const answer: Answer = {
    channel: 'call',
    at: clock.date().toISOString(),
    byUserId: actingUserId(actor),
    byName: actor.fullName,
    messageId: null,
  }
  await change(db, lead, {
    ...acceptedBy(lead, actor),
    ...(lead.firstResponseAt === null && (await firstAnswer(db, lead, answer))),
    unansweredSince: null,
  })
}

async function change(db: Database, { id }: LockedLead, values: Change): Promise<void> {
  if (Object.keys(values).length > 0) await db.updateTable('leads').set(values).where('id', '=', id).execute()
}

function acceptedBy(lead: LockedLead, actor: Member): Change {
  const now = clock.date().toISOString()
  const owner = ownUserId(actor)
  if (lead.ownerId !== null && lead.ownerId !== owner) return {}
  return {
    acceptedAt: lead.acceptedAt ?? now,
    acceptBy: null,
    ...(lead.ownerId === null && owner !== null && { ownerId: owner, assignedAt: now }),
  }
}

/** The first answer, whose time is measured; null: there is none anymore. */
async function firstAnswer(db: Database, lead: LockedLead, first: Answer | null): Promise<Change> {
  // No one could answer it while it was in quarantine. The buyer also waited while it was at another store; a copy has its own clock.
  const from = new Date((lead.isCopy ? lead.movedAt : lead.releasedAt) ?? lead.receivedAt)
  const times =
    first === null
      ? { responseSeconds: null, openResponseSeconds: null }
      : responseTimes(await readLeadClock(db, lead), from, new Date(first.at))
  return {
    firstResponseAt: first?.at ?? null,
    firstResponseBy: first?.byName ?? null,
    firstResponderId: first?.byUserId ?? null,
    firstResponseChannel: first?.channel ?? null,
    firstResponseMessageId: first?.messageId ?? null,
    ...times,
  }
}

type Email = Answer & Readonly<{ messageId: string; isBounced: boolean; isNoted: boolean }>

/**
 * Follows what became of the emails to a buyer: one that a mail server accepted is an answer, and one that came back is none, so that the
 * lead waits again.
 */
export async function settleAnswers(db: Database, id: string): Promise<void> {
  const lead = await lockLead(db, id)
  const emails = await readEmails(db, id)
  const bounced = emails.filter(({ isBounced }) => isBounced)
  const isOfBounced = bounced.some(({ messageId }) => messageId === lead.firstResponseMessageId)
  const arrived = [...emails.filter((one) => !one.isBounced), ...(await readCalls(db, id))].toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  )
  const [first = null] = arrived
  const isChanged = isOfBounced || (lead.firstResponseAt === null && first !== null)
  const answered = isChanged ? await firstAnswer(db, lead, first) : {}
  const lastAt = arrived.at(-1)?.at ?? null
  const { rows } = await sql<{ since: string | null }>`select min(m.at) as since from lead_messages m
    where m.lead_id = ${id} and m.direction = 'in' and not m.is_automatic and m.at > coalesce(${lastAt}::timestamptz, '-infinity')`.execute(
    db,
  )
  const since = rows[0]?.since ?? null
  const isClosed = lead.outcome === 'sold' || lead.outcome === 'lost'
  const fresh = bounced.filter(({ isNoted }) => !isNoted)
  await db
    .updateTable('leads')
    .set({
      ...answered,
      unansweredSince: sql`case when unanswered_since <= ${lastAt}::timestamptz then null
        when ${fresh.length > 0 && !isClosed} then coalesce(unanswered_since, ${since}::timestamptz) else unanswered_since end`,
    })
    .where('id', '=', id)
    .execute()
  await noteLeadEvents(
    db,
    lead,
    fresh.map(({ messageId }) => ({ kind: 'bounced' as const, byName: null, data: { emailId: messageId } })),
  )
}

/** The emails of people to the buyer that a mail server accepted. */
async function readEmails(db: Database, leadId: string): Promise<Email[]> {
  const { rows } = await sql<Omit<Email, 'channel'>>`
    select m.id::text as message_id, coalesce(o.sent_at, m.at) as at, m.by_user_id::text, m.by_name,
      coalesce(o.outcome = 'bounced', false) as is_bounced,
      exists (select from lead_events e where e.customer_id = m.customer_id and e.lead_id = m.lead_id and e.kind = 'bounced'
        and e.data ->> 'emailId' = m.id::text) as is_noted
    from lead_messages m left join outbox_mails o on o.customer_id = m.customer_id and o.id = m.mail_id
    where m.lead_id = ${leadId} and m.direction = 'out' and not m.is_automatic and coalesce(o.state, 'sent') = 'sent'`.execute(
    db,
  )
  return rows.map((one) => ({ ...one, channel: 'email' }))
}

/** The calls in which a person reached the buyer. */
async function readCalls(db: Database, leadId: string): Promise<Answer[]> {
  const { rows } = await sql<Pick<Answer, 'at' | 'byName'>>`select e.at, e.by_name from lead_events e
    where e.lead_id = ${leadId} and e.kind = 'call' and e.data ->> 'result' = 'reached'`.execute(db)
  return rows.map((one) => ({ ...one, channel: 'call', byUserId: null, messageId: null }))
}
