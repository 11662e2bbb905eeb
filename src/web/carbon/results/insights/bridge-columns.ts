import type { BridgeLine } from '#contract/carbon/results/comparison.ts'
import { type BridgeStep, bridgeSteps } from '../comparison/bridge-labels.ts'

/** `from` and `share` as fractions of the axis, 0 at the bottom. `level`: where the next column starts. */
export type BridgeColumn = Pick<BridgeStep, 'key' | 'kg'> &
  Readonly<{ from: number; share: number; level: number }>

/** If the lowest level is above this fraction of the highest, the steps would be too flat to see. */
const FLAT = 0.5

/**
 * A bridge as columns. If the steps are small compared with the totals, the axis starts above 0.
 * @returns `begins`: the start of the axis in kg.
 */
export function bridgeColumns(line: BridgeLine): { columns: BridgeColumn[]; begins: number } {
  const { steps, least, most } = bridgeSteps(line)
  const levels = steps.map(({ to }) => to)
  const lowest = Math.min(...levels)
  const isCut = least === 0 && most > 0 && lowest > most * FLAT
  // Leave the shortest column about half the height of the steps, so that it is still visible.
  const begins = isCut ? roundedDown(lowest - (most - lowest) / 2 - most * 0.005) : least
  const span = most - begins
  const place = (kg: number): number => (span === 0 ? 0 : Math.max(0, (kg - begins) / span))
  return {
    begins,
    columns: steps.map(({ key, kg, from, to }) => ({
      key,
      kg,
      from: place(Math.min(from, to)),
      share: place(Math.max(from, to)) - place(Math.min(from, to)),
      level: place(to),
    })),
  }
}

/** Rounded down to two significant digits, at least 0. */
function roundedDown(kg: number): number {
  if (kg <= 0) return 0
  const power = 10 ** (Math.floor(Math.log10(kg)) - 1)
  return Math.floor(kg / power) * power
}
