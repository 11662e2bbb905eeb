import { isNear, SOME_USE } from './apart-bills.ts'
import type { BilledTwice } from './billed-twice-before.ts'
import { type Bill, figureOf, measureOf, sumOf } from './bill-identity.ts'
import { groupByDays } from './likely-corrections.ts'

/** A list of more meters is none of two companies. */
const MOST_METERS = 40
/** Among more accounts, uses are close by chance. */
const FEW_METERS = 4

/**
 * The bills of two meters or accounts that are the same use, as the company that delivers energy and the one that sells it bill it: most of
 * them have nearly the same use. The others of their days are so, too: one was rounded, estimated or corrected. One month alone of two
 * accounts shows it if its uses are close.
 * @param bills those without a meter are compared with the other one of their days
 * @param isRepeated whether a bill without a number is there again with the same use
 * @param areDevices whether a file names a meter of its own for each: one equal month is none of a list of two companies
 * @param wereTwice whether a user said of their meters before that they bill one use
 * @returns pairs of bills, in their order
 */
export function twiceBilled<T extends Bill>(
  bills: readonly T[],
  {
    isRepeated = () => false,
    areDevices,
    wereTwice,
  }: {
    isRepeated?: (one: T) => boolean
    areDevices: (one: T, other: T) => boolean
    wereTwice: BilledTwice
  },
): [T, T][] {
  const places = new Map(bills.map((one, at) => [one, at]))
  const inOrder = ([one, other]: [T, T]): [T, T] =>
    (places.get(one) ?? 0) < (places.get(other) ?? 0) ? [one, other] : [other, one]
  const found: [T, T][] = []
  const periods = bills.filter((one) => one.first !== one.last && !figureOf(one).isZero())
  for (const own of Map.groupBy(periods, (one) => `${one.sourceId} ${measureOf(one)}`).values()) {
    const named = own.filter(({ meter }) => meter !== null)
    const { size } = new Set(named.map(({ meter }) => meter))
    const few = { isFew: size <= FEW_METERS }
    if (size <= MOST_METERS)
      for (const shared of ofMeters(named).values()) {
        const again = shared.filter((pair) => wereTwice(...pair) && isNear(...pair, SOME_USE))
        const haveDevices = shared.some((pair) => areDevices(...pair))
        const areAll = areSameUse(shared, few) && (areSeveral(shared) || !haveDevices)
        const isShown = !haveDevices && shared.some((pair) => isSingle(pair, shared, few))
        // If one month is billed twice, so are those that differ a little.
        const single = isShown ? shared.filter((pair) => isNear(...pair, ALIKE)) : []
        found.push(...(areAll ? shared : [...new Set([...again, ...single])]).map(inOrder))
      }
    const groups = groupByDays(own.filter(({ meter }) => meter === null))
    const pairs = groups.flatMap(([one, other, ...more]): [T, T][] =>
      one !== undefined && other !== undefined && more.length === 0 ? [[one, other]] : [],
    )
    const again = groups.flatMap(([one, ...more]): [T, T][] =>
      one !== undefined && more.length === 0 && isRepeated(one) ? [[one, one]] : [],
    )
    // One pair may be a correction, which is found elsewhere.
    if (areSeveral([...pairs, ...again]) && areSameUse([...pairs, ...again], few))
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

type Pair = readonly [Bill, Bill]

const farApart = ([one, other]: Pair): number => figureOf(one).minus(figureOf(other)).abs().toNumber()

/** Whether the uses of most pairs are nearly the same, and most of what is used is so. Small uses of summer are often equal. */
function areSameUse(pairs: readonly Pair[], { isFew }: { isFew: boolean }): boolean {
  if (isFew && isSteadyRun(pairs)) return true
  const near = pairs.filter((pair) => areWithin(pair, CLOSE))
  const equal = near.filter((pair) => isEqualUse(pair))
  const areAll = near.length === pairs.length && near.every((pair) => isFew || areWithin(pair, ALONE))
  if (near.length * 2 < pairs.length || (equal.length === 0 && near.length < 3 && !areAll)) return false
  const ofPairs = (some: typeof pairs) => sumOf(some.map(([one]) => one))
  if (ofPairs(near).times(3).lt(ofPairs(pairs))) return false
  const isLoose = near.length > 2 && equal.length < near.length
  return near.length > 0 && !(near.length > 1 && areFlat(near, { isLoose }))
}

/**
 * Whether the uses of two accounts differ by nearly the same share in every month: one company bills the losses of the lines, or reads
 * another register. Those of two honest meters scatter more, or are near in some months only.
 */
function isSteadyRun(pairs: readonly Pair[]): boolean {
  if (pairs.length < RUN || !pairs.every((pair) => areWithin(pair, STEADY))) return false
  const [first] = pairs
  const shares = pairs.map(([one, other]) => {
    const isTurned = first !== undefined && one.meter !== first[0].meter
    const [own, its] = (isTurned ? [other, one] : [one, other]).map((bill) => figureOf(bill).toNumber())
    return (own ?? 0) / (its ?? 1)
  })
  return Math.max(...shares) - Math.min(...shares) <= SCATTER && !areFlat(pairs, { isLoose: true })
}

/** Lamps use the same every month, on any account. */
function areFlat(pairs: readonly Pair[], { isLoose }: { isLoose: boolean }): boolean {
  const uses = pairs.map(([one]) => figureOf(one)).toSorted((a, b) => a.comparedTo(b))
  const [low, high] = [uses[0], uses.at(-1)]
  if (low === undefined || high === undefined) return false
  return isLoose ? high.lte(low.times('1.02')) : low.eq(high)
}

/**
 * Whether the uses of two accounts for some days are equal or close, whatever the others are. Small uses, as in summer, and those of lamps
 * are so by chance.
 */
function isSingle(pair: Pair, pairs: readonly Pair[], { isFew }: { isFew: boolean }): boolean {
  if (!isEqualUse(pair) && !(isFew && areWithin(pair, ONE_MONTH))) return false
  if (
    pairs.length > 1 &&
    pairs.every(([one, other]) => one.use === other.use) &&
    areFlat(pairs, { isLoose: false })
  )
    return false
  const largest = pairs.reduce(
    (most, [one, other]) => Math.max(most, figureOf(one).toNumber(), figureOf(other).toNumber()),
    0,
  )
  return figureOf(pair[0]).gte(largest * SMALL)
}

const areSeveral = (pairs: readonly Pair[]): boolean => pairs.filter((pair) => isEqualUse(pair)).length > 1

/** The same use, but for rounding. */
const isEqualUse = (pair: Pair): boolean => areWithin(pair, '0.0002')

/** Whether uses differ by at most a share of the larger one. */
function areWithin([one, other]: Pair, share: string): boolean {
  const [low, high] = [one, other].map(figureOf).toSorted((a, b) => a.comparedTo(b))
  return low !== undefined && high !== undefined && high.minus(low).lte(high.times(share))
}
/** Among many accounts with one month in a file: seldom as close by chance. */
const ALONE = '0.0025'
/** One month of a few accounts whose other months differ. */
const ONE_MONTH = '0.0105'
/** A run of months that one company estimated, rounded or read otherwise. */
const CLOSE = '0.0155'
/** A run of months with nearly the same difference: how many, how large it is at most, and how much it varies. */
const RUN = 3
const STEADY = '0.0505'
const SCATTER = 0.006
/** Months beside one that two companies billed. */
const ALIKE = '0.9'
/** Of the largest use of two accounts. */
const SMALL = 0.05
