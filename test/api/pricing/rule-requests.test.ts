import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import { ruleRequests } from '#contract/pricing/rules/rule-requests.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { users } from '#contract/identity/users/users.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let manager: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await place.addMember({ userName: 'second.manager', userType: 'Customer administrator' })
  manager = await forecourt.as('second.manager', 'Northgate Ford')
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rule_requests')
  await forecourt.owner.query('delete from pricing_rules')
  await limit(1)
})
afterAll(() => forecourt.close())

/** Not through the product: there, a second user must agree to a higher limit. */
const limit = (approvalAbove: number | null) =>
  forecourt.owner.query(
    `update customers set price_limits = jsonb_strip_nulls(price_limits || jsonb_build_object('approvalAbove', $1::int))`,
    [approvalAbove],
  )

/** Two vehicles that a discount on their model would change, and that discount. */
async function twoVehicles() {
  const model = fresh('Ranger')
  const vehicle = { model, status: 'live', priceCents: 4_648_000, locksEdits: false } as const
  const ids = [await place.addVehicle(vehicle), await place.addVehicle(vehicle)]
  return {
    ids,
    rule: {
      name: fresh('Sale'),
      kind: 'discount',
      cents: 100_000,
      condition: `model == "${model}"`,
    } as const,
  }
}
const sellingPrices = async (ids: readonly string[]) => {
  const prices = []
  for (const id of ids) prices.push((await admin.call(vehiclePrices.get, { id })).sellingCents)
  return prices
}

test('a rule that changes more prices than one user may is refused, requested, and made when a second user approves', async () => {
  const { ids, rule } = await twoVehicles()
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, { ...rule, confirmPrices: true }))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['approval']])
  expect(refusal.message).toBe(
    'This changes 2 prices. Changes to more than 1 price need the approval of a second user.',
  )

  const asked = await admin.call(ruleRequests.ask, { change: { kind: 'add', rule }, note: 'Black Friday' })
  expect(asked).toMatchObject({
    state: 'open',
    changed: 2,
    title: rule.name,
    note: 'Black Friday',
    isOwn: true,
  })
  expect(asked.differences).toContainEqual({ field: 'Amount', before: null, after: '$1,000' })
  expect(await admin.call(ruleRequests.effect, { id: asked.id })).toMatchObject({
    lowered: 2,
    totalCents: -200_000,
  })
  expect(await sellingPrices(ids)).toEqual([4_648_000, 4_648_000])

  const own = { id: asked.id, version: asked.version }
  await expect(admin.call(ruleRequests.approve, own)).toRefuse(403)
  await expect(manager.call(ruleRequests.withdraw, own)).toRefuse(403)
  expect(await manager.call(ruleRequests.approve, own)).toMatchObject({ state: 'approved', differences: [] })
  expect(await sellingPrices(ids)).toEqual([4_548_000, 4_548_000])
  await expect(manager.call(ruleRequests.approve, own)).toRefuse(409)
  await expect(manager.call(ruleRequests.reject, { ...own, reason: 'Late' })).toRefuse(409)
})

test('a rule that starts later needs approval and confirmation for what it will change, and so does an import', async () => {
  const { rule } = await twoVehicles()
  const later = { ...rule, cents: 3_000_000, fromMinute: '2027-03-01T09:00' }
  const { refusal } = await refusalOf(admin.call(pricingRules.add, { ...later, confirmPrices: true }))
  expect(refusal.message).toBe(
    'This will change 2 prices. Changes to more than 1 price need the approval of a second user.',
  )
  const text = JSON.stringify({
    format: 'forecourt-pricing-rules',
    version: 1,
    rules: [{ ...later, lots: [] }],
  })
  const imported = await refusalOf(
    admin.call(ruleFiles.import, { text, isTrial: false, confirmPrices: true }),
  )
  expect(Object.keys(imported.refusal.fields ?? {})).toEqual(['approval'])
  const request = await admin.call(ruleRequests.ask, { change: { kind: 'import', text } })
  expect(request.changed).toBe(2)
  await limit(null)
  const unconfirmed = await refusalOf(admin.call(pricingRules.add, later))
  expect(Object.keys(unconfirmed.refusal.fields ?? {})).toEqual(['confirmPrices'])
  const { id } = await admin.call(pricingRules.add, { ...later, confirmPrices: true })
  // Its name changes no price.
  const { version } = await admin.call(pricingRules.get, { id })
  await admin.call(pricingRules.update, { id, version, name: fresh('Renamed') })
})

