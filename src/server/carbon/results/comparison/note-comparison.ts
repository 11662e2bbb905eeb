import { daysOf } from '#contract/days.ts'
import type { BridgeLine, ComparedInventory } from '#contract/carbon/results/comparison.ts'

const BOUNDARIES = {
  operational: 'operational control',
  financial: 'financial control',
  equity: 'equity share',
} as const

/** What has to be known to read a comparison, each a sentence. */
export function noteComparison({
  before,
  after,
  total,
}: {
  before: ComparedInventory
  after: ComparedInventory
  total: BridgeLine
}): string[] {
  const [days, otherDays] = [
    daysOf(before.periodStart, before.periodEnd),
    daysOf(after.periodStart, after.periodEnd),
  ]
  const missing = total.missingBefore + total.missingAfter
  return [
    // A leap year is no other period.
    ...(Math.abs(days - otherDays) > 1
      ? [`The periods differ: ${days} and ${otherDays} days. A longer one stands under activity.`]
      : []),
    ...(before.boundary === after.boundary
      ? []
      : [`Boundaries are drawn by ${BOUNDARIES[before.boundary]} and by ${BOUNDARIES[after.boundary]}.`]),
    ...(before.gwpSet === after.gwpSet
      ? []
      : [
          `They are weighed by ${before.gwpSet} and by ${after.gwpSet}: what that changes stands under method, as far as gases are told apart.`,
        ]),
    ...(total.importedBefore === '0' && total.importedAfter === '0'
      ? []
      : ['Of imported totals only the sum is known: what differs from them stands under method.']),
    ...(missing === 0
      ? []
      : [`${missing.toLocaleString('en')} results are missing: the sums are at least what they say.`]),
    ...[before, after]
      .filter(({ status }) => status !== 'approved' && status !== 'locked' && status !== 'restated')
      .map(({ name }) => `${name} is not approved: its figures may still change.`),
  ]
}
