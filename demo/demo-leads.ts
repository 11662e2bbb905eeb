import { type RawBuilder, sql } from 'kysely'
import { LOST_REASONS, type LeadOutcome } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type Chance, seededBy } from './chance.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Leads that no one has answered are younger than this. */
const UNANSWERED_DAYS = 1.2
/** Minutes until the first response. */
const GOAL_MINUTES = 15
/** The store opens at this local hour; earlier leads are answered then. */
const OPENS = 9

type Row = { id: string; receivedAt: string; zone: string; localHour: number; organizationId: string }
/** A user who works on leads. */
type Salesperson = { id: string; name: string; organizationId: string; sells: boolean }
type Worked = {
  id: string
  receivedAt: string
  respondBy: string | null
  answeredAt: string | null
  by: string | null
  /** Who owns it since they accepted it. */
  ownerId: string | null
  snoozedUntil: string | null
  seconds: number | null
  openSeconds: number | null
  outcome: LeadOutcome
  lostReason: string | null
  appointmentAt: string | null
  /** How it was answered: by phone, or with this email. */
  email: string | null
  /** What the buyer wrote back, and whether that waits for an answer. */
  reply: string | null
  repliedAt: string | null
  isReplyOpen: boolean
}

const EMAILS = [
  ['Yes, it is still here. When would you like to see it?', 'Saturday at 10 works for me.'],
  [
    'Thank you for asking. I can have it ready for a test drive today or tomorrow.',
    'Tomorrow after 5, please.',
  ],
  [
    'I just sent you more photos. Is there anything else you would like to know?',
    'Does it come with two keys?',
  ],
  ['It had one owner, and the service records are complete.', 'Great. Can you hold it until Friday?'],
] as const

/** A customer with more leads than this has three that are late. */
const MANY = 120

/**
 * Gives the leads of demo submissions the times of those, and all leads what salespeople did with them since. Three of the newest
 * of the larger customer are late. A demo is created in one transaction, where every timestamp is the same.
 */
export async function workOnLeads(db: Database, customerId: string, { now }: { now: Date }): Promise<void> {
  const { rows } = await sql<Row>`
    select l.id::text, l.organization_id::text, coalesce(s.sent_at, l.received_at) as received_at, coalesce(lot.time_zone, o.time_zone, c.time_zone) as zone,
      extract(hour from coalesce(s.sent_at, l.received_at) at time zone coalesce(lot.time_zone, o.time_zone, c.time_zone))::int as local_hour
    from leads l left join form_submissions s on s.customer_id = l.customer_id and s.id = l.submission_id
    join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    join customers c on c.id = l.customer_id
    left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
    where l.customer_id = ${customerId} and l.status <> 'quarantined'
    order by coalesce(s.sent_at, l.received_at) desc, l.id`.execute(db)
  const chance = seededBy(`leads of ${rows.length}`)
  const team = await readTeam(db, customerId)
  let late = 0
  const worked = rows.map((row): Worked => {
    const salespeople = staffOf(team, row.organizationId)
    const received = Date.parse(row.receivedAt)
    const starts = received + Math.max(0, OPENS - row.localHour) * 60 * MINUTE_MS
    if (now.getTime() - received > UNANSWERED_DAYS * DAY_MS)
      return answered(row, { starts, chance, salespeople })
    late += 1
    const left = late <= 3 && rows.length > MANY ? -14 * late : 4 + 9 * late
    const deadline = now.getTime() + left * MINUTE_MS
    const respondBy = new Date(deadline).toISOString()
    const receivedAt = new Date(Math.min(received, deadline - GOAL_MINUTES * MINUTE_MS)).toISOString()
    // Every other one is someone's already, and one is put off until tomorrow.
    const owner = late % 2 === 0 ? salespeople[late % salespeople.length] : undefined
    const snoozedUntil = late === 6 ? new Date(now.getTime() + DAY_MS).toISOString() : null
    return { ...waiting(row), receivedAt, respondBy, ownerId: owner?.id ?? null, snoozedUntil }
  })
  await store(db, customerId, [...worked, ...(await readQuarantined(db, customerId))])
}

