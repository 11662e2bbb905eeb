import { dayAfter, daysOf } from '#contract/days.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import { meterName, numberAndMeter } from '../records/check-row.ts'
import { type ReadLine, useKey } from './read-line.ts'

/** What tells bills apart, stored or in a file. */
export type Bill = Readonly<{
  sourceId: string
  /** As `bareNumber` has it; '' without one. */
  number: string
  meter: string | null
  /** Of a day of which a file has only some intervals: the first and the last. */
  hours: readonly [number, number] | null
  first: string
  last: string
  /** In base units and without its sign, as a text to compare. */
  use: string
  isCredit: boolean
}>

/** A record of a bill. */
export type StoredBill = Bill &
  Readonly<{
    id: string
    version: number
    /** When this version was saved, in ISO 8601. */
    at: string
    reference: string | null
    quantity: string
    unit: string
  }>
/** A line of a file that is a bill. */
export type LineBill = Bill & Readonly<{ read: ReadLine }>

type Facts = Pick<Bill, 'sourceId' | 'first' | 'last'> & { reference: string; quantity: string; unit: string }

export function billOf({ sourceId, first, last, reference, quantity, unit }: Facts, units: UnitTable): Bill {
  const { number, meter } = numberAndMeter(reference)
  const hours = readHours(number)
  const isName = hours === null && !ORDINAL.test(number) && !isProvisional(number)
  return {
    sourceId,
    number: isName ? bareNumber(number) : '',
    meter,
    hours,
    first,
    last,
    use: useKey(units, quantity.replace('-', ''), unit),
    isCredit: quantity.startsWith('-'),
  }
}

/** "2 of 3", as one of several equal bills without a number is called. */
export const ordinal = (at: number, count: number): string => `${at} of ${count}`
const ORDINAL = /^\d+ of \d+$/

/** What people call a bill that they entered before it came: "Estimate", "estimated by Kim, Feb 2026". It has no number. */
const isProvisional = (text: string): boolean =>
  PROVISIONAL.test(text) && !/\d{3,}/.test(text.replaceAll(/\b20\d\d\b/g, ''))
const PROVISIONAL =
  /\b(estimat|accru|provision|prelim|forecast|budget|guess|expected|placeholder|pending|interim|by hand|by phone)|schätz|vorläufig|estimé|estimad|stimat/i

/** "Intervals 00:00 to 11:45", as days of which a file has a part are called. */
export const nameHours = (first: string, last: string): string => `Intervals ${first} to ${last}`
function readHours(text: string): Bill['hours'] {
  const [, first = '', last = ''] = /^Intervals (\S+) to (\S+)$/.exec(text) ?? []
  const valueOf = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return first === '' ? null : [valueOf(first), valueOf(last)]
}
export const shareHours = (one: Bill, other: Bill): boolean =>
  one.hours === null ||
  other.hours === null ||
  (one.hours[0] <= other.hours[1] && one.hours[1] >= other.hours[0])

/** The same days, and the same hours of them. */
export const isOfTime = (one: Bill, other: Bill): boolean =>
  isOfDays(one, other) && String(one.hours) === String(other.hours)

/** A bill number however files write it: "#000123" is 123, as a spreadsheet makes it. */
export const bareNumber = (reference: string): string =>
  reference
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^\W*(NO|NR|INVOICE|INV|BILL|RECHNUNG|FACTURE)\b/, '')
    .replace(/\.0+$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '')

export const hasNumber = (one: Bill, other: Bill): boolean => one.number !== '' && one.number === other.number

export const hasOtherNumber = (one: Bill, other: Bill): boolean =>
  one.number !== '' && other.number !== '' && one.number !== other.number

/**
 * Spreadsheets lose zeros, and files with an account beside the meter name both, in any order: "A-4711 0815-33" is 0815-33, but "Hall A 2"
 * isn't A.
 */
export function isSameMeter(one: string, other: string): boolean {
  if (bareNumber(one) === bareNumber(other)) return true
  const sorted = (name: string) => name.split(/\s+/).map(bareNumber).toSorted().join(' ')
  if (sorted(one) === sorted(other)) return true
  const names = (long: string, short: string) =>
    /^(?=.*\d)\S{4,}$/.test(short) && long.split(/\s+/).some((part) => bareNumber(part) === bareNumber(short))
  return names(one, other) || names(other, one)
}

/** The same meter, or one that isn't named. */
export const mayBeOfMeter = (one: Pick<Bill, 'meter'>, other: Pick<Bill, 'meter'>): boolean =>
  one.meter === null || other.meter === null || isSameMeter(one.meter, other.meter)

/** The same, or a part of a name, such as its account without the meter, or a meter without its register. */
export function mayNameMeter(one: Pick<Bill, 'meter'>, other: Pick<Bill, 'meter'>): boolean {
  const [a, b] = [one, other].map(({ meter }) => (meter ?? '').split(/\s+/).map(bareNumber))
  const isPart = (part: string[] = [], whole: string[] = []) => part.every((word) => whole.includes(word))
  return mayBeOfMeter(one, other) || isPart(a, b) || isPart(b, a)
}

