import { describe, expect, test } from 'vitest'
import { fillVariables, lintClaims, unknownVariables } from './lint-claims.ts'

const FACTS = { vehicles: 3, lastDays: ['2026-12-31'], totals: [2_499_000] }

describe('claims of a campaign', () => {
  test.each([
    'Trucks until December 31',
    'Until Dec. 31st',
    'Only 3 trucks',
    'A Tundra for $24,990',
    'Winter tires fitted',
  ])('may say what is proved: %s', (text) => {
    expect(lintClaims(text, FACTS)).toEqual([])
  })

  test.each([
    ['Ends December 24', /isn't the last day/],
    ['Until 12/24', /isn't the last day/],
    ['Ends today', /another day/],
    ['Only 2 left', /doesn't match the 3 vehicles/],
    ['Your last chance', /only be said about one vehicle/],
    ['From $19,990', /typed by hand/],
  ])('may not say what nothing proves: %s', (text, finding) => {
    expect(lintClaims(text, FACTS).join(' ')).toMatch(finding)
  })

  test('finds variables that nothing fills', () => {
    expect(unknownVariables('Hi {{ firstName }}, {{lastName}} of {{ lot }}')).toEqual(['lastName'])
    expect(fillVariables('Hi {{ firstName }}', { firstName: 'Ann', lot: 'Ford', company: 'Northgate' })).toBe(
      'Hi Ann',
    )
  })
})