/** Those that look like spam: no one works on them. */
async function readQuarantined(db: Database, customerId: string): Promise<Worked[]> {
  const { rows } = await sql<Pick<Row, 'id' | 'receivedAt'>>`
    select l.id::text, coalesce(s.sent_at, l.received_at) as received_at
    from leads l left join form_submissions s on s.customer_id = l.customer_id and s.id = l.submission_id
    where l.customer_id = ${customerId} and l.status = 'quarantined' order by l.id`.execute(db)
  return rows.map((row) => ({ ...waiting(row), respondBy: null }))
}

const waiting = ({ id, receivedAt }: Pick<Row, 'id' | 'receivedAt'>): Worked => ({
  id,
  receivedAt,
  respondBy: receivedAt,
  answeredAt: null,
  by: null,
  ownerId: null,
  snoozedUntil: null,
  seconds: null,
  openSeconds: null,
  outcome: 'open',
  lostReason: null,
  appointmentAt: null,
  email: null,
  reply: null,
  repliedAt: null,
  isReplyOpen: false,
})

function answered(
  row: Row,
  { starts, chance, salespeople }: { starts: number; chance: Chance; salespeople: readonly Salesperson[] },
): Worked {
  if (salespeople.length === 0) return waiting(row)
  const person = chance.oneOf(salespeople)
  const minutes = chance.happens(0.55) ? chance.whole(1, 5) : chance.whole(6, 28)
  const at = starts + minutes * MINUTE_MS
  const outcome = chance.oneOf<LeadOutcome>(['contacted', 'contacted', 'appointment', 'sold', 'lost', 'lost'])
  const [email, reply] = chance.oneOf(EMAILS)
  const [isEmail, isReplied] = [chance.happens(0.45), chance.happens(0.5)]
  const repliedAt = at + chance.whole(20, 400) * MINUTE_MS
  return {
    ...waiting(row),
    ...(isEmail && { email }),
    ...(isEmail &&
      isReplied && {
        reply,
        repliedAt: new Date(repliedAt).toISOString(),
        isReplyOpen: outcome === 'contacted' && chance.happens(0.4),
      }),
    respondBy: new Date(starts + GOAL_MINUTES * MINUTE_MS).toISOString(),
    answeredAt: new Date(at).toISOString(),
    by: person.name,
    ownerId: person.id,
    seconds: Math.round((at - Date.parse(row.receivedAt)) / 1_000),
    openSeconds: minutes * 60,
    outcome,
    lostReason: outcome === 'lost' ? chance.oneOf(LOST_REASONS) : null,
    appointmentAt: outcome === 'appointment' ? new Date(at + 2 * DAY_MS).toISOString() : null,
  }
}

/** The users of an organization who sell; where no one does, its administrators. */
function staffOf(team: readonly Salesperson[], organizationId: string): Salesperson[] {
  const here = team.filter((one) => one.organizationId === organizationId)
  const selling = here.filter(({ sells }) => sells)
  return selling.length > 0 ? selling : here
}

async function readTeam(db: Database, customerId: string): Promise<Salesperson[]> {
  const { rows } = await sql<Salesperson>`
    select u.id::text, concat_ws(' ', u.first_name, u.last_name) as name, m.organization_id::text,
      t.name in ('Dealer user', 'Sales manager', 'Lead desk') as sells
    from users u join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
    join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    where u.customer_id = ${customerId} and u.is_active
      and t.name in ('Dealer user', 'Sales manager', 'Lead desk', 'Customer administrator')
    order by u.id`.execute(db)
  return rows
}

