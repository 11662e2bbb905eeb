import { daysOf } from '#contract/days.ts'
import type { BridgeLine, ComparedInventory } from '#contract/carbon/results/comparison.ts'

const BOUNDARIES = {
  operational: 'operational control',
  financial: 'financial control',
  equity: 'equity share',
} as const

/** Notes on how to read a comparison. */
export function comparisonNotes({
  before,
  after,
  total,
}: {
  before: ComparedInventory & { gwpEdition: number }
  after: ComparedInventory & { gwpEdition: number }
  total: BridgeLine
}): string[] {
  const [days, otherDays] = [
    daysOf(before.periodStart, before.periodEnd),
    daysOf(after.periodStart, after.periodEnd),
  ]
  const missing = total.missingBefore + total.missingAfter
  return [
    // A leap year doesn't count as a different period.
    ...(Math.abs(days - otherDays) > 1
      ? [`The periods differ: ${days} and ${otherDays} days. Only the months that both have are compared.`]
      : []),
    ...(Number(total.unmatchedBefore) === 0 && Number(total.unmatchedAfter) === 0
      ? []
      : [
          'Boundary, activity, method and factors are compared on the data points that both inventories have. Emissions of the others are shown under data coverage: they are neither a reduction nor an increase.',
        ]),
    ...(before.boundary === after.boundary
      ? []
      : [
          `The consolidation approaches differ: ${BOUNDARIES[before.boundary]} and ${BOUNDARIES[after.boundary]}.`,
        ]),
    ...(before.gwpSet === after.gwpSet
      ? []
      : [
          `The GWP sets differ: ${before.gwpSet} and ${after.gwpSet}. The effect is shown under method, as far as emissions are split by gas.`,
        ]),
    ...(before.gwpSet !== after.gwpSet || before.gwpEdition === after.gwpEdition
      ? []
      : [
          `The inventories use different values of ${after.gwpSet}, because the library was corrected. The effect is shown under method.`,
        ]),
    ...(total.importedBefore === '0' && total.importedAfter === '0'
      ? []
      : ["Imported totals can't be split into effects. Their differences are shown under method."]),
    ...(missing === 0
      ? []
      : [`${missing.toLocaleString('en')} results are missing, so the actual totals are higher.`]),
    ...[before, after]
      .filter(({ status }) => status !== 'approved' && status !== 'locked' && status !== 'restated')
      .map(({ name }) => `${name} isn't approved yet, so its totals may still change.`),
  ]
}
