import { sql } from 'kysely'
import { type Lot, LOT_LIST, lotRecord, lots } from '#contract/customers/lots/lots.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Member } from '#server/http/actor.ts'
import { stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import { recordTable } from '#server/lists/record-table.ts'
import { findUses } from '#server/lists/uses.ts'
import type { PriceConsent } from '../price-consent.ts'

/** A fee without lots applies to all of them. */
const lacksFees = sql`(lots.type <> 'service' and exists (select from customers c where c.id = lots.customer_id
  and coalesce(lots.price_law, c.price_law) <> 'none' and not exists (select from jsonb_array_elements(c.fees) fee
    where coalesce(fee -> 'lotIds', '[]') = '[]' or fee -> 'lotIds' ? lots.id::text)))`

/** Lots with the names of their organizations. */
export const lotTable = recordTable(lotRecord, lots, LOT_LIST, 'lots', {
  name: 'lots',
  columns: {
    organizationId: 'id',
    organizationName: sql`organizations.name`,
    isVisible: sql`lots.is_visible`,
    lacksFees,
    hours: 'json',
    holidays: 'json',
    zone: sql`coalesce(lots.time_zone, organizations.time_zone, 'UTC')`,
  },
  joins: sql`left join organizations
    on organizations.customer_id = lots.customer_id and organizations.id = lots.organization_id`,
  fields: {
    name: { isNeverNull: true },
    code: { order: sql`lots.code`, isNeverNull: true },
    organizationId: { shown: sql`organizations.name`, joins: 'order' },
    hours: { value: sql`hours_in_words(lots.hours)` },
    isVisible: { value: sql`lots.is_visible`, isNeverNull: true },
    lacksFees: { value: lacksFees, isNeverNull: true },
    updatedAt: { isNeverNull: true },
  },
  searches: [
    ...['code', 'name', 'address', 'city', 'region', 'postal_code', 'phone'].map((name) =>
      sql.ref(`lots.${name}`),
    ),
    sql`array_to_string(lots.makes, ' ')`,
    sql`array_to_string(lots.dealer_ids, ' ')`,
    sql.ref('organizations.name'),
  ],
  searchJoins: true,
  constraints: {
    lot_dealer_ids_pkey: {
      message: 'Another lot already has one of these dealer IDs.',
      fields: { dealerIds: 'Another lot already has one of these dealer IDs.' },
    },
    lots_customer_id_code_key: {
      message: 'Another lot already has this code.',
      fields: { code: 'This code is already in use.' },
    },
  },
  references: { organizationId: 'Choose one of your organizations.' },
  findKept: async (db, actor, ids) =>
    new Map([
      ...(await findUses(db, { noun: 'lot', table: 'lots' }, ids)),
      ...(await findLotsWithVehicles(db, actor, ids)),
    ]),
  // A vehicle was added since the check.
  inUse: 'This lot has vehicles. Move them first.',
  restore: {
    // Lots deleted by a version without opening hours have none.
    missing: { hours: [], holidays: [] },
    where: sql`exists (select from organizations o where o.id = r.organization_id)
      and not exists (select from lot_dealer_ids d join unnest(r.dealer_ids) one on d.dealer_key = lower(btrim(one)))`,
    reason: ({ code }) =>
      `Its code ${String(code)} or one of its dealer IDs is in use again, or its organization no longer exists.`,
  },
})
/** Changes lots. A law, a state, a time zone or another organization moves the totals of their vehicles. */
export const lotHandlers = (requirePriceConsent: PriceConsent): Pick<Handlers<typeof lots>, 'update'> => ({
  update: ({ db, actor, input }) => updateLot(db, actor, input, requirePriceConsent),
})

/** Changes a lot. @throws Failure as `lotTable.update` does, and what `requirePriceConsent` throws */
export async function updateLot(
  db: Database,
  actor: Member,
  change: Received<typeof lots.update>,
  requirePriceConsent: PriceConsent,
): Promise<Lot> {
  const { confirmPrices, ...changes } = change
  await sql`select from lots where id = ${change.id} for no key update`.execute(db)
  const current = await lotTable.read(db, change.id)
  if (change.version !== undefined && change.version !== current.version) throw stale('This lot', current)
  await requirePriceConsent(db, actor, { kind: 'lot', changes }, confirmPrices)
  return lotTable.update(db, changes)
}

/** Searched by name, code and city. */
export const findableLots: FoundKind = {
  kind: 'lot',
  permission: lots.list.allow,
  source: lotTable.source,
  about: sql`concat_ws(', ', lots.code, organizations.name)`,
  path: (id) => `/customers/lots?lot=${id}`,
}

/** Why lots can't be deleted, by ID. */
async function findLotsWithVehicles(
  db: Database,
  { customerId }: Member,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; vehicles: number }>`
    select v.lot_id::text as id, count(*)::int as vehicles from vehicles v
    where v.customer_id = ${customerId} and v.lot_id = any(${[...ids]}::bigint[]) group by v.lot_id`.execute(
    db,
  )
  return new Map(
    rows.map(({ id, vehicles }) => [
      id,
      vehicles === 1
        ? '1 vehicle is on this lot. Move it first.'
        : `${vehicles} vehicles are on this lot. Move them first.`,
    ]),
  )
}
