import { expect, test } from 'vitest'
import { ledgerInput, lineText, readLine } from '#contract/carbon/results/ledger-filter.ts'
import { atLeast, categoryCounts, otherGwpsNote, perUnit, tonnes } from './insight-labels.ts'

test('tonnes have one decimal place, and three below one tonne', () => {
  expect(tonnes('1412345.678')).toBe('1,412.3')
  expect(tonnes('512.4')).toBe('0.512')
  expect(tonnes('0')).toBe('0')
  expect(tonnes('-0.4')).toBe('0')
  expect(tonnes('-2500')).toBe('\u22122.5')
  expect(tonnes('-512.4')).toBe('\u22120.512')
})

test('an intensity is per employee or vehicle, or per its unit', () => {
  expect(perUnit({ kind: 'staff', unit: 'people' })).toBe('employee')
  expect(perUnit({ kind: 'floor_area', unit: 'm2' })).toBe('m2')
})

test('figures published with other GWPs are stated in tonnes of the chosen method', () => {
  const otherGwps = [
    { gwpSet: 'AR5' as const, location: '12300', market: '0' },
    { gwpSet: null, location: '500', market: '500' },
  ]
  const inventory = { gwpSet: 'AR6' as const }
  expect(otherGwpsNote({ otherGwps, inventory }, 'location')).toBe(
    'Published in CO2e: 12.3 t CO2e with AR5 GWPs, 0.500 t CO2e with a GWP set that the source does not state. This inventory uses AR6.',
  )
  expect(otherGwpsNote({ otherGwps, inventory }, 'market')).not.toContain('AR5')
  expect(otherGwpsNote({ otherGwps: [], inventory }, 'market')).toBeNull()
})

test('a relevant category counts only with data, and one that was not assessed is named apart', () => {
  const rated = (relevance: string, categories: readonly number[]) =>
    categories.map((category) => ({ category, relevance, reason: null }))
  const relevant = rated('relevant', [1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13])
  const scope3 = [...relevant, ...rated('not_relevant', [8, 10, 14]), ...rated('not_assessed', [15])]
  const scopes = ['1', '2', '3.1', '3.3', '3.5'].map((key) => ({ key }))
  expect(categoryCounts({ scope3, scopes })).toBe('3 of 11 relevant categories with data, 1 not assessed')
  expect(categoryCounts({ scope3: scope3.slice(0, 14), scopes: [] })).toBe(
    '0 of 11 relevant categories with data, 1 not assessed',
  )
})

test('a total with missing results is marked "at least"', () => {
  expect(atLeast({ location: '2000', market: '1000', missing: 1 }, 'market')).toBe('at least 1.0')
  expect(atLeast({ location: '2000', market: '1000', missing: 0 }, 'location')).toBe('2.0')
})

test('a total with missing data points or unreported categories is a minimum too', () => {
  const line = { location: '2000', market: '1000', missing: 0 }
  expect(atLeast({ ...line, points: 3 }, 'location')).toBe('at least 2.0')
  expect(atLeast({ ...line, points: 0, categories: 1 }, 'location')).toBe('at least 2.0')
  expect(atLeast({ ...line, points: 0, categories: 0 }, 'location')).toBe('2.0')
})

test('a line reference survives the round trip through the URL', () => {
  const line = { by: 'month', key: '2025-01-01' } as const
  expect(readLine(lineText(line))).toEqual(line)
  expect(ledgerInput(line)).toEqual({ month: '2025-01-01' })
  expect(readLine('gas:co2')).toBeNull()
  expect(readLine(undefined)).toBeNull()
})
