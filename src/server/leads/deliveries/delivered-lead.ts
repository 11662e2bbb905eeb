import { sql } from 'kysely'
import { StoredAdf } from '#contract/leads/adf/adf-lead.ts'
import type { UnfinishedForm } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readQuote } from '#server/channels/index.ts'
import { instant } from '#server/lists/json-text.ts'

/** A vehicle as a lead names it. */
export type DeliveredVehicle = Readonly<{
  vin: string | null
  stock: string | null
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  condition: string | null
  mileage: number | null
}>

/** A lead as destinations get it. Amounts are integer cents. */
export type DeliveredLead = Readonly<{
  id: string | null
  isTest: boolean
  type: string
  source: string
  receivedAt: string
  seller: string
  lot: Readonly<{ name: string; code: string }> | null
  person: Readonly<{
    name: string | null
    firstName: string | null
    lastName: string | null
    email: string | null
    phone: string | null
    street: string | null
    city: string | null
    region: string | null
    postalCode: string | null
    country: string | null
    contactTime: string | null
    preferredContact: string | null
  }>
  vehicle: DeliveredVehicle | null
  /** What the buyer saw. */
  vehicleTitle: string | null
  priceCents: number | null
  currency: string
  distanceUnit: string
  tradeIn: DeliveredVehicle | null
  comments: string | null
  /** Everything that the lead's ADF document says. */
  document: StoredAdf | null
  /** Of a form that the buyer left halfway. */
  unfinished: UnfinishedForm | null
  /** When the buyer finished a form that was delivered unfinished before. */
  completedAt: string | null
  campaign: Readonly<Record<string, string>>
  pageUrl: string | null
}>

/** A vehicle in JSON, from the columns of a table or from the buyer's words. */
const VEHICLE = (of: string, isWords: boolean) => {
  const field = (name: string) =>
    isWords ? sql`nullif(${sql.ref(of)} ->> ${sql.lit(name)}, '')` : sql.ref(`${of}.${name}`)
  const number = (name: string) =>
    isWords ? sql`case when ${field(name)} ~ '^[0-9]{1,9}$' then (${field(name)})::int end` : field(name)
  return sql`jsonb_build_object('vin', ${field('vin')}, 'stock', ${isWords ? field('stock') : field('stock')},
    'year', ${number('year')}, 'make', ${field('make')}, 'model', ${field('model')}, 'trim', ${field('trim')},
    'condition', ${field('condition')}, 'mileage', ${number('mileage')})`
}

/** Reads what is delivered of a lead. @throws Error if it doesn't exist. */
export async function readDeliveredLead(db: Database, leadId: string): Promise<DeliveredLead> {
  const { rows } = await sql<
    Omit<DeliveredLead, 'document'> & { document: unknown; vehicleId: string | null; customerId: string }
  >`
    select l.id::text, l.is_test, l.type, l.source_name as source, ${instant(sql`l.received_at`)} as received_at, o.name as seller,
      case when lot.id is not null then jsonb_build_object('name', lot.name, 'code', lot.code) end as lot,
      jsonb_build_object('name', p.name, 'firstName', p.first_name, 'lastName', p.last_name, 'email', p.email, 'phone', p.phone,
        'street', p.street, 'city', p.city, 'region', p.region, 'postalCode', p.postal_code, 'country', p.country,
        'contactTime', p.contact_time, 'preferredContact', p.preferred_contact) as person,
      case when v.id is not null then ${VEHICLE('v', false)}
        when l.asked_vehicle <> '{}' then ${VEHICLE('l.asked_vehicle', true)} end as vehicle,
      l.vehicle_title, l.vehicle_price_cents::float8 as price_cents, v.id::text as vehicle_id, l.customer_id::text, c.currency, c.distance_unit,
      case when l.trade_in is not null then ${VEHICLE('l.trade_in', true)} end as trade_in,
      l.comments, l.document, l.campaign, l.page_url, ${instant(sql`l.completed_at`)} as completed_at,
      case when l.unfinished_step is not null then jsonb_build_object('step', l.unfinished_step, 'steps', l.unfinished_steps) end as unfinished
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    join customers c on c.id = l.customer_id
    left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
    left join vehicles v on v.customer_id = l.customer_id and v.id = l.vehicle_id
    where l.id = ${leadId}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The lead of a delivery does not exist.')
  const { vehicleId, customerId, ...values } = found
  const document = values.document === null ? null : StoredAdf.parse(values.document)
  const lead = { ...values, document }
  // What the buyer saw; otherwise what a buyer would see now.
  if (lead.priceCents !== null || vehicleId === null) return lead
  return { ...lead, priceCents: (await readQuote(db, customerId, vehicleId))?.totalCents ?? null }
}

/** A lead for testing a destination. Everything in it says that it is a test. */
export function sampleLead(seller: string, at: string): DeliveredLead {
  const none = {
    street: null,
    city: null,
    region: null,
    country: null,
    contactTime: null,
    preferredContact: null,
  }
  return {
    id: null,
    isTest: true,
    type: 'used',
    source: 'Forecourt test',
    receivedAt: at,
    seller,
    lot: null,
    person: {
      name: 'Test Lead',
      firstName: 'Test',
      lastName: 'Lead',
      email: 'test.lead@example.com',
      phone: '+1 916 555 0100',
      postalCode: '95814',
      ...none,
    },
    vehicle: {
      vin: null,
      stock: 'TEST-1',
      year: 2023,
      make: 'Ford',
      model: 'F-150',
      trim: 'XLT',
      condition: 'used',
      mileage: 18_240,
    },
    vehicleTitle: '2023 Ford F-150 XLT, TEST-1',
    priceCents: 4_418_000,
    currency: 'USD',
    distanceUnit: 'mi',
    tradeIn: null,
    comments: 'This is a test of the lead destination. No one is waiting for an answer.',
    document: null,
    unfinished: null,
    completedAt: null,
    campaign: {},
    pageUrl: null,
  }
}
