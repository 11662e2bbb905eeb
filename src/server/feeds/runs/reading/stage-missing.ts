import { sql } from 'kysely'
import { GONE_STATUSES } from '#contract/feeds/mappings/feed-status.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { columnName } from './vehicle-columns.ts'
import type { NumberTable } from './number-table.ts'
import type { StagedRow } from './stage-rows.ts'
import { titleOf } from './feed-values.ts'

/** A vehicle is removed after it is missing in this many consecutive runs. */
export const MISSING_RUNS = 2
const PAGE_SIZE = 5_000
const ENDED = new Set<string>(GONE_STATUSES)

type Row = {
  id: string
  lotId: string
  vin: string | null
  stock: string | null
  status: string
  missingRuns: number
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
}

export type MissingPage = {
  rows: StagedRow[]
  /** How many of the vehicles on this page are in stock. */
  offered: number
  missing: number
  /** The cursor of the next page; null after the last one. */
  next: string | null
}

/**
 * The next vehicles of a source that its file no longer lists. For sold vehicles this is only recorded, so that their VIN can come
 * back as a new stay.
 * @param of.seen the vehicles in the file.
 */
export async function missingPage(
  db: Database,
  of: { customerId: string; sourceId: string; lotIds: readonly string[]; seen: Pick<NumberTable, 'get'> },
  after: string,
): Promise<MissingPage> {
  const { rows } = await sql<Row>`
    select v.id, v.lot_id, v.vin, v.stock, v.status, v.missing_runs, v.year, v.make, v.model, ${sql.ref(`v.${columnName('trim')}`)}
    from vehicles v where v.customer_id = ${of.customerId} and v.feed_source_id = ${of.sourceId} and v.id > ${after}
      and v.lot_id = any(${[...of.lotIds]}::bigint[]) and v.status <> 'removed'
    order by v.id limit ${PAGE_SIZE}`.execute(db)
  const staged: StagedRow[] = []
  let [offered, missing] = [0, 0]
  for (const row of rows) {
    const isEnded = ENDED.has(row.status)
    if (!isEnded) offered += 1
    if (of.seen.get(row.id) !== undefined || (isEnded && row.missingRuns > 0)) continue
    if (!isEnded) missing += 1
    staged.push(missingRow(row, isEnded))
  }
  return { rows: staged, offered, missing, next: rows.length < PAGE_SIZE ? null : (rows.at(-1)?.id ?? null) }
}

function missingRow({ id, lotId, vin, stock, missingRuns, ...named }: Row, isEnded: boolean): StagedRow {
  return {
    kind: isEnded ? 'same' : 'missing',
    line: null,
    lotId,
    vehicleId: id,
    title: titleOf({ ...named, vin, stock }),
    vin,
    stock,
    dealer: null,
    raw: null,
    reasons: [],
    warnings: [],
    rowFingerprint: null,
    after: {},
    before: {},
    fromVin: [],
    locked: [],
    changesPrice: false,
    sourcePriceCents: null,
    question: null,
    mileage: null,
    overStatus: null,
    toLotId: null,
    toStatus: !isEnded && missingRuns + 1 >= MISSING_RUNS ? 'removed' : null,
  }
}
