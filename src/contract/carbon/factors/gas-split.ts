import { Figure, plain } from './figure.ts'
import type { Resolved } from './resolve.ts'

/** One gas of a result: its kg, and its CO2e with the GWP that was used. */
export type GasShare = Resolved['gases'][number]

/**
 * The emissions of several amounts, by gas. The same gas is summed over months and factors.
 * @param parts emissions per unit, and the number of units.
 */
export function splitGases(parts: readonly { perUnit: Resolved; amount: string }[]): GasShare[] {
  const sums = new Map<string, GasShare>()
  for (const { perUnit, amount } of parts) {
    for (const row of perUnit.gases) {
      const key = [row.gas, row.isBiogenic, row.basis, row.place, row.gwp].join(' ')
      const before = sums.get(key)
      const kg = new Figure(row.kg).times(amount).plus(before?.kg ?? 0)
      const co2e = row.co2e === null ? null : new Figure(row.co2e).times(amount).plus(before?.co2e ?? 0)
      sums.set(key, { ...row, kg: plain(kg), co2e: co2e === null ? null : plain(co2e) })
    }
  }
  return [...sums.values()].toSorted((one, other) => RANKS[one.place] - RANKS[other.place])
}

/** Gases in the scopes come first, then the ones reported separately. */
const RANKS: Readonly<Record<GasShare['place'], number>> = {
  scope: 0,
  part: 1,
  unknown: 2,
  other: 3,
  biogenic: 4,
}