test('steps and dates that change prices on a later day need approval now', async () => {
  const { rule } = await twoVehicles()
  await forecourt.owner.query('update vehicles set in_stock_on = app_now()::date where in_stock_on is null')
  const step = { days: 400, cents: 1_000_000 }
  for (const later of [
    { cents: 0, steps: [{ days: 30, cents: 0, percent: null }, step] },
    { condition: `${rule.condition} && today() > date("2027-06-01")` },
    { condition: `${rule.condition} && daysInStock >= 300` },
  ]) {
    const { refusal } = await refusalOf(
      admin.call(pricingRules.add, { ...rule, ...later, confirmPrices: true }),
    )
    expect(refusal.message).toBe(
      'This will change 2 prices. Changes to more than 1 price need the approval of a second user.',
    )
  }
  // A rule that ends before is not asked about, and is saved at the time of today.
  const ended = {
    condition: `${rule.condition} && today() > date("2027-06-01")`,
    untilMinute: '2027-05-01T00:00',
  }
  const saved = await admin.call(pricingRules.add, { ...rule, ...ended })
  expect(saved.updatedAt < '2027-01-01').toBe(true)
})

test('changing, pausing and deleting a rule need approval too, and fewer prices do not', async () => {
  const { ids, rule } = await twoVehicles()
  await limit(null)
  const { id, version } = await admin.call(pricingRules.add, rule)
  await limit(1)
  for (const call of [
    () => admin.call(pricingRules.update, { id, version, isActive: false, confirmPrices: true }),
    () => admin.call(pricingRules.update, { id, version, cents: 200_000 }),
    () => admin.call(pricingRules.remove, { id, confirmPrices: true }),
  ]) {
    expect(Object.keys((await refusalOf(call())).refusal.fields ?? {})).toEqual(['approval'])
  }
  // A rename changes no price.
  const renamed = await admin.call(pricingRules.update, { id, version, name: fresh('Renamed') })

  const change = { kind: 'update', changes: { id, version: renamed.version, cents: 300_000 } } as const
  const update = await admin.call(ruleRequests.ask, { change })
  expect(update.differences).toEqual([{ field: 'Amount', before: '$1,000', after: '$3,000' }])
  await expect(manager.call(ruleRequests.ask, { change: { kind: 'remove', id } })).toRefuse(
    409,
    'has already asked for approval of a change of',
  )
  const early = await admin.call(ruleRequests.ask, { change: { kind: 'remove', id } })
  // It replaced the first.
  await expect(manager.call(ruleRequests.approve, { id: update.id, version: update.version })).toRefuse(409)
  const later = await admin.call(ruleRequests.ask, { change })
  expect((await manager.call(ruleRequests.waiting, { kind: 'rule', id })).map((one) => one.id)).toEqual([
    later.id,
  ])
  await manager.call(ruleRequests.approve, { id: later.id, version: later.version })
  await expect(manager.call(ruleRequests.approve, { id: early.id, version: early.version })).toRefuse(409)
  const removal = await admin.call(ruleRequests.ask, { change: { kind: 'remove', id } })
  expect(await sellingPrices(ids)).toEqual([4_348_000, 4_348_000])
  await manager.call(ruleRequests.approve, { id: removal.id, version: removal.version })
  expect(await sellingPrices(ids)).toEqual([4_648_000, 4_648_000])
  expect((await admin.call(ruleRequests.list, {})).map(({ state, ruleId }) => [state, ruleId])).toEqual([
    ['approved', null],
    ['approved', null],
    ['withdrawn', null],
    ['withdrawn', null],
  ])
})

