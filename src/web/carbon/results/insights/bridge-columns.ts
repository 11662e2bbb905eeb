import type { BridgeLine } from '#contract/carbon/results/comparison.ts'
import { type BridgeStep, bridgeSteps } from '../comparison/bridge-labels.ts'

/** `from` and `share` as fractions of the axis, 0 at the bottom. `level`: where the next column starts. */
export type BridgeColumn = Pick<BridgeStep, 'key' | 'kg'> &
  Readonly<{ from: number; share: number; level: number }>

/**
 * A bridge as columns. The axis includes 0, so that the height of a column is its share of the total: on a cut axis, a
 * change of 5% looks like half.
 */
export function bridgeColumns(line: BridgeLine): BridgeColumn[] {
  const { steps, least, most } = bridgeSteps(line)
  const span = most - least
  const place = (kg: number): number => (span === 0 ? 0 : (kg - least) / span)
  return steps.map(({ key, kg, from, to }) => ({
    key,
    kg,
    from: place(Math.min(from, to)),
    share: place(Math.max(from, to)) - place(Math.min(from, to)),
    level: place(to),
  }))
}
