import { type Bill, figureOf, isNear, isOfDays, measureOf, sumOf } from './bill-identity.ts'
import { groupByDays } from './likely-corrections.ts'

/** A list of more meters is none of two companies. */
const MOST_METERS = 40

/**
 * The bills of two meters or accounts that are the same use, as the company that delivers energy and the one that sells it bill it: most of
 * them have nearly the same use. The others of their days are so, too: one was rounded, estimated or corrected.
 * @param bills those without a meter are compared with the other one of their days
 * @param isRepeated whether a bill without a number is there again with the same use
 * @returns pairs of bills, in their order
 */
export function twiceBilled<T extends Bill>(
  bills: readonly T[],
  isRepeated: (one: T) => boolean = () => false,
): [T, T][] {
  const places = new Map(bills.map((one, at) => [one, at]))
  const inOrder = ([one, other]: [T, T]): [T, T] =>
    (places.get(one) ?? 0) < (places.get(other) ?? 0) ? [one, other] : [other, one]
  const found: [T, T][] = []
  const periods = bills.filter((one) => one.first !== one.last && !figureOf(one).isZero())
  for (const own of Map.groupBy(periods, (one) => `${one.sourceId} ${measureOf(one)}`).values()) {
    const meters = [...Map.groupBy(own, ({ meter }) => meter ?? '')].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const named = meters.filter(([name]) => name !== '').map(([, its]) => its)
    if (named.length <= MOST_METERS)
      for (const [at, one] of named.entries())
        for (const other of named.slice(at + 1)) {
          const shared = ofSameDays(one, other)
          if (areSameUse(shared)) found.push(...shared.map(inOrder))
        }
    const groups = groupByDays(meters.find(([name]) => name === '')?.[1] ?? [])
    const pairs = groups.flatMap(([one, other, ...more]): [T, T][] =>
      one !== undefined && other !== undefined && more.length === 0 ? [[one, other]] : [],
    )
    const again = groups.flatMap(([one, ...more]): [T, T][] =>
      one !== undefined && more.length === 0 && isRepeated(one) ? [[one, one]] : [],
    )
    // One pair may be a correction, which is found elsewhere.
    const isShown = [...pairs, ...again].filter(isEqualUse).length > 1
    if (isShown && areSameUse([...pairs, ...again])) found.push(...pairs.map(inOrder))
  }
  return found
}

/** Each bill with that of the other meter for its days, those with the closest uses first. */
function ofSameDays<T extends Bill>(own: readonly T[], others: readonly T[]): [T, T][] {
  const byDays = Map.groupBy(others, ({ first, last }) => `${first} ${last}`)
  return own.flatMap((one) =>
    (byDays.get(`${one.first} ${one.last}`) ?? [])
      .filter((other) => isOfDays(one, other))
      .map((other): [T, T] => [one, other])
      .toSorted((a, b) => farApart(a) - farApart(b)),
  )
}

const farApart = ([one, other]: readonly [Bill, Bill]): number =>
  figureOf(one).minus(figureOf(other)).abs().toNumber()

/** Whether the uses of most pairs are nearly the same, and most of what is used is so. Small uses of summer are often equal. */
function areSameUse(pairs: readonly (readonly [Bill, Bill])[]): boolean {
  const near = pairs.filter(([one, other]) => isNear(one, other))
  const equal = near.filter(isEqualUse)
  if (near.length * 2 < pairs.length || (equal.length === 0 && near.length < 3)) return false
  const ofPairs = (some: typeof pairs) => sumOf(some.map(([one]) => one))
  if (ofPairs(near).times(3).lt(ofPairs(pairs))) return false
  const uses = near.map(([one]) => figureOf(one)).toSorted((a, b) => a.comparedTo(b))
  const [low, high] = [uses[0], uses.at(-1)]
  // Lamps use the same every month, on any account.
  const isFlat = near.length > 1 && low !== undefined && high?.lte(low.times('1.02')) === true
  return near.length > 0 && !(isFlat && (low?.eq(high ?? 0) === true || equal.length < near.length))
}

/** The same use, but for rounding. */
function isEqualUse([one, other]: readonly [Bill, Bill]): boolean {
  const use = figureOf(one)
  return use.minus(figureOf(other)).abs().lte(use.times('0.0002'))
}
