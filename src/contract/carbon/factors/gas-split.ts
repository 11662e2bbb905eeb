import { Figure, plain } from './figure.ts'
import type { Resolved } from './resolve.ts'

/** One gas of a result: kg of it, and what it counts as by the warming potential that was used. */
export type GasShare = Resolved['gases'][number]

/**
 * What some amounts come to gas by gas. Gases of the same kind are added up, over months and factors.
 * @param parts what one unit comes to, and how many units count.
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

/** What counts comes first, then what stands beside the scopes. */
const RANKS: Readonly<Record<GasShare['place'], number>> = {
  scope: 0,
  part: 1,
  unknown: 2,
  other: 3,
  biogenic: 4,
}
