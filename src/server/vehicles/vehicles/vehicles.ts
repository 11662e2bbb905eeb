import { sql } from 'kysely'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehicles, type Vehicle, VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { JsonText } from '#server/http/json-text.ts'
import type { Handlers } from '#server/http/serve.ts'
import { containing } from '#server/lists/contains.ts'
import { readPageText } from '#server/lists/json-text.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import { readCustomFields } from '#server/customers/index.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { withCustomFields } from './custom-fields/custom-fields.ts'
import {
  daysInStock,
  isPublished,
  notPublishedReason,
  priceState,
  published,
  recordShownTo,
  shownTo,
} from './vehicle-json.ts'

/** Limits the number of words compared with every vehicle. */
const MAX_WORDS = 6

/** The distinct words of a search, longest first; words contained in longer ones are dropped. */
function searchWords(text: string): string[] {
  const words = [...new Set(text.toLowerCase().split(/\s+/))].toSorted(
    (one, other) => other.length - one.length,
  )
  return words
    .filter((word, at) => !words.slice(0, at).some((longer) => longer.includes(word)))
    .slice(0, MAX_WORDS)
}

const column = (name: string) => ({ value: sql.ref(`v.${name}`) })

/** Vehicles with their lots and stored prices, of which each has one row. Nullable columns have an index for each sort direction, the others one for both. */
export const vehicleSource: ListSource<keyof typeof VEHICLE_LIST.fields> = {
  list: VEHICLE_LIST,
  from: sql`vehicles v join vehicle_prices p on p.customer_id = v.customer_id and p.vehicle_id = v.id left join lots l
    on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id`,
  table: sql`vehicles v`,
  within: (actor) => sql`v.customer_id = ${actor.customerId}`,
  id: sql`v.id`,
  title: sql`concat_ws(' ', v.year, v.make, v.model, v.trim)`,
  fields: {
    name: {
      value: sql`concat_ws(' ', v.year, v.make, v.model, v.trim)`,
      order: sql`v.name_key`,
      isNeverNull: true,
    },
    stock: { ...column('stock'), order: sql`v.stock_key` },
    vin: { ...column('vin'), order: sql`v.vin` },
    condition: column('condition'),
    status: column('status'),
    lotId: { ...column('lot_id'), shown: sql`l.name`, joins: 'order' },
    year: column('year'),
    make: column('make'),
    model: column('model'),
    trim: column('trim'),
    body: column('body'),
    color: column('color'),
    fuel: column('fuel'),
    transmission: column('transmission'),
    drivetrain: column('drivetrain'),
    inStockOn: column('in_stock_on'),
    // A later date means fewer days.
    daysInStock: { value: daysInStock, order: sql`v.waits_since`, isOrderReversed: true },
    mileage: column('mileage'),
    sellingPrice: { value: sql`p.selling_cents`, joins: 'value' },
    totalPrice: { value: sql`p.total_cents`, joins: 'value' },
    price: column('price_cents'),
    priceState: { value: priceState, joins: 'value' },
    sourcePrice: { value: sql`nullif(v.source_price_cents, 0)` },
    priceDecision: {
      value: sql`case when v.asks_price then 'open' end`,
      choices: { open: sql`v.asks_price` },
    },
    msrp: column('msrp_cents'),
    cost: column('cost_cents'),
    invoice: column('invoice_cents'),
    feedPrice: column('feed_price_cents'),
    marketPrice: column('market_price_cents'),
    marketPriceSource: column('market_price_source'),
    marketPriceOn: column('market_price_on'),
    bookValue: column('book_value_cents'),
    bookValueSource: column('book_value_source'),
    bookValueOn: column('book_value_on'),
    photoCount: { ...column('photo_count'), isNeverNull: true },
    completeness: { ...column('completeness'), isNeverNull: true },
    tags: { ...column('tags'), isNeverNull: true },
    notPublishedReason: { value: notPublishedReason, joins: 'value' },
    published: {
      value: published,
      isNeverNull: true,
      // An index can answer these, but not a comparison with the expression above.
      choices: { published: isPublished, 'not-published': sql`(not ${isPublished})` },
    },
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  widen: async (db, actor, source) => withCustomFields(source, await readCustomFields(db, actor.customerId)),
  search: (text) => {
    // The longest word is the most selective for the index.
    const [first = '', ...others] = searchWords(text).map((word) => sql`lower(${containing(word)})`)
    // As an array: a common word can have 100,000 matches, which are then looked up in index order.
    return sql`v.id = any(array(select search.vehicles(${first}, array[${sql.join(others)}]::text[])))`
  },
  total: (actor) =>
    sql`(select coalesce(sum(rows), 0)::int from row_counts where customer_id = ${actor.customerId} and source = 'vehicles')`,
}

/** Searchable by VIN, the last digits of the VIN, stock number, year, make, model and trim. */
export const findableVehicles: FoundKind = {
  kind: 'vehicle',
  permission: vehicles.list.allow,
  source: vehicleSource,
  about: sql`concat_ws(', ', v.stock, l.name)`,
  path: (id) => `/inventory/vehicle-data/${id}`,
}

/** Vehicles of the caller's organization, or of the whole customer if that is the caller's reach. */
export const vehicleReading: Pick<Handlers<typeof vehicles>, 'list' | 'get' | 'settings'> = {
  async list({ db, actor, input }) {
    // Only filters can use custom fields, so they are loaded only if the filter does.
    const usesCustomFields = input.filter?.includes('custom_') === true
    const source = usesCustomFields ? await widened(db, actor, vehicleSource) : vehicleSource
    return readPageText<Vehicle, string>(db, actor, source, input, shownTo)
  },

  get: ({ db, actor, input }) => readVehicle(db, actor, input.id),

  async settings({ db, actor }) {
    const found = await db
      .selectFrom('customers')
      .select(['currency', 'distanceUnit'])
      .where('id', '=', actor.customerId)
      .executeTakeFirst()
    if (found === undefined) throw notFound('Customer')
    return { currency: found.currency, distanceUnit: found.distanceUnit === 'km' ? 'km' : 'mi' }
  },
}

/** One vehicle with all fields that the caller may see. @throws Failure 404. */
export async function readVehicle(db: Database, actor: Member, id: string): Promise<JsonText<VehicleRecord>> {
  const { rows } = await sql<{ vehicle: string }>`
    select to_json(r)::text as vehicle from (
      select ${recordShownTo(actor)} from ${vehicleSource.from}
      where ${vehicleSource.within(actor)} and v.id = ${id}) r`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Vehicle')
  return new JsonText<VehicleRecord>(found.vehicle)
}

/** Several vehicles as the caller may see them, by ID, in one statement. Vehicles that are gone or out of reach are missing. */
export async function readVehicles(
  db: Database,
  actor: Member,
  ids: readonly string[],
): Promise<Map<string, VehicleRecord>> {
  const { rows } = await sql<{ vehicle: string }>`
    select to_json(r)::text as vehicle from (
      select ${recordShownTo(actor)} from ${vehicleSource.from}
      where ${vehicleSource.within(actor)} and v.id = any(${[...ids]}::bigint[])) r`.execute(db)
  const found = rows.map(({ vehicle }) => VehicleRecord.parse(JSON.parse(vehicle)))
  return new Map(found.map((vehicle) => [vehicle.id, vehicle]))
}
