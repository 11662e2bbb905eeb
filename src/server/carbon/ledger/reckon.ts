import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { makeRoutes } from './make-routes.ts'
import { readPlaces, readTerms, type Region, type Span } from './read-places.ts'
import { readShelf } from './read-shelf.ts'
import { consumptionOf, keysOf, recordsOf, resultRows } from './result-rows.ts'
import type { Purchase, RouteKey, RouteLine } from './route-lines.ts'

type Wanted = { inventoryIds: readonly string[]; sourceIds: readonly string[]; records: RawBuilder<unknown> }

/**
 * The statement that gives every result of some records, with the routes in it: what the sources, factors, facilities
 * and inventories say at this moment.
 */
export async function reckon(
  db: Database,
  { inventoryIds, sourceIds, records }: Wanted,
): Promise<RawBuilder<unknown>> {
  const inventories = await readTerms(db, inventoryIds)
  const { spans, regions } = await readPlaces(db, inventories)
  const bought = await readInstruments(db, sourceIds)
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  const facts = { records, regions, purchased }
  const { rows: keys } = await sql<RouteKey>`${keysOf(facts)}`.execute(db)
  const purchases = await readPurchases(db, { bought, regions, spans })
  const shelf = await readShelf(db, keys)
  const terms = new Map(inventories.map((one) => [one.id, one]))
  const lines = keys.flatMap((key): RouteLine[] => {
    const own = terms.get(key.inventoryId)
    const purchase = key.purchaseOf === null ? null : (purchases.get(key.purchaseOf) ?? null)
    return own === undefined ? [] : makeRoutes(key, { terms: own, shelf, purchase })
  })
  return resultRows(facts, { spans, lines })
}

type Allocated = Purchase['instruments'][number] & { sourceId: string }

async function readInstruments(db: Database, sourceIds: readonly string[]): Promise<Allocated[]> {
  const { rows } = await sql<Allocated>`
    select a.source_id::text, i.kind, i.name, i.unit, trim_scale(i.kg_co2e)::text as kg_co2e, trim_scale(a.quantity)::text as quantity
    from instrument_allocations a join instruments i on i.customer_id = a.customer_id and i.id = a.instrument_id
    join emission_sources s on s.customer_id = a.customer_id and s.id = a.source_id
    where a.source_id = any(${[...sourceIds]}::bigint[]) and s.scope = '2' order by i.id`.execute(db)
  return rows
}

/** What was bought for each source, beside what it used; of records that stand. */
async function readPurchases(
  db: Database,
  {
    bought,
    regions,
    spans,
  }: { bought: readonly Allocated[]; regions: readonly Region[]; spans: readonly Span[] },
): Promise<Map<string, Purchase>> {
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  if (purchased.length === 0) return new Map()
  const { rows } = await sql<{ sourceId: string; consumption: string }>`${consumptionOf(
    { records: recordsOf(purchased), regions, purchased },
    spans,
  )}`.execute(db)
  const used = new Map(rows.map(({ sourceId, consumption }) => [sourceId, consumption]))
  return new Map(
    purchased.map((sourceId) => [
      sourceId,
      {
        consumption: used.get(sourceId) ?? '0',
        instruments: bought.filter((one) => one.sourceId === sourceId),
      },
    ]),
  )
}
