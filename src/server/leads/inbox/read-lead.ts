import { sql } from 'kysely'
import { lawOf } from '#contract/customers/details/price-laws.ts'
import {
  type ChannelPermission,
  channelPermissions,
  ConsentEvent,
} from '#contract/leads/consents/consents.ts'
import { StoredAdf } from '#contract/leads/adf/adf-lead.ts'
import type { AdfWarningCode } from '#contract/leads/adf/adf-warnings.ts'
import { leadDocument } from '#contract/leads/adf/describe-adf.ts'
import { LeadEvent } from '#contract/leads/inbox/lead-events.ts'
import { Lead } from '#contract/leads/inbox/lead-list.ts'
import { LeadRecord, LeadSource } from '#contract/leads/inbox/leads.ts'
import { priceInAnswer } from '#contract/leads/inbox/price-in-answer.ts'
import { DEFAULT_QUARANTINE_DAYS, DEFAULT_RESPONSE_MINUTES } from '#contract/leads/inbox/lead-settings.ts'
import { daysInStock } from '#server/vehicles/index.ts'
import { readQuote } from '#server/channels/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { inOrder, isOneOf } from '#server/lists/read-list.ts'
import { personColumns } from '../people/person-columns.ts'
import { readPersonContacts } from '../people/read-contacts.ts'
import { mergeColumns } from '../people/read-merges.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { missingLead } from './missing-lead.ts'
import { isSpam } from './quarantine-limits.ts'
import { currentUser, isSoldElsewhere, leadSource, personTitle } from './lead-source.ts'
import { filesOfLead } from './lead-files.ts'
import { submissionFiles } from './submission-files.ts'

/** The latest email that a person wrote. */
const LATEST_MESSAGE = sql`left join lateral (
    select m.text, m.direction from lead_messages m
    where m.customer_id = l.customer_id and m.lead_id = l.id and not m.is_automatic order by m.at desc, m.id desc limit 1
  ) latest on true
  left join lateral (
    select e.data ->> 'text' as text from lead_events e
    where l.status = 'failed' and e.customer_id = l.customer_id and e.lead_id = l.id and e.kind = 'delivery'
    order by e.at desc, e.id desc limit 1
  ) failure on true`

const columns = sql`l.id::text, l.type, l.status, l.outcome, l.lost_reason, ${instant(sql`l.appointment_at`)} as appointment_at,
  l.is_test, p.id::text as person_id, ${personTitle} as person_name, p.email as person_email, p.phone as person_phone,
  l.source_kind, l.source_name, l.organization_id::text, l.lot_id::text, lot.name as lot_name, l.needs_store,
  coalesce(lot.time_zone, o.time_zone, c.time_zone) as zone, l.vehicle_id::text, l.vehicle_title,
  coalesce(v.vin, l.asked_vehicle ->> 'vin') as vehicle_vin, l.vehicle_price_cents::float8 as vehicle_price_cents, c.currency,
  ${isSoldElsewhere} as is_sold_elsewhere,
  left(coalesce('Not delivered: ' || nullif(failure.text, ''), latest.text, l.comments), 200) as preview,
  case when failure.text is not null then null when latest.direction = 'out' then 'store'
    when latest.direction = 'in' or l.comments is not null then 'buyer' end as preview_by,
  l.owner_id::text, nullif(concat_ws(' ', u.first_name, u.last_name), '') as owner_name,
  coalesce(l.owner_id = ${currentUser}, false) as is_mine, ${instant(sql`l.accept_by`)} as accept_by,
  ${instant(sql`l.accepted_at`)} as accepted_at, ${instant(sql`l.respond_by`)} as respond_by,
  ${instant(sql`l.waits_until`)} as waits_until, coalesce(l.waits_until < app_now(), false) as is_late,
  ${instant(sql`l.first_response_at`)} as first_response_at, l.first_response_by,
  ${instant(sql`l.unanswered_since`)} as unanswered_since, ${instant(sql`l.snoozed_until`)} as snoozed_until,
  l.duplicate_of_id::text,
  case when l.unfinished_step is not null then json_build_object('step', l.unfinished_step, 'steps', l.unfinished_steps) end as unfinished,
  ${instant(sql`l.received_at`)} as received_at, l.version, ${instant(sql`l.updated_at`)} as updated_at,
  l.updated_by`
const from = sql`${leadSource.from} join customers c on c.id = l.customer_id
  join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id ${LATEST_MESSAGE}`

