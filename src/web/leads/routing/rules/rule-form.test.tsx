import { expect, test } from 'vitest'
import { ruleOf } from '../example-rules.ts'
import { blankOf, copyOf, ruleForm, usedConditions } from './rule-form.ts'

const form = ruleForm('USD', { isCatchAll: false })
const TARGET = { destinationId: '11', weight: '1' }
const values = (changes: Partial<typeof form.blank> = {}) => ({
  ...form.blank,
  name: 'Ford used',
  targets: [TARGET],
  ...changes,
})

test('a saved rule is the same after a round trip through the form', () => {
  const rule = ruleOf({
    name: 'Ford used',
    makes: ['Ford'],
    priceFromCents: 2_000_050,
    hours: 'between',
    fromTime: '18:00',
    untilTime: '08:00',
    strategy: 'weighted',
    targets: [{ destinationId: '11', weight: 3 }],
    dedupeMinutes: 720,
    condition: 'year > 2020',
  })
  expect({ ...rule, ...form.toInput(form.toValues(rule)) }).toEqual(rule)
})

test('a complete rule has no errors, and one without destination says so', () => {
  expect(form.check(values())).toEqual({})
  expect(form.check(values({ targets: [] }))).toEqual({ targets: 'Add at least one destination.' })
  expect(form.check(values({ targets: [{ ...TARGET, destinationId: '' }] }))).toMatchObject({
    'targets.0.destinationId': 'Choose a destination.',
  })
  expect(form.check(values({ targets: [TARGET, TARGET] }))).toEqual({
    targets: 'Each destination can be listed only once.',
  })
})

test.each([
  [
    { dedupeMinutes: '400' },
    'dedupeMinutes',
    "The time in “Don't send again within” can be at most one year.",
  ],
  [{ dedupeMinutes: 'x' }, 'dedupeMinutes', "The time in “Don't send again within” must be a number."],
  [
    { priceFromCents: '30000', priceToCents: '20000' },
    'priceToCents',
    'Price to must not be below price from.',
  ],
  [{ priceFromCents: 'abc' }, 'priceFromCents', 'Price from must be a number.'],
  [{ hours: 'between' as const, fromTime: '18:00' }, 'untilTime', 'Enter a time.'],
  [{ targets: [{ ...TARGET, weight: '0' }] }, 'targets.0.weight', 'Weight must be at least 1.'],
  [{ targets: [{ ...TARGET, weight: '1.5' }] }, 'targets.0.weight', 'Weight must be a whole number.'],
])('%o has an error at %s', (changes, name, sentence) => {
  expect(form.check(values(changes))).toMatchObject({ [name]: sentence })
})

test('the catch-all rule rejects conditions', () => {
  const last = ruleForm('USD', { isCatchAll: true })
  expect(last.check(values())).toEqual({})
  expect(last.check(values({ makes: ['Ford'] }))).toHaveProperty('makes')
})

test('only conditions that narrow a rule are shown, and removing one clears its fields', () => {
  expect(usedConditions(form.blank)).toEqual([])
  const used = values({ makes: ['Ford'], hours: 'between', fromTime: '18:00', untilTime: '08:00' })
  expect(usedConditions(used)).toEqual(['makes', 'hours'])
  expect(usedConditions({ ...used, ...blankOf('hours', form.blank) })).toEqual(['makes'])
})

test('a copy is paused, has its own name and keeps the rest', () => {
  const rule = ruleOf({ name: 'Used Fords', makes: ['Ford'], leadTypes: ['used'] })
  const copy = copyOf(rule, 'Copy')
  expect(copy).toMatchObject({ name: 'Copy', isActive: false, makes: ['Ford'], leadTypes: ['used'] })
})
