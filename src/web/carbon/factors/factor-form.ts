import { type Factor, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** One figure of the form. `basis` says what its kg are. */
export type GasValues = { gas: string; basis: 'gas' | 'co2e'; kg: string; isBiogenic: boolean }

export const BLANK_GAS: GasValues = { gas: 'CO2e', basis: 'co2e', kg: '', isBiogenic: false }

/** What the form holds: text wherever a person types, empty for "not given". */
export type FactorValues = {
  name: string
  category: string
  activity: string
  scopes: string[]
  region: string
  unit: string
  calorificBasis: string
  boundary: string
  validFrom: string
  validTo: string
  priceYear: string
  gases: GasValues[]
  sourceNote: string
  table: string
  rows: string
  note: string
  isForAll: boolean
}

/** How fields are called, in the order of the form; the comparison of a stale factor reads it too. */
export const FIELD_NAMES: Record<keyof FactorValues, string> = {
  name: 'Name',
  region: 'Region',
  activity: 'Activity',
  category: 'Category',
  scopes: 'Scope',
  boundary: 'What it counts',
  unit: 'Unit',
  calorificBasis: 'Calorific value',
  priceYear: 'Prices of the year',
  validFrom: 'Valid from',
  validTo: 'Valid to',
  gases: 'Figures',
  sourceNote: 'Source',
  table: 'Table',
  rows: 'Row',
  note: 'Note',
  isForAll: 'For every organization',
}

export const BLANK: FactorValues = {
  name: '',
  category: '',
  activity: '',
  scopes: [],
  region: '',
  unit: '',
  calorificBasis: '',
  boundary: '',
  validFrom: '',
  validTo: '',
  priceYear: '',
  gases: [BLANK_GAS],
  sourceNote: '',
  table: '',
  rows: '',
  note: '',
  isForAll: false,
}

/** What a new factor is for, where a link says so. */
export type FactorFor = {
  region?: string | undefined
  activity?: string | undefined
  unit?: string | undefined
  scope?: string | undefined
}

/**
 * The form of a new factor, filled with what it is for. A region alone asks for the figure that an authority publishes for
 * its grid.
 */
export function blankFor({ region, activity, unit, scope }: FactorFor): FactorValues {
  if (activity !== undefined) {
    return {
      ...BLANK,
      region: region ?? '',
      activity,
      unit: unit ?? '',
      scopes: scope === undefined ? [] : [scope],
    }
  }
  if (region === undefined) return BLANK
  return {
    ...BLANK,
    region,
    name: `Grid electricity, ${region}`,
    category: 'Purchased electricity > Grid average',
    activity: 'electricity/grid',
    scopes: ['2'],
    unit: 'kWh',
    boundary: 'generation',
  }
}

export function toValues(factor: Factor): FactorValues {
  const { name, category, activity, scopes, region, unit, boundary, validFrom } = factor
  return {
    name,
    category,
    activity,
    scopes,
    region,
    unit,
    boundary,
    validFrom,
    calorificBasis: factor.calorificBasis ?? '',
    validTo: factor.validTo ?? '',
    priceYear: factor.priceYear === null ? '' : String(factor.priceYear),
    gases: factor.gases.map(({ gas, basis, kg, isBiogenic }) => ({ gas, basis, kg, isBiogenic })),
    sourceNote: factor.sourceNote ?? '',
    table: factor.table ?? '',
    rows: factor.rows ?? '',
    note: factor.note ?? '',
    isForAll: factor.organizationId === null,
  }
}

/** What the form says, before the contract has looked at it. */
function toSent(values: FactorValues) {
  const { calorificBasis, validTo, priceYear, ...rest } = values
  return {
    ...rest,
    calorificBasis: calorificBasis === '' ? null : calorificBasis,
    validTo: validTo === '' ? null : validTo,
    priceYear: priceYear === '' ? null : Number(priceYear),
  }
}

/** As the contract takes it. @throws where `checkFactor` has something to say. */
export function toInput(values: FactorValues): FactorInput {
  return FactorInput.parse(toSent(values))
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkFactor(values: FactorValues): Record<string, string> {
  const { error } = FactorInput.safeParse(toSent(values))
  return error ? fieldSentences(error) : {}
}

/** A field as words, for the comparison. */
export function showField(name: string, values: FactorValues): string {
  if (name === 'gases')
    return values.gases
      .map(({ gas, kg, basis }) => `${kg} ${basis === 'gas' ? `kg ${gas}` : `kg CO2e of ${gas}`}`)
      .join(', ')
  return showValue({ ...values }[name])
}
