import { expect, test } from 'vitest'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import { joinNames } from '#web/ui/layout/join-names.ts'
import { describeTargets, splitWindow, summarizeConditions } from './describe-rule.ts'
import { NAMES, ruleOf } from '../example-rules.ts'

const summary = (changes: Partial<LeadRoutingRule>) => summarizeConditions(ruleOf(changes), NAMES)
const targets = (ids: readonly string[], changes: Partial<LeadRoutingRule> = {}) =>
  describeTargets(
    ruleOf({ targets: ids.map((destinationId, at) => ({ destinationId, weight: at + 1 })), ...changes }),
    NAMES,
  )

test('the catch-all rule and a rule without conditions say whose leads they get', () => {
  expect(summary({ isCatchAll: true })).toBe('Every lead that no other rule has sent')
  expect(summary({})).toBe('Every lead')
})

test.each<[Partial<LeadRoutingRule>, string]>([
  [{ lotIds: ['1', '2'] }, 'At Northgate Ford or Northgate Toyota'],
  [{ lotIds: ['9'] }, 'At another lot'],
  [{ leadTypes: ['used', 'trade-in'] }, 'Used vehicle or Trade-in'],
  [{ sources: ['AutoTrader'], makes: ['Ford'] }, 'From AutoTrader · Ford'],
  [{ priceFromCents: 2_000_000, priceToCents: 3_000_000 }, '$20,000 to $30,000'],
  [{ priceFromCents: 2_000_000 }, '$20,000 or more'],
  [{ priceToCents: 0 }, 'Up to $0'],
  [{ formIds: ['5'] }, 'Form Ask about a vehicle'],
  [{ postalCodes: ['958*'] }, 'ZIP code 958*'],
  [{ languages: ['es', 'not a code'] }, 'In Spanish or not a code'],
  [{ hours: 'closed' }, 'While the lot is closed'],
  [{ tradeIn: 'without' }, 'Without a trade-in'],
  [{ condition: ' year > 2020 ' }, 'Year > 2020'],
])('%o is described', (changes, text) => {
  expect(summary(changes).replaceAll(/\u202F|\u00A0/g, ' ')).toBe(text)
})

test('two times are shown by the clock of the reader', () => {
  expect(
    summary({ hours: 'between', fromTime: '18:00', untilTime: '08:30' }).replaceAll(/\u202F|\u00A0/g, ' '),
  ).toBe('From 6:00 PM to 8:30 AM')
})

test('more than three values are counted', () => {
  expect(joinNames(['a', 'b', 'c'], 'or')).toBe('a, b or c')
  expect(joinNames(['a', 'b', 'c', 'd', 'e'], 'or')).toBe('a, b, c or 2 more')
})

test('each strategy is a sentence', () => {
  expect(targets([])).toBe('No destination.')
  expect(targets(['11'], { strategy: 'weighted' })).toBe('To Ana Souza.')
  expect(targets(['11', '12'])).toBe('To Ana Souza and Luis Ortega.')
  expect(targets(['11', '12'], { strategy: 'round-robin' })).toBe(
    'Takes turns between Ana Souza and Luis Ortega.',
  )
  expect(targets(['11', '12'], { strategy: 'least-recent' })).toBe(
    'To the one that has waited longest: Ana Souza or Luis Ortega.',
  )
  expect(targets(['11', '12'], { strategy: 'least-open' })).toBe(
    'To the one with the fewest open leads: Ana Souza or Luis Ortega.',
  )
  expect(targets(['11', '12', '13'], { strategy: 'failover' })).toBe(
    'To Ana Souza; if that fails, to Luis Ortega or Eleads.',
  )
  expect(targets(['11', '12', '13'], { strategy: 'weighted' })).toBe(
    'Of 6 leads, 1 to Ana Souza, 2 to Luis Ortega and 3 to Eleads.',
  )
  expect(targets(['99'])).toBe('To a deleted destination.')
})

test('a rule that does not stop says so, but not the last one', () => {
  expect(targets(['11'], { stopsHere: false })).toBe('To Ana Souza. Later rules are checked too.')
  expect(targets(['11'], { stopsHere: false, isCatchAll: true })).toBe('To Ana Souza.')
})

test.each([
  [43_200, 30, 'days'],
  [720, 12, 'hours'],
  [90, 90, 'minutes'],
  [0, 0, 'days'],
] as const)('%i minutes are %i %s', (minutes, amount, unit) => {
  expect(splitWindow(minutes)).toEqual({ amount, unit })
})
