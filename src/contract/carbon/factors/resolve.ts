import { z } from 'zod'
import { Figure, plain } from './figure.ts'

export const GWP_SETS = ['AR4', 'AR5', 'AR6'] as const
export type GwpSet = (typeof GWP_SETS)[number]

/** `gas`: kg of the gas, without GWP. `co2e`: kg CO2e, the publisher already applied the GWP. */
export const GAS_BASES = ['gas', 'co2e'] as const

export const FactorGas = z.object({
  /** `CO2`, `CH4`, `CH4 fossil`, `N2O`, `HFC-134a`; `CO2e` is a published total. */
  gas: z.string(),
  isBiogenic: z.boolean(),
  basis: z.enum(GAS_BASES),
  /** Per unit of activity. */
  kg: z.string(),
})
export type FactorGas = z.infer<typeof FactorGas>

/**
 * Whether GWPs are already part of the figures, so that the factor has to name their set. CO2 needs none: its GWP is 1 in
 * every report.
 */
export function needsGwpSet(gases: readonly Pick<FactorGas, 'gas' | 'basis'>[]): boolean {
  return gases.some(({ gas, basis }) => basis === 'co2e' && gas !== 'CO2')
}

export const GwpValue = z.object({
  gas: z.string(),
  gwpSet: z.enum(GWP_SETS),
  gwp: z.string(),
  /** Covered by the Kyoto Protocol; other gases are reported separately. */
  isKyoto: z.boolean(),
  source: z.string(),
  /** The value another publisher gives for the same report. */
  otherGwp: z.string().nullable(),
  otherSource: z.string().nullable(),
})
export type GwpValue = z.infer<typeof GwpValue>

/**
 * Where a gas is reported. `scope`: in the result. `part`: already included in a published CO2e total. `biogenic`:
 * biogenic CO2, outside the scopes. `other`: a gas outside the Kyoto Protocol, reported separately. `unknown`: no GWP in
 * this set.
 */
export const GAS_PLACES = ['scope', 'part', 'biogenic', 'other', 'unknown'] as const

export const Resolved = z.object({
  gwpSet: z.enum(GWP_SETS),
  /** kg CO2e per unit, in the scopes; null if a gas has no GWP. */
  co2e: z.string().nullable(),
  /** kg of biogenic CO2 per unit, outside the scopes. */
  biogenicCo2: z.string(),
  /** kg CO2e per unit of gases outside the Kyoto Protocol, reported separately. */
  otherCo2e: z.string(),
  /** Some of it was published as CO2e, so it is the same with every GWP set. */
  isFixed: z.boolean(),
  gases: z.array(
    FactorGas.extend({
      gwp: z.string().nullable(),
      /** This gas in kg CO2e, wherever it is reported; for biogenic CO2 its kg. Null: unknown. */
      co2e: z.string().nullable(),
      place: z.enum(GAS_PLACES),
      /** The value another publisher gives, for comparison. */
      otherGwp: z.string().nullable(),
    }),
  ),
})
export type Resolved = z.infer<typeof Resolved>
type ResolvedGas = Resolved['gases'][number]

/**
 * Emissions per unit of activity in kg CO2e, by gas. No GWP is applied to gases published as CO2e, and the parts of a
 * published total aren't added to it. Biogenic CO2 stays outside the scopes; biogenic CH4 and N2O count.
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
  // With a published total, adding the gas as well would count it twice.
  if (gwp === undefined) return { ...blank, co2e: null, place: hasTotal ? 'part' : 'unknown' }
  const withGwp = {
    ...blank,
    gwp: gwp.gwp,
    otherGwp: gwp.otherGwp,
    co2e: plain(new Figure(row.kg).times(gwp.gwp)),
  }
  if (hasTotal) return { ...withGwp, place: 'part' }
  return { ...withGwp, place: gwp.isKyoto || new Figure(gwp.gwp).isZero() ? 'scope' : 'other' }
}

function findGwp(gwps: readonly GwpValue[], gwpSet: GwpSet, gas: string): GwpValue | undefined {
  return gwps.find((value) => value.gas === gas && value.gwpSet === gwpSet)
}