test('a request whose rule was deleted is listed, not made, and can be rejected; an invalid one is refused', async () => {
  const { rule } = await twoVehicles()
  await limit(null)
  const { id, version } = await admin.call(pricingRules.add, rule)
  await limit(1)
  const change = { kind: 'update', changes: { id, version, cents: 300_000 } } as const
  const request = await admin.call(ruleRequests.ask, { change })
  await limit(null)
  await admin.call(pricingRules.remove, { id, confirmPrices: true })
  const [listed] = await manager.call(ruleRequests.list, {})
  expect(listed).toMatchObject({ state: 'open', ruleId: null, differences: [] })
  const own = { id: request.id, version: listed?.version ?? 0 }
  await expect(manager.call(ruleRequests.approve, own)).toRefuse(409, 'was deleted')
  expect(await manager.call(ruleRequests.reject, { ...own, reason: 'It is gone.' })).toMatchObject({
    state: 'rejected',
  })
  const invalid = { ...rule, condition: 'modle == 3' }
  const { status, refusal } = await refusalOf(
    admin.call(ruleRequests.ask, { change: { kind: 'add', rule: invalid } }),
  )
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, ['condition']])
})

test('a request for a rule that changed since is not made, and can be rejected with the reason or withdrawn', async () => {
  const { rule } = await twoVehicles()
  await limit(null)
  const { id, version } = await admin.call(pricingRules.add, rule)
  await limit(1)
  const change = { kind: 'update', changes: { id, version, cents: 300_000 } } as const
  const first = await admin.call(ruleRequests.ask, { change })
  await admin.call(pricingRules.update, { id, version, name: fresh('Renamed') })
  const { status, refusal } = await refusalOf(
    manager.call(ruleRequests.approve, { id: first.id, version: first.version }),
  )
  expect([status, refusal.message]).toEqual([
    409,
    expect.stringContaining('changed after this was requested'),
  ])
  await manager.call(ruleRequests.reject, { id: first.id, version: first.version, reason: 'Ask again.' })
  const second = await admin.call(ruleRequests.ask, { change: { kind: 'remove', id } })
  await admin.call(ruleRequests.withdraw, { id: second.id, version: second.version })
  const [latest, earlier] = await manager.call(ruleRequests.list, {})
  expect([latest?.state, earlier?.state, earlier?.reason, earlier?.isOwn]).toEqual([
    'withdrawn',
    'rejected',
    'Ask again.',
    false,
  ])
})

test('an import that changes many prices waits for approval, with its effect', async () => {
  const { ids, rule } = await twoVehicles()
  const text = JSON.stringify({
    format: 'forecourt-pricing-rules',
    version: 1,
    rules: [{ ...rule, lots: [] }],
  })
  const { refusal } = await refusalOf(
    admin.call(ruleFiles.import, { text, isTrial: false, confirmPrices: true }),
  )
  expect(Object.keys(refusal.fields ?? {})).toEqual(['approval'])
  expect((await admin.call(ruleFiles.import, { text, isTrial: true })).effect.lowered).toBe(2)
  const request = await admin.call(ruleRequests.ask, { change: { kind: 'import', text } })
  expect(request).toMatchObject({ title: 'Import of a file: 1 rule', changed: 2 })
  expect((await manager.call(ruleRequests.effect, { id: request.id })).lowered).toBe(2)
  await manager.call(ruleRequests.approve, { id: request.id, version: request.version })
  expect(await sellingPrices(ids)).toEqual([4_548_000, 4_548_000])
})

test('limits that are sent without the number of approvals keep it', async () => {
  const { priceLimits } = await admin.call(customerDetails.get, {})
  const { approvalAbove, ...others } = priceLimits
  await admin.call(customerDetails.update, { priceLimits: others })
  expect((await admin.call(customerDetails.get, {})).priceLimits.approvalAbove).toBe(approvalAbove)
  expect(approvalAbove).toBe(1)
})

test('a user whose permission ended after the request was made can no longer approve it', async () => {
  const { ids, rule } = await twoVehicles()
  const userName = fresh('approver').toLowerCase().replaceAll(' ', '.')
  const id = await place.addMember({ userName, userType: 'Customer administrator' })
  const approver = await forecourt.as(userName, 'Northgate Ford')
  const asked = await admin.call(ruleRequests.ask, { change: { kind: 'add', rule } })
  expect(await approver.call(ruleRequests.effect, { id: asked.id })).toMatchObject({ lowered: 2 })
  await place.call(users.update, { user: { id, userTypeId: await place.addUserType() } })
  const own = { id: asked.id, version: asked.version }
  await expect(approver.call(ruleRequests.approve, own)).toRefuse(403)
  expect(await sellingPrices(ids)).toEqual([4_648_000, 4_648_000])
  expect(await manager.call(ruleRequests.approve, own)).toMatchObject({ state: 'approved' })
})
