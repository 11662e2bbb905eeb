import { sql, type RawBuilder } from 'kysely'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { consumptionOf, keysOf, recordsOf } from './group-records.ts'
import { makeCalculationLines } from './make-lines.ts'
import { readPlaces, readTerms, type Region, type Span } from './read-facilities.ts'
import { loadReferenceData } from './load-reference-data.ts'
import { resultsOf, type Results } from './result-rows.ts'
import type { Citation, Purchase, FactorApplication, LineKey, ReferenceData } from './calculation-line.ts'

export type CalculationRequest = {
  inventoryId: string
  sourceIds: readonly string[]
  records: RawBuilder<unknown>
  /** All current records of some sources as they will be once a draft is saved. Default: the saved ones. */
  currentRecords?: (sourceIds: readonly string[]) => RawBuilder<unknown>
  /** Inclusion percentages other than those of today's ownership and control. */
  spans?: readonly Span[]
  /**
   * A factor that isn't saved yet, as if it were. `replaces`: the ID of the factor that it is a new version of. `isForOthers`: the
   * new version isn't for this organization.
   */
  withFactor?: {
    factor: FactorRow
    citation: Citation
    replaces?: string | undefined
    isForOthers?: boolean
  }
  /** Returns the IDs of calculation lines, in their order. */
  assignLineIds: (lines: readonly FactorApplication[]) => Promise<readonly string[]>
}

/**
 * The SQL that calculates every result of some records, including their calculation lines, from the current sources,
 * factors, facilities and inventory.
 */
export async function calculateEmissions(
  db: Database,
  {
    inventoryId,
    sourceIds,
    records,
    currentRecords = recordsOf,
    spans: givenSpans,
    withFactor,
    assignLineIds,
  }: CalculationRequest,
): Promise<Results> {
  const inventories = await readTerms(db, [inventoryId])
  const { spans: currentSpans, regions } = await readPlaces(db, inventories)
  const spans = givenSpans ?? currentSpans
  const bought = await readInstruments(db, sourceIds)
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  const facts = { records, sourceIds, regions, purchased }
  const { rows: keys } = await sql<LineKey>`${keysOf(facts)}`.execute(db)
  const purchases = await readPurchases(db, { bought, regions, spans, currentRecords })
  const [terms] = inventories
  // The inventory may have been deleted meanwhile, and its sources with it.
  if (terms === undefined) return resultsOf(facts, { spans, lines: [] })
  const saved = await loadReferenceData(db, terms, keys)
  const reference = withFactor === undefined ? saved : addFactor(saved, withFactor)
  // Keys that differ only in their days mostly have the same calculation lines.
  const found = new Map<string, { line: FactorApplication; keys: string[] }>()
  for (const key of keys) {
    const purchase = key.purchaseOf === null ? null : (purchases.get(key.purchaseOf) ?? null)
    for (const { key: of, ...line } of makeCalculationLines(key, { terms, reference, purchase })) {
      const json = JSON.stringify(line)
      const there = found.get(json)
      if (there === undefined) found.set(json, { line, keys: [of] })
      else there.keys.push(of)
    }
  }
  const lines = [...found.values()]
  const ids = await assignLineIds(lines.map(({ line }) => line))
  return resultsOf(facts, { spans, lines: lines.map((one, at) => ({ ...one, id: ids[at] ?? '' })) })
}

function addFactor(
  saved: ReferenceData,
  { factor, citation, replaces, isForOthers = false }: NonNullable<CalculationRequest['withFactor']>,
): ReferenceData {
  const rest = (activity: string) => saved.ofActivity(activity).filter(({ id }) => id !== replaces)
  // What was chosen by hand stays chosen.
  const isIt = (id: string) => id === factor.id || (replaces !== undefined && saved.byId(id)?.id === replaces)
  const own = isForOthers ? undefined : factor
  return {
    ...saved,
    ofActivity: (activity) =>
      activity === factor.activity && !isForOthers ? [...rest(activity), factor] : rest(activity),
    byId: (id) => (isIt(id) ? own : saved.byId(id)),
    citationOf: (id) => (isIt(id) ? citation : saved.citationOf(id)),
  }
}

/** What sources of an inventory use, in base units, by source; those without records are missing. */
export async function readConsumption(
  db: Database,
  inventoryId: string,
  sourceIds: readonly string[],
): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map()
  const { spans, regions } = await readPlaces(db, await readTerms(db, [inventoryId]))
  const facts = { records: recordsOf(sourceIds), sourceIds, regions, purchased: sourceIds }
  const { rows } = await sql<{
    sourceId: string
    consumption: string
  }>`${consumptionOf(facts, spans)}`.execute(db)
  return new Map(rows.map(({ sourceId, consumption }) => [sourceId, consumption]))
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

/** The instruments and the consumption of each source that has instruments. */
async function readPurchases(
  db: Database,
  {
    bought,
    regions,
    spans,
    currentRecords,
  }: {
    bought: readonly Allocated[]
    regions: readonly Region[]
    spans: readonly Span[]
    currentRecords: (sourceIds: readonly string[]) => RawBuilder<unknown>
  },
): Promise<Map<string, Purchase>> {
  const purchased = [...new Set(bought.map(({ sourceId }) => sourceId))]
  if (purchased.length === 0) return new Map()
  const facts = { records: currentRecords(purchased), sourceIds: purchased, regions, purchased }
  const { rows } = await sql<{
    sourceId: string
    consumption: string
  }>`${consumptionOf(facts, spans)}`.execute(db)
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
