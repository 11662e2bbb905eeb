// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { RULE_KIND_CODES } from '#contract/pricing/rules/rule-kinds.ts'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

test('the 14 rules of the demo world are of every kind, some do their work, one is blocked and one never applies', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { results: rules } = await admin.call(pricingRules.list, {})
  expect(rules).toHaveLength(14)
  expect([...new Set(rules.map(({ kind }) => kind))].toSorted()).toEqual(RULE_KIND_CODES.toSorted())
  const effects = await admin.call(pricingRules.effects, {})
  const kindOf = new Map(rules.map(({ id, kind }) => [id, kind]))
  const applied = new Set(effects.flatMap((one) => (one.applied > 0 ? [kindOf.get(one.ruleId)] : [])))
  expect(RULE_KIND_CODES.filter((kind) => !applied.has(kind))).toEqual([])
  // Blocked: the lowest price takes back part of it. Unreachable: another rule of its group is always better.
  expect(effects.filter(({ limited }) => limited > 0)).not.toEqual([])
  const unreachable = effects.filter((one) => one.applied === 0 && one.matched > 0 && one.reason === 'group')
  expect(unreachable.map(({ by }) => by?.name)).toEqual(['Truck month'])
})
