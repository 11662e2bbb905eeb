import { z } from 'zod'
import { Figure, plain } from './figure.ts'

export const GWP_SETS = ['AR4', 'AR5', 'AR6'] as const
export type GwpSet = (typeof GWP_SETS)[number]

/** Whether kg are kg of the gas, still to be weighed, or kg CO2e, weighed by the publisher already. */
export const GAS_BASES = ['gas', 'co2e'] as const

export const FactorGas = z.object({
  /** `CO2`, `CH4`, `CH4 fossil`, `N2O`, `HFC-134a`; `CO2e` is a published total. */
  gas: z.string(),
  isBiogenic: z.boolean(),
  basis: z.enum(GAS_BASES),
  /** For one unit of activity. */
  kg: z.string(),
})
export type FactorGas = z.infer<typeof FactorGas>

export const GwpValue = z.object({
  gas: z.string(),
  gwpSet: z.enum(GWP_SETS),
  gwp: z.string(),
  /** Of the Kyoto Protocol; others are told beside the scopes. */
  isKyoto: z.boolean(),
  source: z.string(),
  /** What another publisher prints for the same report. */
  otherGwp: z.string().nullable(),
  otherSource: z.string().nullable(),
})
export type GwpValue = z.infer<typeof GwpValue>

/**
 * Where a gas row counts. `scope`: in the result. `part`: in the published total, which it is a part of. `biogenic`: CO2
 * of plants, beside the scopes. `other`: a gas outside the Kyoto Protocol, beside the scopes. `unknown`: without a
 * warming potential in this set.
 */
export const GAS_PLACES = ['scope', 'part', 'biogenic', 'other', 'unknown'] as const

export const Resolved = z.object({
  gwpSet: z.enum(GWP_SETS),
  /** kg CO2e for one unit, in the scopes; null where a gas has no warming potential. */
  co2e: z.string().nullable(),
  /** kg of biogenic CO2 for one unit, beside the scopes. */
  biogenicCo2: z.string(),
  /** kg CO2e for one unit of gases outside the Kyoto Protocol, beside the scopes. */
  otherCo2e: z.string(),
  /** Some of it was published as CO2e: it is the same in every set. */
  isFixed: z.boolean(),
  gases: z.array(
    FactorGas.extend({
      gwp: z.string().nullable(),
      /** The row in kg CO2e, wherever it counts; of biogenic CO2 the kg. Null: unknown. */
      co2e: z.string().nullable(),
      place: z.enum(GAS_PLACES),
      /** What another publisher prints, to be shown beside. */
      otherGwp: z.string().nullable(),
    }),
  ),
})
export type Resolved = z.infer<typeof Resolved>
type ResolvedGas = Resolved['gases'][number]

/**
 * What one unit of activity comes to, in kg CO2e, gas by gas. What was published as CO2e is never weighed again, and the
 * parts of a published total are not added to it. CO2 of plants stays outside, its CH4 and N2O count.
 */
export function resolve(
  { gases }: { gases: readonly FactorGas[] },
  gwpSet: GwpSet,
  gwps: readonly GwpValue[],
): Resolved {
  const hasTotal = gases.some(({ gas }) => gas === 'CO2e')
  const rows = gases.map((row) => placeGas(row, { hasTotal, gwp: findGwp(gwps, gwpSet, row.gas) }))
  const sum = (place: ResolvedGas['place']): Figure =>
    rows.reduce((total, row) => (row.place === place ? total.plus(row.co2e ?? 0) : total), new Figure(0))
  const isUnknown = rows.some(({ place }) => place === 'unknown')
  return {
    gwpSet,
    co2e: isUnknown ? null : plain(sum('scope')),
    biogenicCo2: plain(sum('biogenic')),
    otherCo2e: plain(sum('other')),
    isFixed: rows.some(({ basis, place }) => basis === 'co2e' && place === 'scope'),
    gases: rows,
  }
}

function placeGas(
  row: FactorGas,
  { hasTotal, gwp }: { hasTotal: boolean; gwp: GwpValue | undefined },
): ResolvedGas {
  const kg = plain(new Figure(row.kg))
  const blank = { ...row, kg, gwp: null, otherGwp: null }
  if (row.isBiogenic && row.gas === 'CO2') return { ...blank, co2e: kg, place: 'biogenic' }
  if (row.basis === 'co2e') {
    return { ...blank, co2e: kg, place: hasTotal && row.gas !== 'CO2e' ? 'part' : 'scope' }
  }
  // Beside a published total a weighed row would count twice.
  if (gwp === undefined) return { ...blank, co2e: null, place: hasTotal ? 'part' : 'unknown' }
  const weighed = {
    ...blank,
    gwp: gwp.gwp,
    otherGwp: gwp.otherGwp,
    co2e: plain(new Figure(row.kg).times(gwp.gwp)),
  }
  if (hasTotal) return { ...weighed, place: 'part' }
  return { ...weighed, place: gwp.isKyoto || new Figure(gwp.gwp).isZero() ? 'scope' : 'other' }
}

function findGwp(gwps: readonly GwpValue[], gwpSet: GwpSet, gas: string): GwpValue | undefined {
  return gwps.find((value) => value.gas === gas && value.gwpSet === gwpSet)
}
