import type { Effect } from '#contract/carbon/results/comparison.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'

/** The emissions of a source at a facility in one inventory, for one part and scope. Sums over records and months. */
export type Side = Readonly<{
  kg: Figure
  /** The part of `kg` from imported totals, of which only the sum is known. */
  imported: Figure
  isMeasured: boolean
  /** The quantities of the bills, and the counted part, in the base unit of each dimension. */
  quantities: ReadonlyMap<string, Readonly<{ full: Figure; counted: Figure }>>
  /** The counted quantity, in the base unit of the factors' dimensions. */
  amounts: ReadonlyMap<string, Figure>
  /** `kg` with the GWP set of the other inventory. */
  withOtherGwp: Figure
}>

/** Whether the facility is in each of the inventories. */
export type Places = Readonly<{ isInBefore: boolean; isInAfter: boolean; isCounterpart: boolean }>

export type Effects = Readonly<Record<Effect, Figure>>

const ZERO = new Figure(0)
export const NO_EFFECTS: Effects = {
  boundary: ZERO,
  activity: ZERO,
  method: ZERO,
  factor: ZERO,
  coverage: ZERO,
}

/**
 * Why one line differs between two inventories. Each effect is calculated from the result of the one before: first
 * inclusion, then quantity, then GWP set. The rest is the factor, so that the effects always add up exactly to the
 * difference.
 * @param before null: only the later inventory has the line; `after` the other way round.
 */
export function bridge(before: Side | null, after: Side | null, places: Places): Effects {
  const difference = (after?.kg ?? ZERO).minus(before?.kg ?? ZERO)
  const only = (effect: Effect): Effects => ({ ...NO_EFFECTS, [effect]: difference })
  if (before === null || after === null) {
    const isSame = places.isInBefore && places.isInAfter && !places.isCounterpart
    return only(isSame ? 'activity' : 'boundary')
  }
  // The activity behind imported totals and measured emissions is unknown.
  if (!before.imported.isZero() || !after.imported.isZero()) return only('method')
  if (before.isMeasured || after.isMeasured) {
    return only(before.isMeasured && after.isMeasured ? 'activity' : 'method')
  }
  // Without a quantity there is no share of it.
  if ([before, after].some(isUnused)) return only('activity')
  const [first, second] = [inclusionOf(before), inclusionOf(after)]
  if (first === null || second === null) return only('method')
  // With an inclusion of 0 before, the former emissions are unknown.
  if (first.isZero() !== second.isZero()) return only('boundary')
  if (first.isZero()) return only('activity')
  const used = usedIn(before, after, { first, second })
  if (used === null) return only('method')
  if (used.before.isZero()) return only('activity')
  const included = before.kg.times(second).div(first)
  const boundary = round(included.minus(before.kg))
  const grown = included.times(used.after).div(used.before)
  const activity = round(grown.minus(included))
  const withGwp = before.kg.isZero() ? grown : grown.times(before.withOtherGwp).div(before.kg)
  const method = round(withGwp.minus(grown))
  const factor = difference.minus(boundary).minus(activity).minus(method)
  return { ...NO_EFFECTS, boundary, activity, method, factor }
}

/** Rounds to a millionth of a kilogram; the remainder goes to the last effect. */
const round = (figure: Figure): Figure => figure.toDecimalPlaces(6)

const isUnused = ({ quantities }: Side): boolean =>
  quantities.size > 0 && [...quantities.values()].every(({ full }) => full.isZero())

/** The share of the quantity that counts; null if it is unknown. */
function inclusionOf({ quantities }: Side): Figure | null {
  // Bills in several dimensions have no common sum, so the first one decides.
  const used = [...quantities.values()].find(({ full }) => !full.isZero())
  return used === undefined ? null : used.counted.div(used.full)
}

/** The full quantities in one unit for both sides; null if they have none in common. */
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