/** The emails of the store, and what buyers wrote back. */
async function storeEmails(db: Database, customerId: string, of: RawBuilder<unknown>): Promise<void> {
  await sql`
    with written as (
      insert into lead_messages (customer_id, organization_id, lead_id, direction, at, from_name, from_email, to_email, subject, text,
        by_user_id, by_name)
      select l.customer_id, l.organization_id, l.id, d.direction, case d.direction when 'out' then w."answeredAt" else w."repliedAt" end,
        case d.direction when 'out' then w."by" else p.name end, case d.direction when 'in' then p.email end,
        case d.direction when 'out' then p.email end,
        case d.direction when 'in' then 'Re: ' else '' end || coalesce('Your question about the ' || l.vehicle_title, 'Your question'),
        case d.direction when 'out' then w.email else w.reply end,
        case d.direction when 'out' then w."ownerId" end, case d.direction when 'out' then w."by" end
      from ${of} join leads l on l.customer_id = ${customerId} and l.id = w.id
      join people p on p.customer_id = l.customer_id and p.id = l.person_id
      cross join (values ('out'), ('in')) d (direction)
      where w.email is not null and (d.direction = 'out' or w.reply is not null)
      returning customer_id, organization_id, lead_id, id, at, direction, by_name)
    insert into lead_events (customer_id, organization_id, lead_id, at, kind, by_name, data)
    select customer_id, organization_id, lead_id, at, 'message-' || direction, by_name, jsonb_build_object('messageId', id::text)
    from written`.execute(db)
}

async function store(db: Database, customerId: string, worked: readonly Worked[]): Promise<void> {
  const of = sql`json_to_recordset(${JSON.stringify(worked)}::json) as w(id bigint, "receivedAt" timestamptz,
    "respondBy" timestamptz, "answeredAt" timestamptz, "by" text, seconds integer, "openSeconds" integer, outcome text,
    "lostReason" text, "appointmentAt" timestamptz, "ownerId" bigint, "snoozedUntil" timestamptz, email text, reply text,
    "repliedAt" timestamptz, "isReplyOpen" boolean)`
  // Not recorded as changes.
  for (const table of ['leads', 'lead_events', 'consent_events'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await sql`update leads l set received_at = w."receivedAt", created_at = w."receivedAt",
      updated_at = coalesce(w."answeredAt", w."receivedAt"), respond_by = w."respondBy",
      first_response_at = w."answeredAt", first_response_by = w."by",
      first_responder_id = case when w."answeredAt" is not null then w."ownerId" end,
      escalated_at = case when w."answeredAt" is null then w."respondBy" end,
      first_response_channel = case when w."answeredAt" is null then null when w.email is not null then 'email' else 'call' end,
      unanswered_since = case when w."isReplyOpen" then w."repliedAt" end,
      response_seconds = w.seconds, open_response_seconds = w."openSeconds", outcome = w.outcome,
      lost_reason = w."lostReason", appointment_at = w."appointmentAt",
      owner_id = w."ownerId", assigned_at = case when w."ownerId" is not null then w."receivedAt" end,
      accepted_at = case when w."ownerId" is not null then coalesce(w."answeredAt", w."receivedAt") end, accept_by = null,
      next_owner_ids = '{}', snoozed_until = w."snoozedUntil",
      outcome_at = case when w.outcome <> 'open' then w."answeredAt" end
    from ${of} where l.customer_id = ${customerId} and l.id = w.id`.execute(db)
  await sql`update lead_events e set at = w."receivedAt" from ${of}
    where e.customer_id = ${customerId} and e.lead_id = w.id`.execute(db)
  await sql`insert into lead_events (customer_id, organization_id, lead_id, at, kind, by_name, data)
    select l.customer_id, l.organization_id, l.id, w."answeredAt", k.kind, w."by",
      case k.kind when 'call' then '{"result": "reached"}'::jsonb else jsonb_strip_nulls(jsonb_build_object(
        'outcome', w.outcome, 'lostReason', w."lostReason", 'appointmentAt', w."appointmentAt")) end
    from ${of} join leads l on l.customer_id = ${customerId} and l.id = w.id
    cross join (values ('call'), ('outcome')) k (kind)
    where w."answeredAt" is not null and (k.kind = 'outcome' or w.email is null)`.execute(db)
  await storeEmails(db, customerId, of)
  await sql`update consent_events c set at = w."receivedAt" from ${of}, leads l
    where l.customer_id = ${customerId} and l.id = w.id and c.customer_id = l.customer_id and c.lead_id = l.id`.execute(
    db,
  )
  for (const table of ['leads', 'lead_events', 'consent_events'])
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  await sql`update audit_log a set at = w."receivedAt" from ${of}
    where a.customer_id = ${customerId} and a.table_name = 'leads' and a.row_id = w.id::text and a.at = app_now()`.execute(
    db,
  )
}
