import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { UNUSUAL_FACTOR, type UnusualActivity, type UnusualRecord } from '#contract/carbon/review/unusual.ts'

/** The quantity of a source in a month, in the base unit of a dimension, or in a currency. */
export type MonthUse = Readonly<{
  facilityId: string
  facilityName: string
  sourceType: string
  sourceName: string | null
  sourceLabel: string | null
  sourceId: string
  inventoryId: string
  /** First day of the month; for the prior year, of the same month one year later. */
  month: string
  dimension: string
  amount: string
  /** Days that are covered by a record. */
  days: number
  unit: string
  toBase: string
}>
/** Records of one source that are in review, with the same unit and months. */
export type SubmittedRecords = Readonly<{
  ids: readonly string[]
  facilityId: string
  sourceType: string
  dimension: string
  unit: string
  toBase: string
  /** First days of the first and the last month that they cover. */
  first: string
  last: string
}>
type Sides = { now: readonly MonthUse[]; before: readonly MonthUse[] }
type Unusual = NonNullable<UnusualRecord['yearBefore']> & { recordId: string; sentence: string }

/** Facility and source type identify a source across years. */
export const placeOf = ({ facilityId, sourceType }: { facilityId: string; sourceType: string }): string =>
  `${facilityId}/${sourceType}`

/** The records in review whose months have at least three times the daily quantity of the prior year, or at most a third. */
export function findUnusual(bills: readonly SubmittedRecords[], { now, before }: Sides): Unusual[] {
  const byPlace = { now: Map.groupBy(now, placeOf), before: Map.groupBy(before, placeOf) }
  return bills.flatMap((bill) => {
    const months = new Set(monthsOf(bill))
    const isOf = ({ month, dimension }: MonthUse) => months.has(month) && dimension === bill.dimension
    const here = sum((byPlace.now.get(placeOf(bill)) ?? []).filter(isOf))
    const rows = (byPlace.before.get(placeOf(bill)) ?? []).filter(isOf)
    const there = sum(rows)
    const [first] = rows
    if (first === undefined || there.amount.lte(0) || here.days === 0) return []
    const times = here.amount.div(here.days).div(there.amount.div(there.days))
    if (times.lt(UNUSUAL_FACTOR) && times.times(UNUSUAL_FACTOR).gt(1)) return []
    const figures = { now: here.amount.div(bill.toBase), before: there.amount.div(bill.toBase) }
    const perDay = here.days === there.days ? '' : ' per day'
    return bill.ids.map((recordId) => ({
      recordId,
      inventoryId: first.inventoryId,
      sourceId: first.sourceId,
      unit: bill.unit,
      now: plain(figures.now),
      before: plain(figures.before),
      times: times.toFixed(1),
      sentence: `${showFigure(figures.now)} ${bill.unit} in ${spanOf(months)}, ${timesOf(times)}${perDay} (${showFigure(figures.before)} ${bill.unit}).`,
    }))
  })
}

const timesOf = (times: Figure): string =>
  times.gte(1)
    ? `${times.toFixed(1)} times the prior year`
    : `${times.times(100).toFixed(0)}% of the prior year`

/** A month of the prior year counts if about half of it was covered. */
const FEWEST_DAYS = 15

/**
 * Consecutive months that had records a year before and have none now, merged into spans.
 * @param empty facility, source type and month without records, if the month is over: `1/natural_gas 2025-01-01`.
 */
export function findMissingMonths(
  before: readonly MonthUse[],
  { here, empty }: { here: ReadonlyMap<string, string>; empty: ReadonlySet<string> },
): UnusualActivity['gone'] {
  const gone = before.filter((one) => one.days >= FEWEST_DAYS && empty.has(`${placeOf(one)} ${one.month}`))
  const bySource = Map.groupBy(gone, (one) => `${placeOf(one)} ${one.dimension}`)
  return [...bySource.values()].flatMap((months) =>
    runsOf(months.toSorted((one, other) => one.month.localeCompare(other.month))).flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)]
      if (first === undefined || last === undefined) return []
      const { facilityId, facilityName, sourceType, sourceName, sourceLabel } = first
      const { inventoryId, sourceId, unit, toBase } = first
      return [
        {
          facilityId,
          facilityName,
          sourceType,
          sourceName,
          sourceLabel,
          inventoryId,
          sourceId,
          unit,
          from: first.month,
          to: last.month,
          before: plain(sum(run).amount.div(toBase)),
          hereId: here.get(placeOf(first)) ?? null,
        },
      ]
    }),
  )
}

/** Splits months into runs of consecutive months. */
function runsOf(months: readonly MonthUse[]): MonthUse[][] {
  const runs: MonthUse[][] = []
  for (const one of months) {
    const last = runs.at(-1)?.at(-1)
    if (last !== undefined && nextMonth(last.month) === one.month) runs.at(-1)?.push(one)
    else runs.push([one])
  }
  return runs
}

function sum(rows: readonly MonthUse[]): { amount: Figure; days: number } {
  return {
    amount: rows.reduce((total, { amount }) => total.plus(amount), new Figure(0)),
    days: rows.reduce((total, { days }) => total + days, 0),
  }
}

function nextMonth(month: string): string {
  const [year = 0, at = 0] = month.split('-').map(Number)
  return at === 12 ? `${year + 1}-01-01` : `${year}-${String(at + 1).padStart(2, '0')}-01`
}

function monthsOf({ first, last }: SubmittedRecords): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month)
  return months
}

/** "2025-01", or "2025-01 to 2025-03". */
function spanOf(months: ReadonlySet<string>): string {
  const [first = '', ...more] = [...months].map((month) => month.slice(0, 7))
  const last = more.at(-1)
  return last === undefined ? first : `${first} to ${last}`
}