/** Two names of meters, of bills that no number tells apart. */
export const isOtherMeter = (one: Bill, other: Bill): boolean =>
  one.meter !== null &&
  other.meter !== null &&
  !isSameMeter(one.meter, other.meter) &&
  (one.number === '' || other.number === '' || one.number === other.number)

export const isOfDays = (one: Bill, other: Bill): boolean =>
  one.first === other.first && one.last === other.last

/** From the same day, and one of them ends on the day on which the next begins: only files with several bills show that meters are read so. */
export const isReadOn = (one: Bill, other: Bill): boolean =>
  one.first === other.first &&
  one.first !== one.last &&
  one.first !== other.last &&
  (dayAfter(one.last, 1) === other.last || dayAfter(other.last, 1) === one.last)

/** All days of one, and not all of the other. */
export const isInside = (one: Bill, other: Bill): boolean =>
  one.first >= other.first && one.last <= other.last && !isOfDays(one, other)

export const shareDays = (one: Bill, other: Bill): boolean =>
  one.first <= other.last && one.last >= other.first

/**
 * Two bills for some of the same days that may be of one meter. Two bills of a meter often share one day; without its name, a number is
 * missing, too, as in a list of months beside bills.
 */
export function isOnTop(one: Bill, other: Bill): boolean {
  const shared = sharedDays(one, other)
  if (one.meter !== null && other.meter !== null) return isSameMeter(one.meter, other.meter) && shared > 1
  return (one.number === '' || other.number === '') && shared > MANY_DAYS
}
const MANY_DAYS = 3

/** Most of the days of both. */
export const isOfMostDays = (one: Bill, other: Bill): boolean =>
  isOfDays(one, other) || overlapOf(one, other) >= MOST
const MOST = 0.8

/** How much of the longer of two periods both have, from 0 to 1; 0 for single days. */
const overlapOf = (one: Bill, other: Bill): number =>
  sharedDays(one, other) / Math.max(daysOf(one.first, one.last), daysOf(other.first, other.last))

/** The number of days that two periods share; 0 for single days. */
function sharedDays(one: Bill, other: Bill): number {
  const isDay = ({ first, last }: Bill) => first === last
  if (isDay(one) || isDay(other) || !shareDays(one, other)) return 0
  const first = one.first > other.first ? one.first : other.first
  const last = one.last < other.last ? one.last : other.last
  return daysOf(first, last)
}

/**
 * How much says that two bills are the same: 0, only their days; more with the same meter, and with the same number. Null: another number
 * or meter, or other days, except those that may be a correction: of one number, half of those of one meter, or most of those with the
 * same use.
 */
export function closenessOf(one: Bill, other: Bill): number | null {
  const isNumber = hasNumber(one, other)
  if (hasOtherNumber(one, other)) return null
  const hasMeters = one.meter !== null && other.meter !== null
  if (hasMeters && !isSameMeter(one.meter ?? '', other.meter ?? '')) return null
  const isCorrected = isNumber
    ? shareDays(one, other)
    : overlapOf(one, other) >= (hasMeters ? 0.5 : MOST) && (hasMeters || one.use === other.use)
  if ((!isOfDays(one, other) && !isCorrected) || !shareHours(one, other)) return null
  return (isNumber ? 2 : 0) + (hasMeters ? 1 : 0)
}

/** The base unit of its use. */
export const measureOf = ({ use }: Bill): string => use.slice(0, use.lastIndexOf(' '))
export const figureOf = ({ use }: Bill): Figure => new Figure(use.split(' ').at(-1) ?? 0)

/** The uses of bills together, in the base unit. */
export const sumOf = (bills: readonly Bill[]): Figure =>
  bills.reduce((all, one) => all.plus(figureOf(one)), new Figure(0))

/** Within half a percent, as a use that was rounded in another unit. */
export const isNear = (one: Bill, other: Bill): boolean =>
  figureOf(one).minus(figureOf(other)).abs().lte(figureOf(one).times('0.005'))

export const splitCredits = <T extends Bill>(all: readonly T[]): [bills: T[], credits: T[]] => [
  all.filter(({ isCredit }) => !isCredit),
  all.filter(({ isCredit }) => isCredit),
]

/** Credits whose bill isn't there, such as by an import that was undone. */
export function looseCredits<T extends Bill>(stored: readonly T[]): T[] {
  const [bills, credits] = splitCredits(stored)
  return credits.filter((one) => takenBack(bills, [one]).size === 0)
}

/**
 * Bills whose whole use a credit of their source, days and meter takes back: one, or all of its days together. Credits often have numbers of
 * their own, and name an account without its meters.
 */
