import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONSOLIDATIONS, inclusionOf, inclusionOver, type ControlRow, type Link } from './inclusion.ts'

const controlled = (validFrom: string, more: Partial<ControlRow> = {}): ControlRow => ({
  validFrom,
  ownership: '100',
  operationalControl: true,
  financialControl: true,
  ...more,
})
const link = (name: string, control: ControlRow[], more: Partial<Link> = {}): Link => ({
  name,
  openedOn: null,
  closedOn: null,
  control,
  ...more,
})

describe('inclusion and its reason', () => {
  const group = link('Group', [controlled('2020-01-01', { ownership: '80' })])
  const shop = link('Body and Paint', [
    controlled('2021-01-01', { ownership: '60', operationalControl: false }),
    controlled('2024-07-01', { ownership: '60', financialControl: false }),
    controlled('2025-07-01', { ownership: '75.5' }),
  ])

  test.for([
    [
      'equity',
      '2022-05-05',
      '48',
      'Equity share: Group 80% since Jan 1, 2020, times Body and Paint 60% since Jan 1, 2021.',
    ],
    [
      'equity',
      '2025-07-01',
      '60.4',
      'Equity share: Group 80% since Jan 1, 2020, times Body and Paint 75.5% since Jul 1, 2025.',
    ],
    ['operational', '2024-06-30', '0', 'No operational control of Body and Paint since Jan 1, 2021.'],
    ['operational', '2026-01-01', '100', 'Under operational control since Jul 1, 2024.'],
    ['financial', '2024-06-30', '100', 'Under financial control since Jan 1, 2021.'],
    ['financial', '2025-06-30', '0', 'No financial control of Body and Paint since Jul 1, 2024.'],
    ['equity', '2020-12-31', null, 'Ownership and control of Body and Paint on Dec 31, 2020 are unknown.'],
  ] as const)('by %s on %s it is %s', ([approach, day, percent, reason]) => {
    expect(inclusionOf([group, shop], day, approach)).toEqual({ percent, reason })
  })

  test('is 0 before the facility opened and after an ancestor closed', () => {
    const chain = [
      link('Site', [controlled('2020-01-01')], { closedOn: '2025-06-30' }),
      link('Shop', [controlled('2020-01-01')], { openedOn: '2021-01-01' }),
    ]
    expect(inclusionOf(chain, '2020-12-31', 'equity')).toEqual({
      percent: '0',
      reason: 'Shop opened on Jan 1, 2021.',
    })
    expect(inclusionOf(chain, '2025-06-30', 'equity')).toEqual({ percent: '100', reason: 'Wholly owned.' })
    expect(inclusionOf(chain, '2025-07-01', 'equity')).toEqual({
      percent: '0',
      reason: 'Site closed on Jun 30, 2025.',
    })
  })
})

const DAYS = Array.from({ length: 60 }, (_, at) =>
  new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
)
const anyDay = fc.constantFrom(...DAYS)
const anyRow = fc.record({
  validFrom: anyDay,
  ownership: fc.integer({ min: 0, max: 1_000_000 }).map((n) => String(n / 10_000)),
  operationalControl: fc.boolean(),
  financialControl: fc.boolean(),
})
const anyLink: fc.Arbitrary<Link> = fc.record({
  name: fc.constantFrom('A', 'B', 'C'),
  openedOn: fc.option(anyDay),
  closedOn: fc.option(anyDay),
  control: fc.uniqueArray(anyRow, { selector: ({ validFrom }) => validFrom, maxLength: 4 }),
})
const anyChain = fc.array(anyLink, { minLength: 1, maxLength: 5 })
const anyApproach = fc.constantFrom(...CONSOLIDATIONS)

describe('for any chain of facilities', () => {
  test('inclusion is 0 or 100 by control, and from 0 to 100 by equity share', () => {
    fc.assert(
      fc.property(anyChain, anyDay, anyApproach, (chain, day, approach) => {
        const { percent } = inclusionOf(chain, day, approach)
        if (percent === null) return
        expect(Number(percent)).toBeGreaterThanOrEqual(0)
        expect(Number(percent)).toBeLessThanOrEqual(100)
        expect(approach === 'equity' || percent === '0' || percent === '100').toBe(true)
      }),
    )
  })

  test('inclusion is never higher than that of the parent', () => {
    fc.assert(
      fc.property(anyChain, anyLink, anyDay, anyApproach, (chain, below, day, approach) => {
        const above = inclusionOf(chain, day, approach).percent
        const own = inclusionOf([...chain, below], day, approach).percent
        if (above === null || own === null) return
        expect(Number(own)).toBeLessThanOrEqual(Number(above))
      }),
    )
  })

  test('the order of rows does not matter', () => {
    fc.assert(
      fc.property(anyChain, anyDay, anyApproach, (chain, day, approach) => {
        const reversed = chain.map((one) => ({ ...one, control: one.control.toReversed() }))
        expect(inclusionOf(reversed, day, approach)).toEqual(inclusionOf(chain, day, approach))
      }),
    )
  })

  test('the spans of a period cover each day once, with the percentage of that day', () => {
    fc.assert(
      fc.property(anyChain, anyDay, anyDay, anyApproach, (chain, one, other, approach) => {
        const [from = one, to = other] = [one, other].toSorted()
        const spans = inclusionOver(chain, { from, to }, approach)
        const days = DAYS.filter((day) => day >= from && day <= to)
        const covered = days.map((day) => spans.filter((span) => span.from <= day && day <= span.to))
        expect(covered.map((found) => found.length)).toEqual(days.map(() => 1))
        expect(covered.flat().map(({ percent }) => percent)).toEqual(
          days.map((day) => inclusionOf(chain, day, approach).percent),
        )
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, to])
      }),
    )
  })
})
