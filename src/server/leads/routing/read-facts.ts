import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { type LeadFacts, timeIn } from '#contract/leads/routing/lead-facts.ts'
import { StoreEvidence } from '#contract/leads/routing/store-evidence.ts'
import { openingAt } from '#contract/open-now.ts'
import { Holidays, OpeningHours } from '#contract/opening-hours.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { readStoredFacts, type StoredFacts } from './stored-facts.ts'

/** A lead to be routed: what the rules see, and what routing needs besides. */
export type RoutedLead = Readonly<{
  id: string
  customerId: string
  organizationId: string
  lotId: string | null
  status: string
  isTest: boolean
  /** The person's name, email address or phone number. */
  title: string
  receivedAt: string
  /** The day on which it was received in the time zone of the customer, by which daily caps count. */
  day: string
  facts: LeadFacts
  /** The person it is shown with. */
  personId: string
  /** An earlier lead of the same person about the same vehicle. */
  earlier: Readonly<{ leadId: string; minutesAgo: number }> | null
  /** What the rules saw when it was routed; null if that wasn't stored. */
  used: StoredFacts | null
}>

type Row = Omit<RoutedLead, 'facts' | 'earlier' | 'used'> & {
  type: string
  sourceName: string
  formId: string | null
  language: string | null
  condition: string | null
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  stock: string | null
  priceCents: number | null
  campaign: Record<string, string>
  tradeIn: Record<string, unknown> | null
  formProgress: 'finished' | 'unfinished' | null
  comments: string | null
  name: string | null
  email: string | null
  phone: string | null
  postalCode: string | null
  hours: unknown
  holidays: unknown
  zone: string
  storeEvidence: unknown
  isStoreFixed: boolean
  stored: unknown
  personId: string
  duplicateOfId: string | null
  minutesAgo: number | null
}

/**
 * Reads leads `l` with their people, vehicles and lots, newest first. The vehicle in stock counts before the buyer's words
 * for it, and the price is the one the buyer saw.
 */
export async function readRoutedLeads(
  db: Database,
  where: RawBuilder<SqlBool>,
  limit: number,
): Promise<RoutedLead[]> {
  const asked = (name: string) => sql`nullif(l.asked_vehicle ->> ${sql.lit(name)}, '')`
  const { rows } = await sql<Row>`
    select l.id::text, l.customer_id::text, l.organization_id::text, l.lot_id::text, l.status, l.is_test,
      coalesce(p.name, nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email, p.phone, 'Lead ' || l.id) as title,
      ${instant(sql`l.received_at`)} as received_at, (l.received_at at time zone c.time_zone)::date::text as day, l.type, l.source_name, l.form_id::text, l.language,
      coalesce(v.condition, ${asked('condition')}) as condition,
      coalesce(v.year, case when ${asked('year')} ~ '^[0-9]{1,4}$' then (${asked('year')})::int end) as year,
      coalesce(v.make, ${asked('make')}) as make, coalesce(v.model, ${asked('model')}) as model,
      coalesce(v.trim, ${asked('trim')}) as trim, coalesce(v.stock, ${asked('stock')}) as stock,
      coalesce(l.vehicle_price_cents, vp.total_cents)::float8 as price_cents, l.campaign, l.trade_in, l.comments,
      case when l.unfinished_step is not null then 'unfinished' when l.form_id is not null then 'finished' end as form_progress,
      coalesce(p.name, nullif(concat_ws(' ', p.first_name, p.last_name), '')) as name, p.email, p.phone, p.postal_code,
      lot.hours, lot.holidays, coalesce(lot.time_zone, o.time_zone, c.time_zone) as zone, l.duplicate_of_id::text,
      coalesce(p.merged_into_id, p.id)::text as person_id, l.store_evidence, l.source_kind = 'manual' or l.moved_at is not null as is_store_fixed, lr.facts as stored,
      floor(extract(epoch from l.received_at - first.received_at) / 60)::int as minutes_ago
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    join customers c on c.id = l.customer_id
    left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
    left join vehicles v on v.customer_id = l.customer_id and v.id = l.vehicle_id
    left join vehicle_prices vp on vp.customer_id = v.customer_id and vp.vehicle_id = v.id
    left join lead_routes lr on lr.customer_id = l.customer_id and lr.lead_id = l.id
    left join leads first on first.customer_id = l.customer_id and first.id = l.duplicate_of_id
    where ${where} order by l.received_at desc, l.id desc limit ${limit}`.execute(db)
  return rows.map(toRoutedLead)
}

function toRoutedLead(row: Row): RoutedLead {
  const { id, customerId, organizationId, lotId, status, isTest, title, receivedAt, day, personId } = row
  const earlier =
    row.duplicateOfId === null
      ? null
      : { leadId: row.duplicateOfId, minutesAgo: Math.max(0, row.minutesAgo ?? 0) }
  return {
    id,
    customerId,
    organizationId,
    lotId,
    status,
    isTest,
    title,
    receivedAt,
    day,
    personId,
    earlier,
    facts: factsOf(row),
    used: readStoredFacts(row.stored),
  }
}

function factsOf(row: Row): LeadFacts {
  const receivedAt = new Date(row.receivedAt)
  const place = {
    hours: OpeningHours.parse(row.hours ?? []),
    holidays: Holidays.parse(row.holidays ?? []),
    zone: row.zone,
  }
  const { condition, year, make, model, trim, stock, name, email, phone, comments, campaign } = row
  const trade = row.tradeIn
  const evidence = row.storeEvidence === null ? null : StoreEvidence.parse(row.storeEvidence)
  return {
    lotId: row.lotId,
    isStoreFixed: row.isStoreFixed,
    leadType: row.type,
    source: row.sourceName,
    make,
    model,
    priceCents: row.priceCents,
    campaign: campaign['utm_campaign'] ?? null,
    formId: row.formId,
    postalCode: row.postalCode,
    language: row.language,
    hasTradeIn: trade !== null,
    opening: openingAt(place, receivedAt).state,
    time: timeIn(row.zone, receivedAt),
    receivedAt,
    zone: row.zone,
    values: {
      condition,
      year,
      make,
      model,
      trim,
      stock,
      price: row.priceCents,
      name,
      email,
      phone,
      comments,
      utmSource: campaign['utm_source'],
      utmMedium: campaign['utm_medium'],
      utmCampaign: campaign['utm_campaign'],
      tradeMake: trade?.['make'],
      tradeYear: trade?.['year'],
      formProgress: row.formProgress,
      vendorName: evidence?.vendorName ?? null,
      dealerCode: evidence?.vendorIds[0] ?? null,
      storeFoundBy: evidence === null ? null : (evidence.found?.clue ?? 'nothing'),
      storeContradicted: evidence !== null && evidence.contradicting.length > 0,
    },
  }
}