/** The leads with these IDs, in this order. */
export async function readLeads(db: Database, customerId: string, ids: readonly string[]): Promise<Lead[]> {
  const { rows } = await sql<Lead>`select ${columns} from ${from}
    where l.customer_id = ${customerId} and ${isOneOf(leadSource, ids)}`.execute(db)
  return Lead.array().parse(inOrder(ids, rows))
}

/** When the product and a person last had to do with each other, which retention counts from. */
export const lastContact = sql`greatest(l.received_at, l.first_response_at, l.outcome_at, l.unanswered_since, l.appointment_at, l.snoozed_until,
  (select max(m.at) from lead_messages m where m.customer_id = l.customer_id and m.lead_id = l.id))`

const vehicle = sql`(select json_build_object('id', v.id::text,
    'title', concat_ws(' ', v.year, v.make, v.model, v.trim), 'vin', v.vin, 'stock', v.stock, 'status', v.status,
    'mileage', v.mileage, 'distanceUnit', c.distance_unit, 'daysInStock', ${daysInStock}, 'photo', v.photos -> 0,
    'isSoldElsewhere', ${isSoldElsewhere},
    'customerId', v.customer_id::text,
    'lotLaw', vl.price_law, 'region', vl.region, 'customerLaw', c.price_law,
    'otherLeads', (select count(*)::int from leads x where x.customer_id = l.customer_id and x.vehicle_id = v.id and x.id <> l.id
      and not x.is_test and x.status not in ('quarantined', 'duplicate') and x.received_at > app_now() - interval '30 days'))
  from (select) one left join lots vl on vl.customer_id = v.customer_id and vl.id = v.lot_id where v.id is not null)`

/** The people whose leads and consents belong to one person: `p` and those merged into it. */
const cluster = recordsOfPerson(sql`p.id`)

const others = sql`(select coalesce(json_agg(x order by x."receivedAt" desc), '[]') from (
  select n.id::text, n.type, n.vehicle_title as "vehicleTitle", n.outcome, n.lost_reason as "lostReason",
    n.duplicate_of_id is not null as "isDuplicate", nullif(concat_ws(' ', nu.first_name, nu.last_name), '') as "ownerName",
    (select count(*)::int from lead_messages m where m.customer_id = n.customer_id and m.lead_id = n.id and not m.is_automatic) as messages,
    ${instant(sql`n.received_at`)} as "receivedAt"
  from leads n left join users nu on nu.customer_id = n.customer_id and nu.id = n.owner_id
  where n.customer_id = l.customer_id and n.person_id = any (${cluster}) and n.id <> l.id and not n.is_test
  order by n.received_at desc limit 50) x)`

const merges = sql`(select coalesce(json_agg(x order by x.at desc, x.id desc), '[]') from (select ${mergeColumns}
  from person_merges m join people mp on mp.customer_id = m.customer_id and mp.id = m.merged_id
  where m.customer_id = p.customer_id and m.kept_id = any (${cluster}) and m.undone_at is null) x)`

const moves = sql`(select coalesce(json_agg(json_build_object('id', m.id::text, 'leadId', m.lead_id::text, 'isCopy', m.is_copy,
    'originalId', m.original_id::text, 'fromName', m.from_name, 'toName', m.to_name, 'reason', m.reason, 'at', ${instant(sql`m.at`)},
    'byName', m.by_name, 'undoneAt', ${instant(sql`m.undone_at`)}) order by m.id), '[]')
  from lead_moves m where m.customer_id = l.customer_id and (m.lead_id = l.id or m.original_id = l.id))`

/** What the pane shows itself, or what most documents lack: a warning would be as loud as a real problem. */
const QUIET: AdfWarningCode[] = ['noVendor', 'noVehicle', 'unknownElement', 'unknownAttribute']

const source = sql`(select json_build_object('id', s.id::text, 'contentType', s.content_type,
    'warnings', array(select distinct w ->> 'message' as message from jsonb_array_elements(s.warnings) w
      where not w ->> 'code' = any (${QUIET}::text[]) and (w -> 'lead' is null or exists (select from inbound_message_leads ml
        where ml.customer_id = l.customer_id and ml.lead_id = l.id and ml.place = (w ->> 'lead')::int)) order by message)) from lead_sources s where s.customer_id = l.customer_id and s.id = l.source_id)`

