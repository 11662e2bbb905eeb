import { Figure } from '#contract/carbon/factors/figure.ts'
import {
  type Bill,
  figureOf,
  hasNumber,
  isSameMeter,
  type LineBill,
  measureOf,
  splitCredits,
  type StoredBill,
  takenBack,
} from './bill-identity.ts'

/** More bills than this aren't added up. */
const MOST = 400

/** How far a total may be from the sum, if it or each of its parts is rounded. */
export const roundedAway = (total: Figure, parts: number): Figure =>
  Figure.max(total.times('0.0005'), Figure.min(total.times('0.01'), new Figure(parts).plus(1).div(2)))

/** Lines that together have the use of a record, such as the meters of an account or the fills of a month, by line. */
export function findParts(
  lines: readonly LineBill[],
  records: readonly StoredBill[],
): ReadonlyMap<LineBill, Readonly<{ whole: StoredBill; parts: readonly LineBill[] }>> {
  const within = lookWithin(lines)
  const found = new Map<LineBill, { whole: StoredBill; parts: readonly LineBill[] }>()
  for (const whole of records) {
    if (whole.isCredit) continue
    const inside = within(whole).filter((line) => !found.has(line))
    const byNumber = Map.groupBy(inside, ({ number }) => number)
    const parts = [...groupsFor(whole, inside), ...byNumber.values()].find((all) => isSumOf(whole, all))
    for (const line of parts ?? []) found.set(line, { whole, parts: parts ?? [] })
  }
  return found
}

/** Finds the records that together have the use of a line; none if there aren't two. */
export function wholeFinder(records: readonly StoredBill[]): (line: LineBill) => readonly StoredBill[] {
  const within = lookWithin(records)
  return (line) =>
    line.isCredit ? [] : (groupsFor(line, within(line)).find((all) => isSumOf(line, all)) ?? [])
}

/** What may be the parts of a bill: those of its meter or number, or everything in its days. */
const groupsFor = <Part extends Bill>(whole: Bill, inside: readonly Part[]): (readonly Part[])[] => [
  inside.filter(({ meter }) => meter !== null && whole.meter !== null && isSameMeter(meter, whole.meter)),
  inside.filter((one) => hasNumber(one, whole)),
  inside,
]

const usedBy = (one: Bill): Figure => (one.isCredit ? figureOf(one).neg() : figureOf(one))

function isSumOf(whole: Bill, parts: readonly Bill[]): boolean {
  if (parts.length < 2) return false
  const total = figureOf(whole)
  const sum = parts.reduce((all, one) => all.plus(usedBy(one)), new Figure(0))
  return (
    total.gt(0) &&
    parts.every((one) => figureOf(one).gt(0)) &&
    total.minus(sum).abs().lte(roundedAway(total, parts.length)) &&
    takenBack(...splitCredits(parts)).size === 0
  )
}

/** Finds the bills and credits of the source and the measure of a bill that lie within its days; none if there are too many. */
export function lookWithin<Part extends Bill>(all: readonly Part[]): (whole: Bill) => readonly Part[] {
  const keyOf = (one: Bill) => `${one.sourceId} ${measureOf(one)}`
  const byKind = new Map(
    [...Map.groupBy(all, keyOf)].map(([key, own]) => [
      key,
      own.toSorted((a, b) => (a.first < b.first ? -1 : 1)),
    ]),
  )
  return (whole) => {
    const own = byKind.get(keyOf(whole)) ?? []
    const inside: Part[] = []
    for (let at = firstFrom(own, whole.first); at < own.length && inside.length <= MOST; at += 1) {
      const one = own[at]
      if (one === undefined || one.first > whole.last) break
      if (one.last <= whole.last) inside.push(one)
    }
    return inside.length > MOST ? [] : inside
  }
}

/** The place of the first bill that starts on a day or later, of bills in order. */
function firstFrom(bills: readonly Bill[], day: string): number {
  let [low, high] = [0, bills.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((bills[middle]?.first ?? '') < day) low = middle + 1
    else high = middle
  }
  return low
}
