import type { DirectGas } from '#contract/carbon/activity/activity-schema.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { PARTS, SCOPE2_METHODS, GasGroup } from '#contract/carbon/results/ledger-schema.ts'
import type { GwpSet, GwpValue } from '#contract/carbon/factors/resolve.ts'
import type { CalorificBasis, FuelProperty, UnitTable } from '#contract/carbon/factors/unit-table.ts'

/** Everything a factor is chosen by. Records that agree in it are reckoned by the same lines. */
export type LineKey = Readonly<{
  key: string
  inventoryId: string
  activity: string
  scope: string
  /** Null: where the facility stands is not known. */
  region: string | null
  unit: string | null
  basis: CalorificBasis | null
  /** Of the record, or else of the source. */
  handFactorId: string | null
  priceYear: number | null
  moneyRate: string | null
  moneyDeflator: string | null
  /** Of a record whose emissions were measured: one unit of it is the whole record. */
  direct: readonly DirectGas[] | null
  /** The first day of the month's share. */
  day: string
  /** The source, where electricity or heat was bought by something. */
  purchaseOf: string | null
}>

/** What the inventory asks for. */
export type Terms = Readonly<{
  gwpSet: GwpSet
  datasetIds: readonly string[]
  yearRule: 'exact' | 'latest'
  /** Category 3 of scope 3 is relevant: ways to the tank and losses of the grid are reckoned beside. */
  hasUpstream: boolean
}>

/** Where a factor stands at its publisher. */
export type Citation = Readonly<{ table: string | null; rows: string | null; priceYear: number | null }>

/** What routes are made of. */
export type ReferenceData = Readonly<{
  units: UnitTable
  fuels: readonly FuelProperty[]
  gwps: readonly GwpValue[]
  ofActivity: (activity: string) => readonly FactorRow[]
  /** The newest row of its line. */
  byId: (id: string) => FactorRow | undefined
  citationOf: (id: string) => Citation | undefined
}>

/** What was bought for a source, and how much it used in the inventory's period. */
export type Purchase = Readonly<{
  /** In the base unit of its dimension. */
  consumption: string
  instruments: readonly Readonly<{
    kind: 'certificate' | 'supplier_rate' | 'residual_mix'
    name: string
    unit: string
    kgCo2e: string
    /** Of certificates. */
    quantity: string | null
  }>[]
}>

/** One way to a result. Figures are for one unit of the factor; `multiplier` leads there. */
export type FactorApplication = Readonly<{
  part: (typeof PARTS)[number]
  scope: string
  method: (typeof SCOPE2_METHODS)[number] | null
  factorId: string | null
  multiplier: string
  /** Null: there is no result, and `problem` says why. */
  co2e: string | null
  groups: Readonly<Record<GasGroup, string | null>>
  biogenic: string
  other: string
  conversion: string | null
  /** With places for the quantity, the inclusion and the result. */
  formula: string | null
  problem: string | null
  flags: readonly string[]
}>
/** The same, as it follows from a key. */
export type LineTrace = FactorApplication & Readonly<{ key: string }>

export const NO_GROUPS: LineTrace['groups'] = {
  co2: null,
  ch4: null,
  n2o: null,
  hfc: null,
  pfc: null,
  sf6: null,
  nf3: null,
  undivided: null,
}
