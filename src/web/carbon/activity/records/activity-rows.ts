import {
  ActivityInput,
  type ActivityRecord,
  type CellProblem,
} from '#contract/carbon/activity/activity-schema.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { type CellProblem as GridProblem, type GridRow, gridRow } from '#web/ui/grid/grid-column.ts'

/** A record as a grid row; the key is the record's ID. */
export function rowOf(record: ActivityRecord): GridRow {
  return gridRow(record.id, {
    periodStart: record.periodStart,
    periodEnd: record.periodEnd,
    quantity: plainDigits(record.quantity),
    meterFrom: plainDigits(record.meterFrom),
    meterTo: plainDigits(record.meterTo),
    direct: plainDigits(record.direct?.[0]?.kg ?? null),
    unit: record.unit ?? '',
    calorificBasis: record.calorificBasis ?? '',
    quality: record.quality === null ? '' : String(record.quality),
    estimateMethod: record.estimateMethod ?? '',
    reference: record.reference ?? '',
    comment: record.comment ?? '',
    factorId: record.factorId ?? '',
    priceYear: record.priceYear === null ? '' : String(record.priceYear),
  })
}

/** Digits without the trailing zeros of a PostgreSQL numeric. */
function plainDigits(digits: string | null): string {
  if (digits === null) return ''
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

/** Fields that aren't all in the grid; those of the record are sent unchanged. */
type StoredFields = Pick<
  ActivityRecord,
  'factorId' | 'priceYear' | 'moneyRate' | 'moneyDeflator' | 'direct' | 'cost'
>
const NO_STORED_FIELDS: StoredFields = {
  factorId: null,
  priceYear: null,
  moneyRate: null,
  moneyDeflator: null,
  direct: null,
  cost: null,
}

/** A row as it is sent: its cells, plus the fields of the record that the grid doesn't show. */
export function inputOf(
  row: GridRow,
  { id, method }: Pick<EmissionSource, 'id' | 'method'>,
  record: StoredFields = NO_STORED_FIELDS,
): ActivityInput {
  const text = (name: string) => row.cells[name] || null
  const estimateMethod = ESTIMATE_METHODS.find((one) => one === text('estimateMethod')) ?? null
  const quality = text('quality')
  return {
    sourceId: id,
    kind: kindOf(method, estimateMethod !== null),
    quantity: method === 'meter' || method === 'direct' ? null : text('quantity'),
    meterFrom: method === 'meter' ? text('meterFrom') : null,
    meterTo: method === 'meter' ? text('meterTo') : null,
    direct: method === 'direct' ? measured(text('direct'), record.direct) : null,
    unit: text('unit'),
    calorificBasis: BASES.find((one) => one === text('calorificBasis')) ?? null,
    periodStart: row.cells['periodStart'] ?? '',
    periodEnd: row.cells['periodEnd'] ?? '',
    quality: quality === null ? null : Number(quality),
    estimateMethod: method === 'estimate' ? (estimateMethod ?? 'other') : estimateMethod,
    reference: text('reference') ?? '',
    comment: text('comment') ?? '',
    // A draft saved before this column existed has no such cell.
    factorId: (row.cells['factorId'] ?? record.factorId) || null,
    priceYear: Number(row.cells['priceYear'] ?? record.priceYear) || null,
    moneyRate: record.moneyRate,
    moneyDeflator: record.moneyDeflator,
    cost: record.cost,
  }
}

const BASES = ['gross', 'net'] as const
const ESTIMATE_METHODS = ['same_month_last_year', 'average', 'floor_area', 'other'] as const

function kindOf(method: EmissionSource['method'], isEstimate: boolean): EmissionSource['method'] {
  return isEstimate && method !== 'direct' ? 'estimate' : method
}

function measured(kg: string | null, before: StoredFields['direct']) {
  if (kg === null) return null
  // The API accepts several gases. The grid shows the first and leaves the others unchanged.
  const [first, ...others] = before ?? []
  return [{ gas: 'CO2e', isBiogenic: false, basis: 'co2e' as const, ...first, kg }, ...others]
}

/** The errors that keep a row from being sent, by column; empty if there are none. */
export function errorsInRow(row: GridRow, input: ActivityInput): Record<string, GridProblem> {
  const wrong: Record<string, GridProblem> = {}
  const read = ActivityInput.safeParse(input)
  for (const { path, message } of read.error?.issues ?? []) {
    const [field] = path
    if (typeof field === 'string') wrong[field] = { tone: 'error', text: message }
  }
  for (const day of ['periodStart', 'periodEnd'] as const) {
    if ((row.cells[day] ?? '') === '') {
      wrong[day] = { tone: 'error', text: `Enter the ${day === 'periodStart' ? 'start' : 'end'} date.` }
    }
  }
  return wrong
}

/** The server's messages about a row, by column; a message about no column goes to the start date. */
export function problemsByColumn(problems: readonly CellProblem[], columns: ReadonlySet<string>) {
  const at: Record<string, GridProblem> = {}
  for (const { field, level, message } of problems) {
    const key = columns.has(field) ? field : 'periodStart'
    const before = at[key]
    const tone = level === 'error' || before?.tone === 'error' ? 'error' : 'warning'
    at[key] = { tone, text: before ? `${before.text} ${message}` : message }
  }
  return at
}

/** Whether a row is the same as its saved row. A missing cell equals an empty one. */
export function isSame(row: GridRow, saved: GridRow | undefined): boolean {
  if (!saved || Object.keys(row.refused).length > 0) return false
  const names = new Set([...Object.keys(row.cells), ...Object.keys(saved.cells)])
  return [...names].every((name) => (row.cells[name] ?? '') === (saved.cells[name] ?? ''))
}

/** Columns that only have a meaning together: a quantity without its unit is another quantity. */
const GROUPS: readonly (readonly string[])[] = [
  ['quantity', 'unit', 'calorificBasis'],
  ['meterFrom', 'meterTo'],
  ['periodStart', 'periodEnd'],
  ['factorId', 'priceYear'],
]

/** A row with the changes of two people: `theirs` are the columns taken from the other one, `both` those that both changed. */
export type MergedRow = Readonly<{ row: GridRow; theirs: readonly string[]; both: readonly string[] }>

/**
 * Brings the changes of a row together with those that another user saved meanwhile. `base`: the row that both changed; without
 * it, whatever differs counts as changed by both. Where both changed the same, the row keeps its own.
 */
export function mergeRow({
  base,
  mine,
  theirs,
}: Readonly<{ base: GridRow | undefined; mine: GridRow; theirs: GridRow }>): MergedRow {
  const names = [...new Set([...Object.keys(theirs.cells), ...Object.keys(mine.cells)])]
  const of = (row: GridRow, name: string) => row.cells[name] ?? ''
  const groupOf = (name: string) => GROUPS.find((group) => group.includes(name)) ?? [name]
  const differs = (one: GridRow, other: GridRow) => (name: string) =>
    of(one, name) !== of(other, name) || one.refused[name] !== undefined
  const isMine = (name: string) => groupOf(name).some(differs(mine, base ?? theirs))
  const isTheirs = (name: string) => base === undefined || groupOf(name).some(differs(theirs, base))
  const changed = names.filter(differs(mine, theirs))
  const taken = changed.filter((name) => !isMine(name))
  const cells = { ...mine.cells, ...Object.fromEntries(taken.map((name) => [name, of(theirs, name)])) }
  return {
    row: { ...mine, cells },
    theirs: taken,
    both: changed.filter((name) => isMine(name) && isTheirs(name)),
  }
}
