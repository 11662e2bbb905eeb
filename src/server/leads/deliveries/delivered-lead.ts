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

/** A later lead of the same buyer about the same, that is sent as an update of the first. */
export type DeliveredUpdate = Readonly<{
  leadId: string
  receivedAt: string
  source: string
  comments: string | null
  vehicleTitle: string | null
  name: string | null
  emails: readonly string[]
  phones: readonly string[]
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
  /** Every address and number that the lead gave, and those that are used now. */
  contacts: readonly Readonly<{ kind: 'email' | 'phone'; value: string; label: string | null }>[]
  /** Null: it is sent for the first time, or again. */
  update: DeliveredUpdate | null
  /** The ID with which an update was sent the first time. */
  firstKey: string | null
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

/** What a delivery is about. `id`: of the delivery. */
type Delivery = Readonly<{ id: string; leadId: string }>

/** Reads what is delivered of a lead. @throws Error if it doesn't exist. */
export async function readDeliveredLead(db: Database, { id, leadId }: Delivery): Promise<DeliveredLead> {
  const lead = await readLeadToDeliver(db, leadId)
  const { rows } = await sql<{ isUpdate: boolean; update: DeliveredUpdate | null; firstKey: string | null }>`
    select d.is_update, (select f.key::text from lead_deliveries f where f.lead_id = d.lead_id and f.destination_id = d.destination_id
        and not f.is_update order by f.id limit 1) as first_key,
      case when u.id is not null then jsonb_build_object('leadId', u.id::text, 'receivedAt', ${instant(sql`u.received_at`)},
        'source', u.source_name, 'comments', u.comments, 'vehicleTitle', u.vehicle_title, 'name', p.name,
        'emails', array(select c.value from person_contacts c where c.person_id = u.person_id and c.kind = 'email' order by c.id),
        'phones', array(select c.value from person_contacts c where c.person_id = u.person_id and c.kind = 'phone' order by c.id)) end as update
    from lead_deliveries d left join leads u on u.customer_id = d.customer_id and u.id = d.update_lead_id
    left join people p on p.customer_id = u.customer_id and p.id = u.person_id
    where d.id = ${id}`.execute(db)
  const [of] = rows
  if (of === undefined || !of.isUpdate) return lead
  // The later lead was deleted since.
  const gone = {
    leadId,
    receivedAt: lead.receivedAt,
    source: lead.source,
    comments: null,
    vehicleTitle: lead.vehicleTitle,
    name: null,
    emails: [],
    phones: [],
  }
  return { ...lead, update: of.update ?? gone, firstKey: of.firstKey }
}

async function readLeadToDeliver(db: Database, leadId: string): Promise<DeliveredLead> {
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
      case when l.unfinished_step is not null then jsonb_build_object('step', l.unfinished_step, 'steps', l.unfinished_steps) end as unfinished,
      array(select jsonb_build_object('kind', c.kind, 'value', c.value, 'label', c.label) from person_contacts c
        where c.person_id = l.person_id order by c.id) as contacts, null as update, null as first_key
    from leads l join people own on own.customer_id = l.customer_id and own.id = l.person_id
    join people p on p.customer_id = own.customer_id and p.id = coalesce(own.merged_into_id, own.id)
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
    contacts: [],
    update: null,
    firstKey: null,
  }
}
