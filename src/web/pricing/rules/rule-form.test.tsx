import { expect, test } from 'vitest'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import { describeAmount, ruleForm } from './rule-form.ts'

const RULE: PricingRule = {
  id: '1',
  name: 'Aging stock',
  kind: 'discount',
  isActive: true,
  lotIds: [],
  condition: '',
  cents: 80_000,
  percent: null,
  field: null,
  stepCents: null,
  roundingMode: 'down',
  steps: [],
  aboveCostCents: null,
  aboveInvoiceCents: null,
  offMsrpPercent: null,
  keepsMinimum: false,
  whenMissing: 'skip',
  exclusiveGroup: null,
  fromMinute: null,
  untilMinute: '2026-12-01T00:00',
  qualifier: null,
  label: null,
  disclaimer: null,
  version: 1,
  updatedAt: '2026-11-24T10:00:00Z',
  updatedBy: null,
  hidesAmounts: false,
}
const form = ruleForm('USD')

test('round-trips a rule with amounts as typed', () => {
  const steps = [{ days: 45, cents: 30_000, percent: null }]
  const values = form.toValues({ ...RULE, steps })
  expect(values).toMatchObject({ cents: '800.00', percent: '', steps: [{ days: '45', cents: '300.00' }] })
  expect(form.check(values)).toEqual({})
  expect(form.toInput(values)).toMatchObject({
    cents: 80_000,
    percent: null,
    steps,
    untilMinute: RULE.untilMinute,
  })
})

test('shows errors at the fields, also for settings that do not work together', () => {
  const values = form.toValues(RULE)
  expect(form.check({ ...values, percent: 'half' })).toEqual({ percent: 'Percentage must be a number.' })
  expect(form.check({ ...values, percent: '5' })).toEqual({ field: 'Choose what the percentage refers to.' })
  expect(form.check({ ...values, kind: 'offer' })).toEqual({
    qualifier: 'Enter who qualifies for the offer.',
  })
})

test.each([
  [{}, '$800'],
  [{ cents: 0, percent: 2, field: 'price' as const }, '2% of price'],
  [{ cents: 50_000, percent: 100, field: 'cost' as const }, '100% of cost plus $500'],
  [{ cents: -50_000, percent: 95, field: 'msrp' as const }, '95% of MSRP minus $500'],
  [{ kind: 'rounding' as const, cents: 9_500, stepCents: 10_000 }, 'Ends in $95, every $100'],
  [
    { kind: 'rounding' as const, cents: 9_500, stepCents: 10_000, roundingMode: 'nearest' as const },
    'Nearest that ends in $95, every $100',
  ],
  [
    {
      steps: [
        { days: 90, cents: 115_000, percent: null },
        { days: 45, cents: 30_000, percent: null },
      ],
    },
    '$300 to $1,150 by days in stock',
  ],
])('describes the amount of %o', (given, text) => {
  expect(describeAmount({ ...RULE, ...given }, 'USD')).toBe(text)
})
