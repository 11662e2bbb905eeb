import type { DirectGas } from '#contract/carbon/activity/activity-schema.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { PARTS, SCOPE2_METHODS, GasGroup } from '#contract/carbon/activity/ledger-schema.ts'
import type { GwpSet, GwpValue } from '#contract/carbon/factors/resolve.ts'
import type { CalorificBasis, FuelProperty, UnitTable } from '#contract/carbon/factors/unit-table.ts'

/** Everything that determines the factor. Records with the same key have the same calculation lines. */
export type LineKey = Readonly<{
  key: string
  inventoryId: string
  activity: string
  scope: string
  /** Null: the region of the facility is unknown. */
  region: string | null
  unit: string | null
  basis: CalorificBasis | null
  /** From the record, or else from the source. */
  manualFactorId: string | null
  priceYear: number | null
  moneyRate: string | null
  moneyDeflator: string | null
  /** For a record with measured emissions, which are for the record as a whole. */
  direct: readonly DirectGas[] | null
  /** The first day of the month's share. */
  day: string
  /** The source, if it has contractual instruments. */
  purchaseOf: string | null
}>

/** The calculation settings of the inventory. */
export type Terms = Readonly<{
  gwpSet: GwpSet
  datasetIds: readonly string[]
  yearRule: 'exact' | 'latest'
  /** Scope 3 category 3 is relevant, so well-to-tank emissions and T&D losses are calculated too. */
  hasUpstream: boolean
}>

/** Where the publisher lists a factor. `gwpSet`: the IPCC report behind figures that it publishes in CO2e; null: not stated. */
export type Citation = Readonly<{
  table: string | null
  rows: string | null
  priceYear: number | null
  gwpSet: string | null
}>

/** The reference data for calculation lines. */
export type ReferenceData = Readonly<{
  units: UnitTable
  fuels: readonly FuelProperty[]
  gwps: readonly GwpValue[]
  ofActivity: (activity: string) => readonly FactorRow[]
  /** The newest version of the factor. */
  byId: (id: string) => FactorRow | undefined
  citationOf: (id: string) => Citation | undefined
}>

/** The instruments of a source, and its consumption in the inventory's period. */
export type Purchase = Readonly<{
  /** In the base unit of its dimension. */
  consumption: string
  instruments: readonly Readonly<{
    kind: 'certificate' | 'supplier_rate' | 'residual_mix'
    name: string
    unit: string
    kgCo2e: string
    /** Only for certificates. */
    quantity: string | null
  }>[]
}>

/** A calculation line: values are per unit of the factor, and `multiplier` converts from the unit of the record. */
export type FactorApplication = Readonly<{
  part: (typeof PARTS)[number]
  scope: string
  method: (typeof SCOPE2_METHODS)[number] | null
  factorId: string | null
  multiplier: string
  /** Null: can't be calculated, and `problem` says why. */
  co2e: string | null
  groups: Readonly<Record<GasGroup, string | null>>
  biogenic: string
  other: string
  conversion: string | null
  /** With placeholders for quantity, inclusion and result. */
  formula: string | null
  problem: string | null
  flags: readonly string[]
}>
/** The calculation line for a key. */
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