export function takenBack<T extends Bill>(bills: readonly T[], credits: readonly Bill[]): ReadonlySet<T> {
  const found = new Set<T>()
  if (credits.length === 0) return found
  const keyOf = ({ sourceId, use }: Bill) => `${sourceId} ${use}`
  const byUse = Map.groupBy(bills, keyOf)
  const sums: Bill[] = []
  for (const credit of credits) {
    const free = (byUse.get(keyOf(credit)) ?? []).filter(
      (bill) => !found.has(bill) && shareDays(bill, credit) && mayNameMeter(bill, credit),
    )
    const credited =
      free.find((bill) => bill.number === credit.number) ??
      free.find((bill) => mayBeOfMeter(bill, credit)) ??
      free[0]
    if (credited === undefined) sums.push(credit)
    else found.add(credited)
  }
  for (const credit of sums) {
    const free = bills.filter((one) => !found.has(one))
    const together = togetherOf(credit, free)
    const single = free.findLast((one) => isOfLater(credit, one))
    // One earlier bill with its use says more than several whose sum it is.
    const isOfSeveral =
      together.length > 0 && (single === undefined || together.some((one) => shareDays(one, credit)))
    for (const bill of isOfSeveral ? together : [single]) if (bill !== undefined) found.add(bill)
  }
  return found
}

/** A bill that a credit may be for, whatever their days and uses are: of its source and meter, in a unit of its measure. */
export const isBillOf = (credit: Bill, one: Bill): boolean =>
  one.sourceId === credit.sourceId &&
  !one.isCredit &&
  measureOf(one) === measureOf(credit) &&
  mayNameMeter(one, credit)

/** How many days after its bill a credit may be. */
export const CREDITED_WITHIN = 100

/** A credit with the days on which it was written, such as those of the next bill. */
export const isWrittenLater = (credit: Bill, one: Bill): boolean =>
  credit.first > one.last && credit.first <= dayAfter(one.last, CREDITED_WITHIN)

const isOfLater = (credit: Bill, one: Bill): boolean =>
  one.sourceId === credit.sourceId &&
  one.use === credit.use &&
  mayBeOfMeter(one, credit) &&
  isWrittenLater(credit, one)

/**
 * The bills that together have the use of a credit: within its days, all, those of one number or some; or, if it has the days on which it was
 * written, the last ones before it or some of them. None if there is only one.
 */
export function togetherOf<T extends Bill>(credit: Bill, bills: readonly T[]): readonly T[] {
  const billed = bills.filter((one) => isBillOf(credit, one))
  const own = billed.filter((one) => one.first >= credit.first && one.last <= credit.last)
  const earlier = billed
    .filter((one) => isWrittenLater(credit, one))
    .toSorted((one, other) => Number(one.first < other.first) - Number(one.first > other.first))
  const near = earlier.slice(0, MOST_CREDITED)
  const lastOnes = near.map((_, at) => near.slice(0, at + 1))
  const use = figureOf(credit)
  const isSum = (some: readonly T[]) => some.length > 1 && sumOf(some).eq(use)
  return (
    [own, ...ofOneBill(own), ...lastOnes, ...ofOneBill(earlier)].find(isSum) ??
    someOf(own, use) ??
    // In their own order: a bill that was billed again came before its correction.
    someOf(
      billed.filter((one) => near.includes(one)),
      use,
    ) ??
    []
  )
}

/** The meters of each bill: with its number, or for the same days. */
const ofOneBill = <T extends Bill>(all: readonly T[]): T[][] => [
  ...Map.groupBy(all, ({ number }) => number).values(),
  ...Map.groupBy(all, ({ first, last }) => `${first} ${last}`).values(),
]

const MOST_CREDITED = 12

/**
 * Several of a few bills that together have a use, those at the front first: a month of a credited quarter may have been billed again
 * since, and others may lie between the credited ones and the credit.
 */
function someOf<T extends Bill>(all: readonly T[], use: Figure): T[] | null {
  if (all.length > MOST_CREDITED) return null
  const choose = (rest: readonly T[], left: Figure, chosen: readonly T[]): T[] | null => {
    if (left.isZero() && chosen.length > 1) return [...chosen]
    const [one, ...others] = rest
    if (one === undefined || sumOf(rest).lt(left)) return null
    const figure = figureOf(one)
    const withIt = figure.gt(left) ? null : choose(others, left.minus(figure), [...chosen, one])
    return withIt ?? choose(others, left, chosen)
  }
  return choose(all, use, [])
}

/** The number and the meter of a correction, or of what it corrects where its list lacks them. */
export function withBoth(one: string | null | undefined, other: string | null): string {
  const [a, b] = [numberAndMeter(one ?? ''), numberAndMeter(other ?? '')]
  const number = a.number === '' ? b.number : a.number
  const meter = a.meter ?? b.meter
  return meter === null ? number : meterName(number === '' ? null : number, meter)
}
