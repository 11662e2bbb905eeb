import { type Bill, figureOf, isNear, measureOf, sumOf } from './bill-identity.ts'
import { groupByDays } from './likely-corrections.ts'

/** A list of more meters is none of two companies. */
const MOST_METERS = 40

/**
 * The bills of two meters or accounts that are the same use, as the company that delivers energy and the one that sells it bill it: most of
 * them have nearly the same use. The others of their days are so, too: one was rounded, estimated or corrected.
 * @param bills those without a meter are compared with the other one of their days
 * @param isRepeated whether a bill without a number is there again with the same use
 * @param areDevices whether a file names a meter of its own for each: one equal month is none of a list of two companies
 * @returns pairs of bills, in their order
 */
export function twiceBilled<T extends Bill>(
  bills: readonly T[],
  {
    isRepeated = () => false,
    areDevices,
  }: { isRepeated?: (one: T) => boolean; areDevices: (one: T, other: T) => boolean },
): [T, T][] {
  const places = new Map(bills.map((one, at) => [one, at]))
  const inOrder = ([one, other]: [T, T]): [T, T] =>
    (places.get(one) ?? 0) < (places.get(other) ?? 0) ? [one, other] : [other, one]
  const found: [T, T][] = []
  const periods = bills.filter((one) => one.first !== one.last && !figureOf(one).isZero())
  for (const own of Map.groupBy(periods, (one) => `${one.sourceId} ${measureOf(one)}`).values()) {
    const named = own.filter(({ meter }) => meter !== null)
    if (new Set(named.map(({ meter }) => meter)).size <= MOST_METERS)
      for (const shared of ofMeters(named).values())
        if (areSameUse(shared) && (areSeveral(shared) || !shared.some((pair) => areDevices(...pair))))
          found.push(...shared.map(inOrder))
    const groups = groupByDays(own.filter(({ meter }) => meter === null))
    const pairs = groups.flatMap(([one, other, ...more]): [T, T][] =>
      one !== undefined && other !== undefined && more.length === 0 ? [[one, other]] : [],
    )
    const again = groups.flatMap(([one, ...more]): [T, T][] =>
      one !== undefined && more.length === 0 && isRepeated(one) ? [[one, one]] : [],
    )
    // One pair may be a correction, which is found elsewhere.
    if (areSeveral([...pairs, ...again]) && areSameUse([...pairs, ...again]))
      found.push(...pairs.map(inOrder))
  }
  return found
}

/** For each two meters, their bills for most of the same days, those with the closest uses first. */
function ofMeters<T extends Bill>(bills: readonly T[]): ReadonlyMap<string, [T, T][]> {
  const found = new Map<string, [T, T][]>()
  for (const group of groupByDays(bills)) {
    const pairs = group
      .flatMap((one, at) => group.slice(at + 1).map((other): [T, T] => [one, other]))
      .filter(([one, other]) => one.meter !== other.meter)
      .toSorted((a, b) => farApart(a) - farApart(b))
    for (const pair of pairs) {
      const key = pair
        .map(({ meter }) => meter ?? '')
        .toSorted()
        .join('\u001F')
      const shared = found.get(key)
      if (shared === undefined) found.set(key, [pair])
      else shared.push(pair)
    }
  }
  return found
}

const farApart = ([one, other]: readonly [Bill, Bill]): number =>
  figureOf(one).minus(figureOf(other)).abs().toNumber()

/** Whether the uses of most pairs are nearly the same, and most of what is used is so. Small uses of summer are often equal. */
function areSameUse(pairs: readonly (readonly [Bill, Bill])[]): boolean {
  const near = pairs.filter(([one, other]) => isNear(one, other))
  const equal = near.filter((pair) => isEqualUse(pair))
  const isAlone = pairs.length === 1 && near.every((pair) => isEqualUse(pair, ALONE))
  if (near.length * 2 < pairs.length || (equal.length === 0 && near.length < 3 && !isAlone)) return false
  const ofPairs = (some: typeof pairs) => sumOf(some.map(([one]) => one))
  if (ofPairs(near).times(3).lt(ofPairs(pairs))) return false
  const uses = near.map(([one]) => figureOf(one)).toSorted((a, b) => a.comparedTo(b))
  const [low, high] = [uses[0], uses.at(-1)]
  // Lamps use the same every month, on any account.
  const isFlat = near.length > 1 && low !== undefined && high?.lte(low.times('1.02')) === true
  const isLoose = near.length > 2 && equal.length < near.length
  return near.length > 0 && !(isFlat && (low?.eq(high ?? 0) === true || isLoose))
}

const areSeveral = (pairs: readonly (readonly [Bill, Bill])[]): boolean =>
  pairs.filter((pair) => isEqualUse(pair)).length > 1

/** The same use, but for rounding; `share`: how much of it may differ. */
function isEqualUse([one, other]: readonly [Bill, Bill], share = '0.0002'): boolean {
  const use = figureOf(one)
  return use.minus(figureOf(other)).abs().lte(use.times(share))
}
/** Two accounts with one month in a file, and none before that anyone was asked about: seldom as close by chance. */
const ALONE = '0.0025'
