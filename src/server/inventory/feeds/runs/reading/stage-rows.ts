import { sql } from 'kysely'
import type { ReadOptions } from '#contract/inventory/feeds/mappings/read-vehicle-value.ts'
import type { AnyFieldName } from '#contract/inventory/vehicles/vehicle-input.ts'
import type { VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import { MAX_REFUSED } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { compareRow, type Difference, newVehicle } from './compare-row.ts'
import { asText, rowHash, titleOf, type VehicleValues } from './feed-values.ts'
import { findVehicles, type FoundVehicle } from './find-vehicles.ts'
import type { LotAssignment } from './lot-assignment.ts'
import { type NumberTable, numberTable } from './number-table.ts'
import type { ImportStats } from './import-stats.ts'

/** A mapped row of a file, not yet compared. */
export type ParsedRow = {
  line: number
  raw: string
  values: VehicleValues
  dealer: string | null
  warnings: readonly string[]
  refusals: readonly string[]
}

/** The context of a comparison. */
export type Staging = {
  customerId: string
  sourceId: string | null
  places: LotAssignment
  reading: Pick<ReadOptions, 'today' | 'ownWord'>
}

/** What earlier rows contained: the line of each VIN and stock number, and the vehicles they matched. */
export type SeenRows = { vins: NumberTable; stocks: NumberTable; seen: NumberTable }

export const noSeenRows = (): SeenRows => ({
  vins: numberTable(),
  stocks: numberTable(),
  seen: numberTable(),
})

export type StagedRow = {
  kind: 'new' | 'changed' | 'missing' | 'refused' | 'same'
  line: number | null
  lotId: string | null
  vehicleId: string | null
  title: string
  vin: string | null
  stock: string | null
  dealer: string | null
  raw: string | null
  reasons: readonly string[]
  warnings: readonly string[]
  print: string | null
  after: VehicleValues
  before: VehicleValues
  fromVin: readonly VehicleFieldName[]
  locked: readonly AnyFieldName[]
  changesPrice: boolean
  toStatus: string | null
}

const GONE = new Set(['sold', 'archived', 'wholesale'])
const NOTHING: Difference = { after: {}, before: {}, fromVin: [], locked: [] }

/** Compares rows with existing vehicles and returns the rows to stage. Rows without any change are left out. */
export async function compareRows(
  db: Database,
  staging: Staging,
  rows: readonly ParsedRow[],
  { seenRows, importStats }: { seenRows: SeenRows; importStats: ImportStats },
): Promise<StagedRow[]> {
  const candidates = rows.map((row, place) => {
    const lot = staging.places.find(row.dealer)
    const print = rowHash(row.values)
    const vin = textOf(row.values.vin)
    return {
      row,
      place,
      lot,
      print,
      vin,
      stock: textOf(row.values.stock),
      lotId: 'lotId' in lot ? lot.lotId : null,
    }
  })
  const identified = candidates.filter(({ vin, stock }) => vin !== null || stock !== null)
  const found = await findVehicles(
    db,
    staging,
    identified.map(({ place, lotId, vin, stock, print }) => ({ place, lotId, vin, stock, print })),
  )
  return candidates.flatMap((one) => {
    const { row, lot, print } = one
    const vehicle = found.get(one.place)
    const refusals = [...row.refusals]
    if (refusals.length === 0 && 'refusal' in lot) {
      refusals.push(lot.refusal)
      if (row.dealer !== null) importStats.unknownDealer(row.dealer)
    }
    if (refusals.length === 0) refusals.push(...duplicateReasons(one, { seenRows, vehicle }))
    if (vehicle !== undefined) seenRows.seen.set(vehicle.id, row.line)
    if (refusals.length > 0) {
      importStats.count('refused')
      return importStats.refused > MAX_REFUSED
        ? []
        : [stagedOf(one, { kind: 'refused', reasons: refusals, after: row.values })]
    }
    if (vehicle === undefined) {
      importStats.count('new')
      return [stagedOf(one, { kind: 'new', ...newVehicle(row.values, staging.reading) })]
    }
    const step = stepFor(row, vehicle, { print, staging })
    importStats.countLocked(step?.locked.length ?? 0)
    if (step === null || step.kind === 'same') importStats.count('unchanged')
    else importStats.count('changed', 'price' in step.after)
    return step === null ? [] : [stagedOf(one, { ...step, vehicleId: vehicle.id, lotId: vehicle.lotId })]
  })
}

type ComparedRow = {
  row: ParsedRow
  print: string
  vin: string | null
  stock: string | null
  lotId: string | null
}

/** Remembers the row and returns the reasons why it is a duplicate. */
function duplicateReasons(
  { row, vin, stock, lotId }: ComparedRow,
  { seenRows, vehicle }: { seenRows: SeenRows; vehicle: FoundVehicle | undefined },
): string[] {
  const [known, key] =
    vin === null ? [seenRows.stocks, `${lotId} ${stock?.toLowerCase()}`] : [seenRows.vins, vin]
  const first = known.get(key)
  if (first !== undefined)
    return [`Line ${first} already has the same ${vin === null ? 'stock number' : 'VIN'}.`]
  known.set(key, row.line)
  const isNamed = vehicle !== undefined && seenRows.seen.get(vehicle.id) !== undefined
  return isNamed ? ['An earlier row is for the same vehicle.'] : []
}

/** What a row changes in its vehicle; null if nothing. */
function stepFor(
  { values }: ParsedRow,
  vehicle: FoundVehicle,
  { print, staging: { sourceId, reading } }: { print: string; staging: Staging },
): (Difference & { kind: 'changed' | 'same'; toStatus: string | null }) | null {
  // Already sold, but still listed in its feed.
  if (GONE.has(vehicle.status)) return null
  const { now } = vehicle
  const difference = now === null ? NOTHING : compareRow(values, { ...vehicle, now }, reading)
  const comesBack = vehicle.status === 'removed'
  const isKnown =
    vehicle.rowPrint === print &&
    vehicle.missingRuns === 0 &&
    (sourceId === null || vehicle.feedSourceId === sourceId)
  if (isKnown && !comesBack) return null
  const isChanged = comesBack || Object.keys(difference.after).length > 0
  return { ...difference, kind: isChanged ? 'changed' : 'same', toStatus: comesBack ? 'live' : null }
}

function stagedOf(
  { row, print, vin, stock, lotId }: ComparedRow,
  more: Partial<StagedRow> & Pick<StagedRow, 'kind'>,
): StagedRow {
  const isRefused = more.kind === 'refused'
  return {
    line: row.line,
    lotId,
    vehicleId: null,
    title: titleOf({ ...more.after, ...row.values }),
    vin,
    stock,
    dealer: row.dealer === null ? null : asText(row.dealer),
    raw: isRefused ? asText(row.raw) : null,
    reasons: [],
    warnings: row.warnings.map(asText),
    print: isRefused ? null : print,
    after: {},
    before: {},
    fromVin: [],
    locked: [],
    changesPrice: !isRefused && more.kind === 'changed' && 'price' in (more.after ?? {}),
    toStatus: null,
    ...more,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Stores staged rows with their run. A row belongs to the organization of its lot.
 * @param organizationId the organization that sees rows without a lot; null: only users with access to the whole customer.
 */
export async function insertRows(
  db: Database,
  { runId, organizationId }: { runId: string; organizationId: string | null },
  rows: readonly StagedRow[],
): Promise<void> {
  if (rows.length === 0) return
  // Nested JSON as text, and empty values left out: this halves the parsing time.
  const slim = rows.map(({ after, before, reasons, warnings, fromVin, locked, changesPrice, ...row }) => ({
    ...row,
    ...(reasons.length > 0 && { reasons }),
    ...(warnings.length > 0 && { warnings }),
    after: JSON.stringify(after),
    ...(Object.keys(before).length > 0 && { before: JSON.stringify(before) }),
    ...(fromVin.length > 0 && { fromVin }),
    ...(locked.length > 0 && { locked }),
    ...(changesPrice && { changesPrice }),
  }))
  await sql`
    insert into feed_run_rows (run_id, organization_id, kind, line, lot_id, vehicle_id, title, vin, stock, dealer, raw,
      reasons, warnings, print, after, before, from_vin, locked, changes_price, to_status)
    select ${runId}::bigint, case when r."lotId" is null then ${organizationId}::bigint
        else (select l.organization_id from lots l where l.id = r."lotId") end, r.kind, r.line, r."lotId", r."vehicleId", left(r.title, 300), r.vin,
      r.stock, r.dealer, r.raw, coalesce(r.reasons, '{}'), coalesce(r.warnings, '{}'), r.print, r.after::jsonb,
      coalesce(r.before, '{}')::jsonb, coalesce(r."fromVin", '{}'), coalesce(r.locked, '{}'), coalesce(r."changesPrice", false),
      r."toStatus"
    from json_to_recordset(${JSON.stringify(slim)}::json) as r(kind text, line integer, "lotId" bigint, "vehicleId" bigint,
      title text, vin text, stock text, dealer text, raw text, reasons text[], warnings text[], print text, after text,
      before text, "fromVin" text[], locked text[], "changesPrice" boolean, "toStatus" text)`.execute(db)
}
