import { showFigure } from '#contract/carbon/factors/figure.ts'

/** The most a single site plausibly uses per day, in the base unit of each dimension, and how to print it. */
const MOST_PER_DAY: Readonly<Record<string, { most: number; divisor: number; unit: string }>> = {
  energy: { most: 72_000, divisor: 3.6, unit: 'kWh' },
  gas_volume_std: { most: 2_000, divisor: 1, unit: 'm3' },
  volume: { most: 100_000, divisor: 1, unit: 'L' },
  mass: { most: 50_000, divisor: 1, unit: 'kg' },
  distance: { most: 50_000, divisor: 1, unit: 'km' },
  vehicle_distance: { most: 50_000, divisor: 1, unit: 'km' },
  passenger_distance: { most: 500_000, divisor: 1, unit: 'passenger-km' },
  freight: { most: 5_000_000, divisor: 1, unit: 'tonne-km' },
}

/** Beyond this many times the limit, no site uses it. */
const IMPOSSIBLE = 1_000

/**
 * The warning if a daily quantity is more than one site plausibly uses, without any other records to compare with: the check
 * that works for the first bill. Null: plausible, or nothing is known about the dimension.
 * @param perDay in the base unit of the dimension.
 */
export function plausibilityOf(dimension: string, perDay: number): string | null {
  const limit = MOST_PER_DAY[dimension]
  if (limit === undefined || perDay <= limit.most) return null
  const shown = `${showFigure(String(perDay / limit.divisor), 3)} ${limit.unit}`
  return perDay > limit.most * IMPOSSIBLE
    ? `No site uses ${shown} per day. Check the quantity and the unit.`
    : `${shown} per day is unusually high for one site. Are quantity and unit right?`
}