/** One lead with its person, vehicle, timeline and consents. @throws Failure 404 */
export async function readLead(db: Database, id: string): Promise<LeadRecord> {
  const { rows } = await sql<
    Omit<
      LeadRecord,
      'timeline' | 'contacts' | 'consents' | 'channels' | 'person' | 'vehicle' | 'document'
    > & {
      document: unknown
      person: { id: string; email: string | null; phone: string | null }
      vehicle: PricedVehicle | null
    }
  >`
    select ${columns}, (select row_to_json(x) from (select ${personColumns}) x) as person, ${vehicle} as vehicle,
      (select json_build_object('id', sv.id::text, 'title', concat_ws(' ', sv.year, sv.make, sv.model, sv.trim))
        from vehicles sv where l.outcome = 'sold' and sv.customer_id = l.customer_id and sv.id = l.sold_vehicle_id) as sold_vehicle,
      l.asked_vehicle, l.trade_in, l.comments, l.document, l.campaign, l.page_url, l.referrer, l.language, l.suspicions,
      l.form_id::text, f.name as form_name, l.submission_id::text,
      ${submissionFiles('l.customer_id', 'l.submission_id')} as files, ${filesOfLead} as attachments, ${source} as source, l.response_seconds,
      l.open_response_seconds, coalesce(ls.response_minutes, s.response_minutes, ${DEFAULT_RESPONSE_MINUTES}) as response_minutes,
      ${others} as other_leads, ${merges} as merges, ${moves} as moves,
      s.reply_address is not null as replies_return,
      coalesce((select me.email from users me where me.customer_id = l.customer_id and me.id = ${currentUser}),
        h.reply_to, h.from_email) as own_address,
      (select nullif(concat_ws(' ', me.first_name, me.last_name), '') from users me
        where me.customer_id = l.customer_id and me.id = ${currentUser}) as own_name,
      ${instant(sql`least(${lastContact} + s.keep_months * interval '1 month', case when ${isSpam}
        then l.received_at + coalesce(s.quarantine_days, ${DEFAULT_QUARANTINE_DAYS}) * interval '1 day' end)`)} as keep_until,
      coalesce(ls.manager_id = ${currentUser}, false) as is_manager
    from ${from} left join forms f on f.customer_id = l.customer_id and f.id = l.form_id
    left join lead_settings s on s.customer_id = l.customer_id
    left join lot_lead_settings ls on ls.customer_id = l.customer_id and ls.lot_id = l.lot_id
    left join email_handlers h on h.customer_id = l.customer_id and h.is_default
    where l.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw await missingLead(db, id)
  const [timeline, consents] = [await readTimeline(db, id), await readConsents(db, found.person.id)]
  const { email, phone } = found.person
  const contacts = await readPersonContacts(db, { personId: found.person.id, leadId: id })
  const channels = await readPermissions(db, found.person.id, {
    hasEmail: email !== null,
    hasPhone: phone !== null,
  })
  const vehicleNow = await withPrice(db, found)
  const document = found.document === null ? null : leadDocument(StoredAdf.parse(found.document))
  return LeadRecord.parse({ ...found, document, vehicle: vehicleNow, contacts, timeline, consents, channels })
}

/** The text that a lead came in: of a document or an email, otherwise the answers of its form. @throws Failure 404 */
/** Whether the text of a lead also has leads of stores that the user doesn't reach. */
const ofSeveral = sql<boolean>`(src.id is not null and names_other_stores(src.id))`

export async function readLeadText(db: Database, id: string): Promise<LeadSource> {
  const { rows } = await sql<LeadSource>`
    select coalesce(src.content_type, case when f.id is not null then 'application/json' end) as content_type,
      case when ${ofSeveral} then null else coalesce(src.raw, jsonb_pretty(f.answers)) end as text, ${ofSeveral} as is_of_several_stores,
      (select case when not ${ofSeveral} then m.corrected_text end from inbound_messages m where m.customer_id = l.customer_id and m.source_id = src.id limit 1)
        as corrected_text
    from leads l left join lead_sources src on src.customer_id = l.customer_id and src.id = l.source_id
    left join form_submissions f on f.customer_id = l.customer_id and f.id = l.submission_id
    where l.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Lead')
  return LeadSource.parse(found)
}

/** A vehicle with what decides about its price law. */
type PricedVehicle = Omit<
  NonNullable<LeadRecord['vehicle']>,
  'priceText' | 'priceDisclaimers' | 'totalCents' | 'law'
> &
  Parameters<typeof lawOf>[0] & { customerId: string }

