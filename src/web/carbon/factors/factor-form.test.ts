import { expect, test } from 'vitest'
import { blankFor, checkFactor, toInput } from './factor-form.ts'
import { formulaOf, showScopes } from './factor-labels.ts'

const filled = {
  ...blankFor({ region: 'CA' }),
  validFrom: '2024-01-01',
  sourceNote: 'National Inventory Report 2026, Annex 13',
  gases: [{ gas: 'CO2e', basis: 'co2e' as const, kg: '0.11', isBiogenic: false }],
  gwpSet: 'AR5',
}

test('an official grid factor needs only its value with the GWP set, start date and source', () => {
  expect(Object.keys(checkFactor(blankFor({ region: 'CA' }))).toSorted()).toEqual([
    'gases.0.kg',
    'gwpSet',
    'sourceNote',
    'validFrom',
  ])
  expect(checkFactor(filled)).toEqual({})
  expect(toInput(filled)).toMatchObject({
    activity: 'electricity/grid',
    scopes: ['2'],
    validTo: null,
    gwpSet: 'AR5',
  })
})

test('the form for a missing factor is prefilled with its activity, unit, scope and region', () => {
  const asked = { region: 'US-CAMX', activity: 'water/supply', unit: 'gallon', scope: '3.1' }
  const blank = blankFor(asked)
  expect(blank).toMatchObject({
    region: 'US-CAMX',
    activity: 'water/supply',
    unit: 'gallon',
    scopes: ['3.1'],
    name: '',
  })
  expect(Object.keys(checkFactor(blank)).toSorted()).toEqual([
    'boundary',
    'category',
    'gases.0.kg',
    'gwpSet',
    'name',
    'sourceNote',
    'validFrom',
  ])
  // An invalid value in a link is reported at its field.
  expect(checkFactor(blankFor({ activity: 'x', scope: '9' }))).toHaveProperty(['scopes.0'])
})

test('a factor in kg of the gas states no GWP set, and a source may not state one', () => {
  const gases = [{ gas: 'CH4', basis: 'gas' as const, kg: '1', isBiogenic: false }]
  expect(checkFactor({ ...filled, gases, gwpSet: '' })).toEqual({})
  expect(toInput({ ...filled, gases, gwpSet: 'AR5' })).toMatchObject({ gwpSet: null })
  expect(toInput({ ...filled, gwpSet: 'unknown' })).toMatchObject({ gwpSet: null })
})

test('a blank form reports its required fields', () => {
  expect(checkFactor(blankFor({}))).toMatchObject({
    name: 'Name is required.',
    scopes: 'Choose a scope.',
    boundary: 'Choose what the factor covers.',
  })
})

test('a formula shows what is multiplied, and what is not added again', () => {
  const row = { isBiogenic: false, otherGwp: null }
  const resolved = {
    gwpSet: 'AR5' as const,
    co2e: '53.1145',
    biogenicCo2: '0',
    otherCo2e: '0',
    isFixed: false,
    gases: [
      {
        ...row,
        gas: 'CO2',
        basis: 'gas' as const,
        kg: '53.06',
        gwp: '1',
        co2e: '53.06',
        place: 'scope' as const,
      },
      {
        ...row,
        gas: 'CH4',
        basis: 'gas' as const,
        kg: '0.001',
        gwp: '28',
        co2e: '0.028',
        place: 'scope' as const,
      },
      {
        ...row,
        gas: 'N2O',
        basis: 'co2e' as const,
        kg: '0.1',
        gwp: null,
        co2e: '0.1',
        place: 'part' as const,
      },
    ],
  }
  expect(formulaOf({ unit: 'mmBtu' }, resolved)).toEqual([
    '1 mmBtu x 53.06 kg CO2 = 53.06 kg CO2e',
    '1 mmBtu x 0.001 kg CH4 x 28 (AR5) = 0.028 kg CO2e',
    'of which N2O: 0.1 kg CO2e, not added again',
  ])
  expect(showScopes(['3.4', '3.9'])).toBe('Scope 3.4, 3.9')
})
