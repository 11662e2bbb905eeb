import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { consumptionOf, keysOf, recordsOf } from './group-records.ts'
import { makeCalculationLines } from './make-lines.ts'
import { readPlaces, readTerms, type Region, type Span } from './read-facilities.ts'
import { loadReferenceData } from './load-reference-data.ts'
import { resultsOf, type Results } from './result-rows.ts'
import type { Purchase, FactorApplication, LineKey } from './calculation-line.ts'

type CalculationRequest = {
  inventoryId: string
  sourceIds: readonly string[]
  records: RawBuilder<unknown>
  /** Every record of some sources that stands once this is saved; those that stand unless told. */
  standing?: (sourceIds: readonly string[]) => RawBuilder<unknown>
  /** The numbers of some routes, in their order. */
  numberRoutes: (routes: readonly FactorApplication[]) => Promise<readonly string[]>
}

/**
 * The statements that give every result of some records, with the routes in them: what the sources, factors, facilities
 * and the inventory say at this moment.
 */
export async function calculateEmissions(
  db: Database,
  { inventoryId, sourceIds, records, standing = recordsOf, numberRoutes }: CalculationRequest,
): Promise<Results> {
  const inventories = await readTerms(db, [inventoryId])
  const { spans, regions } = await readPlaces(db, inventories)
  const bought = await readInstruments(db, sourceIds)
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  const facts = { records, sourceIds, regions, purchased }
  const { rows: keys } = await sql<LineKey>`${keysOf(facts)}`.execute(db)
  const purchases = await readPurchases(db, { bought, regions, spans, standing })
  const reference = await loadReferenceData(db, keys)
  const [terms] = inventories
  // Keys that differ in their days alone mostly lead to the same routes.
  const found = new Map<string, { route: FactorApplication; keys: string[] }>()
  for (const key of keys) {
    const purchase = key.purchaseOf === null ? null : (purchases.get(key.purchaseOf) ?? null)
    for (const { key: of, ...route } of terms === undefined
      ? []
      : makeCalculationLines(key, { terms, reference, purchase })) {
      const words = JSON.stringify(route)
      const there = found.get(words)
      if (there === undefined) found.set(words, { route, keys: [of] })
      else there.keys.push(of)
    }
  }
  const routes = [...found.values()]
  const ids = await numberRoutes(routes.map(({ route }) => route))
  return resultsOf(facts, { spans, taken: routes.map((one, at) => ({ ...one, id: ids[at] ?? '' })) })
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

/** What was bought for each source, beside what it used. */
async function readPurchases(
  db: Database,
  {
    bought,
    regions,
    spans,
    standing,
  }: {
    bought: readonly Allocated[]
    regions: readonly Region[]
    spans: readonly Span[]
    standing: (sourceIds: readonly string[]) => RawBuilder<unknown>
  },
): Promise<Map<string, Purchase>> {
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  if (purchased.length === 0) return new Map()
  const { rows } = await sql<{ sourceId: string; consumption: string }>`${consumptionOf(
    { records: standing(purchased), sourceIds: purchased, regions, purchased },
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
