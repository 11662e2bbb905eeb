import { dayAfter, daysOf } from '#contract/days.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'

/** Another record of the same source. */
export type OverlappingRecord = {
  /** Undefined: a row that is saved together with it. */
  id: string | undefined
  sourceId: string
  kind: string
  quantity: string | null
  unit: string | null
  periodStart: string
  periodEnd: string
  reference: string | null
}

type OverlapCheck = {
  /** The same bill: same period, unit and quantity, and no different bill number. */
  duplicate: OverlappingRecord | undefined
  isNumberTaken: boolean
  /** Records with overlapping days. Deliveries of one day don't overlap each other. */
  overlaps: readonly OverlappingRecord[]
  /** Bills cover every day of its period. */
  isCovered: boolean
  /** Average daily quantity of the source, from at least two bills in the same unit. */
  usual: number | null
}

/** An index of the bills of some sources, so that comparing a record doesn't take longer with more bills. */
export type OverlapIndex = {
  add: (one: OverlappingRecord) => void
  /**
   * Compares a record with the bills of its source, except with itself (same `id`). `isMeasured`: by a meter, not delivered.
   * `isMatched`: it is known to be none of the stored bills.
   */
  compare: (
    one: OverlappingRecord & { quantity: string; isMeasured: boolean; isMatched: boolean },
  ) => OverlapCheck
}

type Bills = {
  all: OverlappingRecord[]
  byKey: Map<string, OverlappingRecord[]>
  byReference: Map<string, OverlappingRecord[]>
  /** By month, with each bill in every month it covers. */
  byMonth: Map<string, OverlappingRecord[]>
  /** Bills of many months. */
  long: OverlappingRecord[]
  /** Daily quantities by unit: their sum and number. */
  rates: Map<string, { sum: number; count: number }>
}

/** Bills that cover more months aren't indexed by month. */
const MOST_MONTHS = 24

export function makeOverlapIndex(records: readonly OverlappingRecord[]): OverlapIndex {
  const bySource = new Map<string, Bills>()
  const stored = new Set(records)
  function add(one: OverlappingRecord): void {
    if (one.kind === 'estimate') return
    const bills = bySource.get(one.sourceId) ?? noBills()
    bySource.set(one.sourceId, bills)
    bills.all.push(one)
    put(bills.byKey, keyOf(one), one)
    if (one.reference !== null) put(bills.byReference, one.reference, one)
    // A credit corrects a bill: it covers no days of its own, and shows no usual quantity.
    if (one.quantity?.startsWith('-') === true) return
    const months = monthsOf(one)
    if (months === null) bills.long.push(one)
    else for (const month of months) put(bills.byMonth, month, one)
    if (one.unit === null || one.quantity === null) return
    const rate = bills.rates.get(one.unit) ?? { sum: 0, count: 0 }
    bills.rates.set(one.unit, { sum: rate.sum + perDay(one), count: rate.count + 1 })
  }

  for (const one of records) add(one)
  return {
    add,
    compare(one) {
      const bills = bySource.get(one.sourceId) ?? noBills()
      const isOther = ({ id }: OverlappingRecord): boolean => id === undefined || id !== one.id
      const { reference, periodStart, periodEnd } = one
      const own = one.id === undefined ? [] : bills.all.filter((bill) => !isOther(bill))
      const near = monthsOf(one)?.map((month) => bills.byMonth.get(month) ?? []) ?? [bills.all]
      const crosses = (bill: OverlappingRecord) =>
        isOther(bill) && bill.periodStart <= periodEnd && bill.periodEnd >= periodStart
      const crossing = [...new Set([...near, bills.long].flat())].filter(crosses)
      const isDay = (bill: OverlappingRecord) => bill.periodStart === bill.periodEnd
      return {
        duplicate: bills.byKey
          .get(keyOf(one))
          ?.find(
            (bill) =>
              isOther(bill) &&
              !(one.isMatched && stored.has(bill)) &&
              (bill.reference === reference || bill.reference === null || reference === null),
          ),
        isNumberTaken: reference !== null && (bills.byReference.get(reference)?.some(isOther) ?? false),
        overlaps: isDay(one) && !one.isMeasured ? crossing.filter((bill) => !isDay(bill)) : crossing,
        isCovered: areCovered(one, crossing),
        usual: usualOf(bills, one.unit, own),
      }
    },
  }
}

function usualOf(bills: Bills, unit: string | null, without: readonly OverlappingRecord[]): number | null {
  const all = bills.rates.get(unit ?? '')
  if (all === undefined) return null
  const own = without.filter((one) => one.unit === unit && one.quantity !== null)
  const count = all.count - own.length
  const usual = (all.sum - own.reduce((sum, one) => sum + perDay(one), 0)) / Math.max(1, count)
  return count >= 2 && usual > 0 ? usual : null
}

/** Bills may occur several times in the list, which makes no difference. */
function areCovered(
  { periodStart, periodEnd }: Pick<OverlappingRecord, 'periodStart' | 'periodEnd'>,
  bills: readonly OverlappingRecord[],
): boolean {
  const open = bills
    .toSorted((one, other) => (one.periodStart < other.periodStart ? -1 : 1))
    .reduce(
      (day, one) => (one.periodStart <= day && one.periodEnd >= day ? dayAfter(one.periodEnd, 1) : day),
      periodStart,
    )
  return open > periodEnd
}

const noBills = (): Bills => ({
  all: [],
  byKey: new Map(),
  byReference: new Map(),
  byMonth: new Map(),
  long: [],
  rates: new Map(),
})

function put(map: Map<string, OverlappingRecord[]>, key: string, one: OverlappingRecord): void {
  const there = map.get(key)
  if (there === undefined) map.set(key, [one])
  else there.push(one)
}

function keyOf({ periodStart, periodEnd, unit, quantity }: OverlappingRecord): string {
  const digits = quantity === null ? '' : plain(new Figure(quantity))
  return `${periodStart} ${periodEnd} ${unit ?? ''} ${digits}`
}

const perDay = ({ quantity, periodStart, periodEnd }: OverlappingRecord): number =>
  new Figure(quantity ?? 0).div(daysOf(periodStart, periodEnd)).toNumber()

/** The months of a period; null if there are too many. */
function monthsOf({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): string[] | null {
  const first = monthNumber(periodStart)
  const count = monthNumber(periodEnd) - first + 1
  return count > MOST_MONTHS ? null : Array.from({ length: Math.max(0, count) }, (_, at) => `${first + at}`)
}

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
