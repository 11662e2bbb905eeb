import { expect, test } from 'vitest'
import { GRID_REGION_CODES, GRID_REGIONS, proposeGridRegion } from './grid-regions.ts'
import { INDUSTRIES, isIndustryLike } from '../profile/industries.ts'

test('has 27 subregions, each with a name', () => {
  expect(GRID_REGION_CODES.length).toBe(27)
  expect(GRID_REGION_CODES.map((code) => GRID_REGIONS[code].length > 5)).not.toContain(false)
})

test.for([
  ['US', 'CA', '95841', 'CAMX'],
  ['US', ' ca ', '95841-1203', 'CAMX'],
  ['US', 'ME', null, 'NEWE'],
  ['US', 'NY', '10001', 'NYCW'],
  ['US', 'NY', '14201', 'NYUP'],
  ['US', 'TX', '77002', 'ERCT'],
  // El Paso, and a state without any certain ZIP code.
  ['US', 'TX', '79901', null],
  ['US', 'NV', '89101', null],
  // States with a border: no suggestion without a valid ZIP code.
  ['US', 'CA', null, null],
  ['US', 'CA', '9584', null],
  ['US', 'constructor', '95841', null],
  ['CA', 'CA', '95841', null],
  [null, 'CA', '95841', null],
] as const)('%s %s %s lies in %s', ([country, region, postalCode, wanted]) => {
  expect(proposeGridRegion({ country, region, postalCode })).toBe(wanted)
})

test('every industry has a unique code and is found by common search words', () => {
  expect(new Set(INDUSTRIES.map(({ id }) => id)).size).toBe(INDUSTRIES.length)
  expect(INDUSTRIES.map(({ id }) => /^(naics|nace)-[A-Z0-9.-]+$/.test(id))).not.toContain(false)
  const found = (typed: string) => INDUSTRIES.filter((one) => isIndustryLike(one, typed)).map(({ id }) => id)
  expect(found('used car')).toContain('naics-441120')
  expect(found('paint')).toEqual(['naics-811121', 'nace-45.20'])
  expect(found('NACE 45.11')).toEqual(['nace-45.11'])
})
