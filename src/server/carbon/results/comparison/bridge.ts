import type { Effect } from '#contract/carbon/results/comparison.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'

/** What a source came to at a facility in one inventory, of one part and scope. Sums over its records and months. */
export type Side = Readonly<{
  kg: Figure
  /** Of `kg`: imported totals, of which nothing but the sum is known. */
  imported: Figure
  isMeasured: boolean
  /** What the bills say, and what counts of it, in the base unit of each dimension. */
  quantities: ReadonlyMap<string, Readonly<{ full: Figure; counted: Figure }>>
  /** What counts, in the base unit of the dimensions of the factors. */
  amounts: ReadonlyMap<string, Figure>
  /** `kg` by the other inventory's report of the IPCC. */
  reweighed: Figure
}>

/** Whether the facility is in the two inventories at all. */
export type Places = Readonly<{ isInBefore: boolean; isInAfter: boolean; isCounterpart: boolean }>

export type Effects = Readonly<Record<Effect, Figure>>

const ZERO = new Figure(0)
export const NO_EFFECTS: Effects = { boundary: ZERO, activity: ZERO, method: ZERO, factor: ZERO }

/**
 * Why one line differs between two inventories. The effects are taken in their order, each by what the former left:
 * first how much of the facility counts, then how much was used, then by which report it is weighed. What remains is
 * the factor, so that they always add up to the difference exactly.
 * @param before null: the line is in the later inventory alone; `after` the other way round.
 */
export function bridge(before: Side | null, after: Side | null, places: Places): Effects {
  const difference = (after?.kg ?? ZERO).minus(before?.kg ?? ZERO)
  const only = (effect: Effect): Effects => ({ ...NO_EFFECTS, [effect]: difference })
  if (before === null || after === null) {
    const isSame = places.isInBefore && places.isInAfter && !places.isCounterpart
    return only(isSame ? 'activity' : 'boundary')
  }
  // Nothing is known of what stands behind an imported total, nor of what was measured.
  if (!before.imported.isZero() || !after.imported.isZero()) return only('method')
  if (before.isMeasured || after.isMeasured) {
    return only(before.isMeasured && after.isMeasured ? 'activity' : 'method')
  }
  // Where nothing was used there is no share of it.
  if ([before, after].some(isUnused)) return only('activity')
  const [first, second] = [inclusionOf(before), inclusionOf(after)]
  if (first === null || second === null) return only('method')
  // Nothing counted before: what it would have come to is not known.
  if (first.isZero() !== second.isZero()) return only('boundary')
  if (first.isZero()) return only('activity')
  const used = usedIn(before, after, { first, second })
  if (used === null) return only('method')
  if (used.before.isZero()) return only('activity')
  const included = before.kg.times(second).div(first)
  const boundary = round(included.minus(before.kg))
  const grown = included.times(used.after).div(used.before)
  const activity = round(grown.minus(included))
  const weighed = before.kg.isZero() ? grown : grown.times(before.reweighed).div(before.kg)
  const method = round(weighed.minus(grown))
  return { boundary, activity, method, factor: difference.minus(boundary).minus(activity).minus(method) }
}

/** To the millionth of a kilogram: the rest belongs to what is told last. */
const round = (figure: Figure): Figure => figure.toDecimalPlaces(6)

const isUnused = ({ quantities }: Side): boolean =>
  quantities.size > 0 && [...quantities.values()].every(({ full }) => full.isZero())

/** The share that counts of what was used; null where nothing is known of it. */
function inclusionOf({ quantities }: Side): Figure | null {
  // Bills in several dimensions have no common sum: the first says how much of the facility counts.
  const used = [...quantities.values()].find(({ full }) => !full.isZero())
  return used === undefined ? null : used.counted.div(used.full)
}

/** How much was used, whether it counts or not, in one unit for both sides; null where they have none in common. */
function usedIn(
  before: Side,
  after: Side,
  { first, second }: { first: Figure; second: Figure },
): { before: Figure; after: Figure } | null {
  const billed = common(before.quantities, after.quantities)
  if (billed !== null) return { before: billed[0].full, after: billed[1].full }
  const counted = common(before.amounts, after.amounts)
  return counted === null ? null : { before: counted[0].div(first), after: counted[1].div(second) }
}

function common<T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): [T, T] | null {
  const [dimension] = one.keys()
  if (dimension === undefined || one.size !== 1 || other.size !== 1) return null
  const [mine, theirs] = [one.get(dimension), other.get(dimension)]
  return mine === undefined || theirs === undefined ? null : [mine, theirs]
}