async function withPrice(
  db: Database,
  { vehicle: priced, currency }: { vehicle: PricedVehicle | null; currency: string },
): Promise<LeadRecord['vehicle']> {
  if (priced === null) return null
  const { customerId, lotLaw, region, customerLaw, ...given } = priced
  const quote = await readQuote(db, customerId, given.id)
  const totalCents = quote?.totalCents ?? null
  const { law } = lawOf({ lotLaw, region, customerLaw })
  const own = { ...given, totalCents, law }
  const { title, status } = own
  if (quote === null || status === 'sold') return { ...own, priceText: null, priceDisclaimers: [] }
  const priceText = priceInAnswer({ ...quote, title, currency })
  return { ...own, priceText, priceDisclaimers: [...quote.disclaimers] }
}

async function readTimeline(db: Database, leadId: string): Promise<LeadEvent[]> {
  const { rows } = await sql<LeadEvent>`
    select e.id::text, ${instant(sql`e.at`)} as at, e.kind, e.by_name,
      case when exists (select from leads other where other.id = (e.data ->> 'leadId')::bigint) then e.data else e.data - 'leadId' end as data,
      case when m.id is null then null else json_build_object('id', m.id::text, 'direction', m.direction,
        'isAutomatic', m.is_automatic, 'fromName', m.from_name, 'fromEmail', m.from_email, 'toEmail', m.to_email,
        'subject', m.subject, 'text', m.text, 'delivery', coalesce(o.outcome, o.state), 'error', o.error) end as message
    from lead_events e left join lead_messages m on m.customer_id = e.customer_id and m.lead_id = e.lead_id
      and m.id = (e.data ->> 'messageId')::bigint
    left join outbox_mails o on o.customer_id = m.customer_id and o.id = m.mail_id
    where e.lead_id = ${leadId} order by e.at, e.id`.execute(db)
  return LeadEvent.array().parse(rows)
}

/** Whether the person of a lead asked not to be emailed. */
export async function refusesEmail(db: Database, leadId: string): Promise<boolean> {
  const lead = await db
    .selectFrom('leads')
    .select('personId')
    .where('id', '=', leadId)
    .executeTakeFirstOrThrow()
  const permissions = await readPermissions(db, lead.personId, { hasEmail: true, hasPhone: false })
  return permissions.some(({ channel, isAllowed }) => channel === 'email' && !isAllowed)
}

/** SQL: all rows of everyone who has the address or number that a person uses, or the given address. */
function withContact(personId: string, kind: 'email' | 'phone', email: string | null) {
  const own =
    kind === 'email'
      ? sql`coalesce(lower(${email}), p.email_key)`
      : sql`coalesce(p.phone_e164, lower(p.phone))`
  const shown = sql`array(select coalesce(o.merged_into_id, o.id) from person_contacts c
    join people o on o.customer_id = c.customer_id and o.id = c.person_id
    where c.customer_id = p.customer_id and c.organization_id = p.organization_id and c.kind = ${kind} and c.value_key = ${own})`
  return sql`array(select x.id from people p join people x on x.customer_id = p.customer_id
      and (x.id = any (${shown}) or x.merged_into_id = any (${shown})) where p.id = ${personId})`
}

/**
 * How a person may be contacted. A consent, and its withdrawal, is about an address or a number: what anyone with the same one
 * said to the organization counts. `email`: the address to write to, if it isn't the one that is used.
 */
export async function readPermissions(
  db: Database,
  personId: string,
  { email = null, ...has }: { hasEmail: boolean; hasPhone: boolean; email?: string | null },
): Promise<ChannelPermission[]> {
  const { rows } = await sql<Pick<ConsentEvent, 'kind' | 'purpose' | 'channel'>>`
    select e.kind, e.purpose, e.channel from consent_events e
    where e.person_id = any (${recordsOfPerson(personId)})
      or e.person_id = any (${withContact(personId, 'email', email)}) and e.channel = 'email'
      or e.person_id = any (${withContact(personId, 'phone', null)}) and e.channel <> 'email'
    order by e.at desc, e.id desc`.execute(db)
  return channelPermissions(rows, has)
}

/** All consents of a person and of those merged into them, newest first. */
export async function readConsents(db: Database, personId: string): Promise<ConsentEvent[]> {
  const { rows } = await sql<ConsentEvent>`
    select e.id::text, ${instant(sql`e.at`)} as at, e.kind, e.purpose, e.channel, e.text, e.text_version, e.language, e.seller,
      e.page_url, e.by_name
    from consent_events e where e.person_id = any (${recordsOfPerson(personId)}) order by e.at desc, e.id desc`.execute(
    db,
  )
  return ConsentEvent.array().parse(rows)
}
