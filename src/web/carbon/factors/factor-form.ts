import { unlessBlank } from '#contract/parsing/typed-number.ts'
import { Factor, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { GWP_SETS, needsGwpSet } from '#contract/carbon/factors/resolve.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** One gas of the form. `basis`: whether `kg` is kg of the gas or kg CO2e. */
export type GasValues = { gas: string; basis: 'gas' | 'co2e'; kg: string; isBiogenic: boolean }

export const BLANK_GAS: GasValues = { gas: 'CO2e', basis: 'co2e', kg: '', isBiogenic: false }

/** The values of the form: text for everything typed, empty if not given. */
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
  /** `unknown`: the source doesn't state it. */
  gwpSet: string
  sourceNote: string
  table: string
  rows: string
  note: string
  isForAll: boolean
}

/** Field labels in form order; also used to compare a stale factor. */
const FIELD_NAMES: Record<keyof FactorValues, string> = {
  name: 'Name',
  region: 'Region',
  activity: 'Activity',
  category: 'Category',
  scopes: 'Scope',
  boundary: 'Covers',
  unit: 'Unit',
  calorificBasis: 'Calorific value',
  priceYear: 'Price year',
  validFrom: 'Valid from',
  validTo: 'Valid to',
  gases: 'Gases',
  gwpSet: 'GWP set',
  sourceNote: 'Source',
  table: 'Table',
  rows: 'Row',
  note: 'Note',
  isForAll: 'For all organizations',
}

/** The choice for a source that doesn't state the GWP set of its figures in CO2e. */
export const UNKNOWN_GWP_SET = 'unknown'

const BLANK: FactorValues = {
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
  gwpSet: '',
  sourceNote: '',
  table: '',
  rows: '',
  note: '',
  isForAll: false,
}

/** What a new factor is for, from the link that opened the form. */
export type FactorFor = {
  region?: string | undefined
  activity?: string | undefined
  unit?: string | undefined
  scope?: string | undefined
}

/**
 * The values of a new factor, prefilled with what it is for. With a region only, the form is for the official grid factor
 * of that region.
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

function toValues(factor: Factor): FactorValues {
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
    gwpSet: needsGwpSet(factor.gases) ? (factor.gwpSet ?? UNKNOWN_GWP_SET) : '',
    sourceNote: factor.sourceNote ?? '',
    table: factor.table ?? '',
    rows: factor.rows ?? '',
    note: factor.note ?? '',
    isForAll: factor.organizationId === null,
  }
}

/** The form values in the shape of the contract, not validated yet. */
function toSent(values: FactorValues) {
  const { calorificBasis, validTo, priceYear, gwpSet, ...rest } = values
  return {
    ...rest,
    calorificBasis: calorificBasis === '' ? null : calorificBasis,
    validTo: validTo === '' ? null : validTo,
    priceYear: unlessBlank(priceYear),
    gwpSet: needsGwpSet(values.gases) ? (GWP_SETS.find((one) => one === gwpSet) ?? null) : null,
  }
}

/** The validated input. @throws ZodError if `checkFactor` returns errors. */
export function toInput(values: FactorValues): FactorInput {
  return FactorInput.parse(toSent(values))
}

/** An error sentence per invalid field, from the contract. */
export function checkFactor(values: FactorValues): Record<string, string> {
  const { error } = FactorInput.safeParse(toSent(values))
  return {
    ...(error && fieldSentences(error)),
    ...(needsGwpSet(values.gases) &&
      values.gwpSet === '' && {
        gwpSet: 'Choose the GWP set of the figures in kg CO2e, or that the source does not state it.',
      }),
  }
}

/** A field as text, for the comparison of a stale factor. */
export function showField(name: string, values: FactorValues): string {
  if (name === 'gases')
    return values.gases
      .map(({ gas, kg, basis }) => `${kg} ${basis === 'gas' ? `kg ${gas}` : `kg CO2e of ${gas}`}`)
      .join(', ')
  return showValue({ ...values }[name])
}

/** Everything the form of a saved factor needs to know. */
export const factorForm = { schema: Factor, labels: FIELD_NAMES, toValues, toInput, check: checkFactor }
