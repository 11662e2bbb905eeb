import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseLeadDestinations, NEW_CURSOR, type RoutingDestination } from './choose-lead-destinations.ts'
import { plainFacts, plainRule } from './plain-rule.ts'
import { warnOfRules } from './rule-warnings.ts'

const open: RoutingDestination = {
  id: '1',
  name: 'Eleads',
  kind: 'webhook',
  isActive: true,
  isCircuitOpen: false,
  dailyCap: null,
  isOff: false,
  members: [],
}
const destinations = new Map([
  ['1', open],
  ['2', { ...open, id: '2', isActive: false }],
])
const TARGETS = [{ destinationId: '1', weight: 1 }]

test('warns of a rule whose leads an earlier rule takes, and not of one that it only overlaps', () => {
  const rules = [
    plainRule({ id: '1', name: 'Ford', makes: ['Ford'], targets: TARGETS }),
    plainRule({ id: '2', makes: ['ford'], leadTypes: ['new'], targets: TARGETS }),
    plainRule({ id: '3', leadTypes: ['new'], targets: TARGETS }),
  ]
  const warnings = warnOfRules(rules, destinations)
  expect(warnings.get('2')).toEqual({
    kind: 'unreachable',
    text: 'Never reached: Ford takes all of its leads.',
    otherRuleId: '1',
  })
  expect(warnings.get('3')).toBeUndefined()
})

test('warns of a rule that sends leads twice, and of one without an available destination', () => {
  const rules = [
    plainRule({ id: '1', name: 'Copy', stopsHere: false, targets: TARGETS }),
    plainRule({ id: '2', targets: TARGETS }),
    plainRule({ id: '3', makes: ['Ford'], targets: [{ destinationId: '2', weight: 1 }] }),
  ]
  const warnings = warnOfRules([rules[0] ?? plainRule(), rules[1] ?? plainRule()], destinations)
  expect(warnings.get('2')).toMatchObject({ kind: 'overlap', otherRuleId: '1' })
  expect(warnOfRules(rules.slice(2), destinations).get('3')).toMatchObject({ kind: 'no destination' })
})

const anyRule = fc.record({
  isActive: fc.boolean(),
  stopsHere: fc.boolean(),
  leadTypes: fc.subarray(['new', 'used']),
  makes: fc.subarray(['Ford', 'Kia']),
  postalCodes: fc.subarray(['958*', '95821', '10001']),
  hours: fc.constantFrom('any', 'open', 'closed', 'between'),
  tradeIn: fc.constantFrom('any', 'with', 'without'),
  priceFromCents: fc.constantFrom(null, 0, 1_000),
  priceToCents: fc.constantFrom(null, 2_000, 3_000),
  condition: fc.constantFrom('', 'year > 2020'),
  targets: fc.constantFrom(TARGETS, [{ destinationId: '2', weight: 1 }]),
})
const anyLead = fc.record({
  leadType: fc.constantFrom('new', 'used', null),
  make: fc.constantFrom('Ford', 'Kia', null),
  postalCode: fc.constantFrom('95821', '95899', '10001', null),
  opening: fc.constantFrom('open', 'closed', 'unknown'),
  hasTradeIn: fc.boolean(),
  priceCents: fc.constantFrom(null, 500, 1_500, 2_500),
  time: fc.constantFrom('03:00', '12:00'),
  values: fc.constantFrom({ year: 2019 }, { year: 2022 }),
})

test('no lead is ever sent by a rule that is shown as never reached', () => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { minLength: 2, maxLength: 5 }),
      fc.array(anyLead, { minLength: 20, maxLength: 20 }),
      (drawn, leads) => {
        const rules = drawn.map((one, at) => plainRule({ ...one, id: String(at + 1) }))
        const warnings = warnOfRules(rules, destinations)
        for (const lead of leads) {
          const { chosen } = chooseLeadDestinations({ rules, destinations }, plainFacts(lead), NEW_CURSOR, {
            day: '2026-11-18',
            earlier: null,
            open: {},
          })
          for (const { ruleId } of chosen) {
            expect(['unreachable', 'no destination']).not.toContain(warnings.get(ruleId)?.kind)
          }
        }
      },
    ),
    { numRuns: 200 },
  )
})
