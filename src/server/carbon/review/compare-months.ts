import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { UNUSUAL_FACTOR, type UnusualActivity, type UnusualRecord } from '#contract/carbon/review/unusual.ts'

/** What a source used in a month, in the base unit of a dimension, or in a currency. */
export type MonthUse = Readonly<{
  facilityId: string
  facilityName: string
  sourceType: string
  sourceId: string
  inventoryId: string
  /** Its first day; of the year before, the month a year later. */
  month: string
  dimension: string
  amount: string
  /** Days that have a record. */
  days: number
  unit: string
  toBase: string
}>
/** Records of one source that wait for review, in one unit and of the same months. */
export type WaitingBills = Readonly<{
  ids: readonly string[]
  facilityId: string
  sourceType: string
  dimension: string
  unit: string
  toBase: string
  /** The first days of the first month that they have days of, and of the last one. */
  first: string
  last: string
}>
type Sides = { now: readonly MonthUse[]; before: readonly MonthUse[] }
type Unusual = NonNullable<UnusualRecord['yearBefore']> & { recordId: string; sentence: string }

/** A kind of source at a facility: what is the same from year to year. */
export const placeOf = ({ facilityId, sourceType }: { facilityId: string; sourceType: string }): string =>
  `${facilityId}/${sourceType}`

/** Of the waiting records those whose months have three times as much a day as the year before, or a third of it. */
export function findUnusual(bills: readonly WaitingBills[], { now, before }: Sides): Unusual[] {
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
    const said = `${showFigure(figures.now)} ${bill.unit} in ${spanOf(months)}, ${showFigure(figures.before)} ${bill.unit} a year before`
    return bill.ids.map((recordId) => ({
      recordId,
      inventoryId: first.inventoryId,
      sourceId: first.sourceId,
      unit: bill.unit,
      now: plain(figures.now),
      before: plain(figures.before),
      times: times.toFixed(1),
      sentence: `${said}: ${timesOf(times)}${here.days === there.days ? '' : ' a day'}.`,
    }))
  })
}

const timesOf = (times: Figure): string =>
  times.gte(1) ? `${times.toFixed(1)} times as much` : `${times.times(100).toFixed(0)} % of it`

/** A month counts as there a year before when half of it had a record. */
const FEWEST_DAYS = 15

/**
 * Months that were there a year before and have nothing now, run together.
 * @param empty places with a month that is over and has nothing: `1/natural_gas 2025-01-01`.
 */
export function findGone(
  before: readonly MonthUse[],
  { here, empty }: { here: ReadonlyMap<string, string>; empty: ReadonlySet<string> },
): UnusualActivity['gone'] {
  const gone = before.filter((one) => one.days >= FEWEST_DAYS && empty.has(`${placeOf(one)} ${one.month}`))
  const bySource = Map.groupBy(gone, (one) => `${placeOf(one)} ${one.dimension}`)
  return [...bySource.values()].flatMap((months) =>
    runsOf(months.toSorted((one, other) => one.month.localeCompare(other.month))).flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)]
      if (first === undefined || last === undefined) return []
      const { facilityId, facilityName, sourceType, inventoryId, sourceId, unit, toBase } = first
      return [
        {
          facilityId,
          facilityName,
          sourceType,
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

/** Months that follow each other. */
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

function monthsOf({ first, last }: WaitingBills): string[] {
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
