import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await admin.call(customerDetails.update, { priceLaw: 'us', fees: [], confirmPrices: true })
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rules')
})
afterAll(() => forecourt.close())

/** A vehicle whose price no person set, as from a feed. */
async function addVehicle(fields: object = {}): Promise<{ id: string; model: string; lotId: string }> {
  const lotId = await place.addLot()
  const model = fresh('Ranger')
  const id = await place.addVehicle({
    lotId,
    model,
    status: 'live',
    priceCents: 4_648_000,
    locksEdits: false,
    ...fields,
  })
  return { id, model, lotId }
}

const discount = { kind: 'discount', cents: 100_000 } as const
const only = (model: string) => ({ condition: `model == "${model}"` })

test('rules change the price of matching vehicles, each with a line, in channels and structured data too', async () => {
  const { id, model } = await addVehicle({ costCents: 4_133_000 })
  const other = await addVehicle()
  await admin.call(pricingRules.add, { name: 'Clearance', ...discount, ...only(model) })
  await admin.call(pricingRules.add, { name: 'Liner', kind: 'accessory', cents: 69_500, ...only(model) })
  await admin.call(pricingRules.add, {
    name: 'Military',
    kind: 'offer',
    cents: 50_000,
    qualifier: 'Proof of service',
    ...only(model),
  })
  const price = await admin.call(vehiclePrices.get, { id })
  expect(
    price.ruleLines.map(({ name, amountCents, runningCents }) => [name, amountCents, runningCents]),
  ).toEqual([
    ['Liner', 69_500, 4_717_500],
    ['Clearance', -100_000, 4_617_500],
  ])
  expect(price).toMatchObject({ sellingCents: 4_617_500, totalCents: 4_617_500 })
  expect(price.offers).toMatchObject([{ name: 'Military', cents: 50_000, isRebate: false }])
  const { jsonLd } = await admin.call(channels.ofVehicle, { id })
  expect(jsonLd).toMatchObject({ offers: { price: '46175.00' } })
  expect((await admin.call(vehiclePrices.get, { id: other.id })).totalCents).toBe(4_648_000)
})

test('a rebate for every buyer is deducted by federal rules and listed below the price in California', async () => {
  const { id, model, lotId } = await addVehicle()
  await admin.call(pricingRules.add, { name: 'Cash', kind: 'rebate', cents: 100_000, ...only(model) })
  expect(await admin.call(vehiclePrices.get, { id })).toMatchObject({ totalCents: 4_548_000, offers: [] })
  await admin.call(lots.update, { id: lotId, priceLaw: 'us-ca' })
  expect(await admin.call(vehiclePrices.get, { id })).toMatchObject({
    totalCents: 4_648_000,
    offers: [{ name: 'Cash', isRebate: true }],
  })
})

test('a rule is limited to its lots, and an inactive one does nothing', async () => {
  const { id, lotId } = await addVehicle()
  const elsewhere = await place.addLot()
  const rule = await admin.call(pricingRules.add, { name: 'Lot', ...discount, lotIds: [elsewhere] })
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_648_000)
  await admin.call(pricingRules.update, { id: rule.id, lotIds: [lotId] })
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_548_000)
  await admin.call(pricingRules.update, { id: rule.id, isActive: false })
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_648_000)
})

test('rules apply to a price that a person set, and a special price is left alone with its reason', async () => {
  const { id, model } = await addVehicle({ locksEdits: true })
  await admin.call(pricingRules.add, { name: 'Clearance', ...discount, ...only(model) })
  expect(await admin.call(vehiclePrices.get, { id })).toMatchObject({
    totalCents: 4_548_000,
    skippedRules: [],
  })
  const special = { id, version: null, cents: 4_600_000, reason: 'Hail damage' }
  expect(await admin.call(vehiclePrices.setSpecial, special)).toMatchObject({
    totalCents: 4_600_000,
    skippedRules: [{ name: 'Clearance', reason: 'manual' }],
  })
})

test('the preview is what saving does, for a new rule and for a change, and saves nothing', async () => {
  const { id, model } = await addVehicle()
  const rule = { name: 'Clearance', ...discount, ...only(model) }
  const preview = await admin.call(pricingRules.preview, { id: null, rule })
  expect(preview).toMatchObject({ matched: 1, lowered: 1, raised: 0, totalCents: -100_000 })
  expect(preview.largest).toMatchObject([{ vehicleId: id, beforeCents: 4_648_000, afterCents: 4_548_000 }])
  expect((await admin.call(pricingRules.list, {})).totalRows).toBe(0)

  const saved = await admin.call(pricingRules.add, rule)
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_548_000)
  const smaller = await admin.call(pricingRules.preview, { id: saved.id, rule: { ...rule, cents: 40_000 } })
  expect(smaller).toMatchObject({ matched: 1, lowered: 0, raised: 1, totalCents: 60_000 })
  const off = await admin.call(pricingRules.preview, { id: saved.id, rule: { ...rule, isActive: false } })
  expect(off).toMatchObject({ raised: 1, totalCents: 100_000 })
})

test('the effects show which rules change prices and why others never do', async () => {
  const { model } = await addVehicle()
  const best = await admin.call(pricingRules.add, {
    name: 'Best',
    ...discount,
    exclusiveGroup: 'a',
    ...only(model),
  })
  const beaten = await admin.call(pricingRules.add, {
    name: 'Beaten',
    kind: 'discount',
    cents: 1,
    exclusiveGroup: 'a',
    ...only(model),
  })
  const effects = await admin.call(pricingRules.effects, {})
  expect(effects.find(({ ruleId }) => ruleId === best.id)).toMatchObject({
    matched: 1,
    applied: 1,
    reason: null,
  })
  expect(effects.find(({ ruleId }) => ruleId === beaten.id)).toMatchObject({
    matched: 1,
    applied: 0,
    reason: 'group',
    by: { ruleId: best.id, name: 'Best' },
  })
})

test('the effects name the rule that acts on the same vehicles', async () => {
  const { model } = await addVehicle()
  const other = await addVehicle()
  const add = async (name: string, rule: object) =>
    (await admin.call(pricingRules.add, { name: fresh(name), ...discount, ...rule, confirmPrices: true })).id
  const one = await add('Aging', only(model))
  const two = await add('Clearance', only(model))
  const apart = await add('Elsewhere', only(other.model))
  const highest = await add('Highest', { kind: 'ceiling', cents: 1_000_000, ...only(other.model) })
  const lowest = await add('Lowest', { kind: 'floor', cents: 1_200_000, ...only(other.model) })
  const effects = await admin.call(pricingRules.effects, {})
  const conflictOf = (id: string) => effects.find(({ ruleId }) => ruleId === id)?.conflict
  expect(conflictOf(one)).toMatchObject({ how: 'adds', ruleId: two, vehicles: 1 })
  expect(conflictOf(two)).toMatchObject({ how: 'adds', ruleId: one, vehicles: 1 })
  expect(conflictOf(apart)).toBeNull()
  expect(conflictOf(highest)).toMatchObject({ how: 'opposes', ruleId: lowest, vehicles: 1 })
  expect(conflictOf(lowest)).toMatchObject({ how: 'opposes', ruleId: highest, vehicles: 1 })
})

test('settings that make no sense are refused with the field', async () => {
  const refused = async (rule: object) => {
    const { refusal } = await refusalOf(admin.call(pricingRules.add, { name: fresh('Rule'), ...rule }))
    return Object.keys(refusal.fields ?? {})
  }
  expect(await refused({ kind: 'discount' })).toEqual(['cents'])
  expect(await refused({ ...discount, cents: -1 })).toEqual(['cents'])
  expect(await refused({ ...discount, percent: 5 })).toEqual(['field'])
  expect(await refused({ kind: 'rounding', cents: 9_500 })).toEqual(['stepCents'])
  expect(await refused({ kind: 'offer', cents: 1 })).toEqual(['qualifier'])
  expect(await refused({ ...discount, condition: 'modle == 3' })).toEqual(['condition'])
  expect(await refused({ ...discount, condition: 'cost > 3' })).toEqual(['condition'])
  expect(
    await refused({ ...discount, fromMinute: '2026-12-02T00:00', untilMinute: '2026-12-01T00:00' }),
  ).toEqual(['untilMinute'])
  // Days that no calendar has would stop the calculation of all prices of the customer.
  for (const day of ['2026-02-30', '2027-02-29', '0000-01-01', '2026-12-01T24:00'])
    expect(await refused({ ...discount, fromMinute: `${day}T00:00`.slice(0, 16) })).toEqual(['fromMinute'])
  expect(await refused({ ...discount, percent: 2.345, field: 'price' })).toEqual(['percent'])
  expect(await refused({ ...discount, cents: 100_000_001 })).toEqual(['cents'])
  expect(await refused({ ...discount, percent: 1_000.5, field: 'price' })).toEqual(['percent'])
  const step = { days: 30, cents: 100, percent: null }
  expect(await refused({ ...discount, steps: [step, { ...step, cents: 200 }] })).toEqual(['steps.1.days'])
  expect(await refused({ ...discount, steps: [{ ...step, cents: -100 }] })).toEqual(['steps.0.cents'])
})

test('a rule of which a lot was deleted applies to the others only, and with none left to no vehicle', async () => {
  const { id } = await addVehicle()
  const empty = await place.addLot()
  const rule = await admin.call(pricingRules.add, { name: 'Gone', ...discount, lotIds: [empty] })
  await expect(admin.call(lots.remove, { id: empty })).toRefuse(409, 'Gone')
  // As an earlier version allowed.
  await forecourt.owner.query('delete from lots where id = $1', [empty])
  // It can still be changed, but not named in a new rule.
  await admin.call(pricingRules.update, { id: rule.id, lotIds: [empty], cents: 50_000 })
  await expect(admin.call(pricingRules.add, { name: 'New', ...discount, lotIds: [empty] })).toRefuse(400)
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_648_000)
  expect((await admin.call(pricingRules.effects, {}))[0]).toMatchObject({ matched: 0 })
})

test('two people who edit a rule: the second one is told, and names are unique', async () => {
  const rule = await admin.call(pricingRules.add, {
    name: 'Clearance',
    ...discount,
    ...only('None'),
  })
  await admin.call(pricingRules.update, { id: rule.id, version: rule.version, cents: 1 })
  await expect(admin.call(pricingRules.update, { id: rule.id, version: rule.version, cents: 2 })).toRefuse(
    409,
  )
  await expect(admin.call(pricingRules.add, { name: 'clearance', ...discount, ...only('None') })).toRefuse(
    409,
    'already has this name',
  )
})

test('a user of one organization changes rules of its lots only', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const everywhere = await admin.call(pricingRules.add, {
    name: 'Everywhere',
    ...discount,
    confirmEvery: true,
    confirmPrices: true,
  })
  const here = await admin.call(pricingRules.add, {
    name: 'Here',
    ...discount,
    lotIds: [await place.addLot()],
  })
  await expect(dealer.call(pricingRules.add, { name: 'All', ...discount })).toRefuse(403)
  await expect(dealer.call(pricingRules.update, { id: everywhere.id, cents: 1 })).toRefuse(403)
  await expect(dealer.call(pricingRules.update, { id: here.id, lotIds: [] })).toRefuse(403)
  await expect(dealer.call(pricingRules.remove, { id: everywhere.id })).toRefuse(403)
  await dealer.call(pricingRules.update, { id: here.id, cents: 1 })
  await dealer.call(pricingRules.remove, { id: here.id })
})

test('a rule that changes prices beyond the limits of the customer needs confirmation', async () => {
  const { id, model } = await addVehicle()
  const crash = { name: 'Crash', kind: 'discount', cents: 4_000_000, ...only(model) } as const
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, crash))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(refusal.message).toContain('$46,480 to $6,480')
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_648_000)
  const rule = await admin.call(pricingRules.add, { ...crash, confirmPrices: true })
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(648_000)
  // Turning it off raises the price again.
  await expect(admin.call(pricingRules.update, { id: rule.id, isActive: false })).toRefuse(409)
  await admin.call(pricingRules.update, { id: rule.id, isActive: false, confirmPrices: true })
})

test('deleting a rule asks when prices change beyond the limits, and nothing is deleted until it is confirmed', async () => {
  const { id, model } = await addVehicle()
  const { id: ruleId } = await admin.call(pricingRules.add, {
    name: 'Crash',
    kind: 'discount',
    cents: 4_000_000,
    ...only(model),
    confirmPrices: true,
  })
  const { status, refusal } = await refusalOf(admin.call(pricingRules.remove, { id: ruleId }))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmPrices']])
  expect(refusal.message).toContain('$6,480 to $46,480')
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(648_000)
  await admin.call(pricingRules.remove, { id: ruleId, confirmPrices: true })
  expect((await admin.call(vehiclePrices.get, { id })).totalCents).toBe(4_648_000)
})

test('a rule that another user changed meanwhile is not deleted, and the response has it as it is now', async () => {
  const { id, version } = await admin.call(pricingRules.add, { name: 'Sale', ...discount, ...only('None') })
  await admin.call(pricingRules.update, { id, version, cents: 200_000 })
  const { status, refusal } = await refusalOf(admin.call(pricingRules.remove, { id, version }))
  expect([status, refusal.current]).toMatchObject([409, { id, version: version + 1, cents: 200_000 }])
  await admin.call(pricingRules.remove, { id, version: version + 1 })
  await expect(admin.call(pricingRules.get, { id })).toRefuse(404)
})

test('a rule without conditions is confirmed with its number of vehicles, also when it is resumed', async () => {
  await addVehicle()
  const every = { name: 'Every', kind: 'discount', cents: 100 } as const
  const { status, refusal } = await refusalOf(admin.call(pricingRules.add, every))
  expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['confirmEvery']])
  expect(refusal.message).toMatch(/^This rule has no conditions\. It applies to all [\d,]+ vehicles in stock/)
  const paused = await admin.call(pricingRules.add, { ...every, isActive: false })
  await expect(admin.call(pricingRules.update, { id: paused.id, isActive: true })).toRefuse(409)
  await admin.call(pricingRules.update, {
    id: paused.id,
    isActive: true,
    confirmEvery: true,
    confirmPrices: true,
  })
  // It applied to every vehicle before.
  await admin.call(pricingRules.update, { id: paused.id, cents: 200, confirmPrices: true })
})

test('the preview counts the vehicles that end at their lowest price, and those that the rule leaves as they are', async () => {
  const model = fresh('Ranger')
  const vehicle = { model, status: 'live', priceCents: 4_648_000, locksEdits: false } as const
  const id = await place.addVehicle({ ...vehicle, costCents: 4_600_000 })
  await place.addVehicle(vehicle)
  const floor = {
    name: 'At cost',
    kind: 'floor',
    cents: 0,
    percent: 100,
    field: 'cost',
    ...only(model),
  } as const
  await admin.call(pricingRules.add, floor)
  const rule = { name: 'Draft', ...discount, ...only(model) }
  const preview = await admin.call(pricingRules.preview, { id: null, rule })
  expect(preview).toMatchObject({ matched: 2, lowered: 1, limited: 1, totalCents: -48_000 })
  expect(preview.largest).toMatchObject([{ vehicleId: id, afterCents: 4_600_000, isLimited: true }])
  expect(preview.skipped).toEqual([{ reason: 'floor', vehicles: 1 }])
  expect(preview).toMatchObject({ held: [{ vehicleId: id, sellingCents: 4_600_000 }], hasMoreHeld: false })
  // A second discount changes no price, because the first one already reaches the lowest price.
  await admin.call(pricingRules.add, rule)
  const again = { ...rule, name: 'Second' }
  const more = await admin.call(pricingRules.preview, { id: null, rule: again })
  expect(more).toMatchObject({ lowered: 0, held: [{ vehicleId: id }] })
  await admin.call(pricingRules.add, again)
  const effects = await admin.call(pricingRules.effects, {})
  expect(effects.map(({ applied, limited }) => [applied, limited])).toEqual([
    [1, 0],
    [1, 1],
    [1, 1],
  ])
})

test('the Price tab and the preview show the price on a date, with conditions of that date', async () => {
  const { id, model } = await addVehicle({ inStockOn: '2026-11-10' })
  const clearance = {
    name: 'Clearance',
    ...discount,
    condition: `model == "${model}" && daysInStock >= 15`,
    fromMinute: '2026-11-20T08:00',
    untilMinute: '2026-11-27T20:00',
  }
  const effectAt = async (minute: string | null) =>
    (await admin.call(pricingRules.preview, { id: null, rule: clearance, minute })).lowered
  const minutes = [null, '2026-11-24T23:59', '2026-11-25T00:00', '2026-11-27T19:59', '2026-11-27T20:00']
  const effects: number[] = []
  for (const minute of minutes) effects.push(await effectAt(minute))
  expect(effects).toEqual([0, 0, 1, 1, 0])
  await admin.call(pricingRules.add, clearance)
  const totals: (number | null)[] = []
  for (const minute of minutes) {
    const price = await admin.call(vehiclePrices.get, { id, ...(minute !== null && { minute }) })
    totals.push(price.totalCents)
    expect(price.simulatedMinute).toBe(minute)
  }
  expect(totals).toEqual([4_648_000, 4_648_000, 4_548_000, 4_548_000, 4_648_000])
})

test('the calendar has the starts and ends to come of active rules', async () => {
  const { model } = await addVehicle()
  const given = { ...discount, ...only(model) }
  await admin.call(pricingRules.add, {
    name: 'Black Friday',
    ...given,
    fromMinute: '2026-11-27T08:00',
    untilMinute: '2026-11-30T00:00',
  })
  await admin.call(pricingRules.add, { name: 'Old', ...given, untilMinute: '2026-11-01T00:00' })
  await admin.call(pricingRules.add, { name: 'Running', ...given, fromMinute: '2026-11-01T00:00' })
  await admin.call(pricingRules.add, {
    name: 'Paused',
    ...given,
    isActive: false,
    fromMinute: '2026-12-01T00:00',
  })
  const calendar = await admin.call(pricingRules.calendar, {})
  expect(calendar.map(({ minute, name, what }) => [minute, name, what])).toEqual([
    ['2026-11-27T08:00', 'Black Friday', 'starts'],
    ['2026-11-30T00:00', 'Black Friday', 'ends'],
  ])
})

test('the versions of a rule say who changed what', async () => {
  const rule = await admin.call(pricingRules.add, { name: 'Versions', ...discount, isActive: false })
  await admin.call(pricingRules.update, { id: rule.id, cents: 75_000, fromMinute: '2026-12-01T00:00' })
  const [changed, added, ...others] = await admin.call(pricingRules.versions, { id: rule.id })
  expect(others).toEqual([])
  expect(added).toMatchObject({ isNew: true, by: 'Dana Whitfield' })
  expect(added?.changes).toContainEqual({ field: 'Kind', before: null, after: 'Dealer discount' })
  expect(changed).toMatchObject({
    isNew: false,
    changes: expect.arrayContaining([
      { field: 'Amount', before: '$1,000', after: '$750' },
      { field: 'From', before: null, after: '2026-12-01T00:00' },
    ]),
  })
  expect(changed?.changes).toHaveLength(2)

  // Users of one organization read it too, and a version is restored by saving it.
  const dealer = await forecourt.as('northgate.dealer', 'Northgate Ford')
  expect(await dealer.call(pricingRules.versions, { id: rule.id })).toEqual([changed, added])
  const { version: _version, updatedAt: _at, updatedBy: _by, hidesAmounts: _hides, id, ...before } = rule
  expect(added?.settings).toEqual(before)
  const restored = await admin.call(pricingRules.update, { ...added?.settings, id })
  expect(restored).toMatchObject(before)

  // Not the amounts of a rule on costs.
  await admin.call(pricingRules.update, { id, kind: 'floor', field: 'cost', percent: 100 })
  const [onCosts] = await dealer.call(pricingRules.versions, { id })
  expect(onCosts?.settings).toBe(null)

  // Nor its name, in which users write amounts, by whatever they look for.
  await admin.call(pricingRules.update, { id, name: 'Versions plus $500' })
  expect(await dealer.call(pricingRules.get, { id })).toMatchObject({ name: 'Minimum price' })
  const named = async (caller: Caller, input: object) =>
    (await caller.call(pricingRules.list, input)).results
      .filter((one) => one.id === id)
      .map(({ name }) => name)
  expect(await named(admin, { search: 'plus $500' })).toEqual(['Versions plus $500'])
  expect(await named(dealer, { search: 'plus $500' })).toEqual([])
  expect(await named(dealer, { filter: 'name.contains("plus")' })).toEqual([])
  expect(await named(dealer, { pageSize: 100, sort: 'name' })).toEqual(['Minimum price'])
  const changes = await dealer.call(pricingRules.versions, { id })
  expect(JSON.stringify(changes)).not.toContain('$500')
})

test('a user who does not see costs is told how many vehicles a rule on costs applies to, not that another rule changes nothing', async () => {
  const lot = await place.addLot()
  for (const stock of ['CV1', 'CV2'])
    await place.addVehicle({
      lotId: lot,
      stock,
      condition: 'used',
      priceCents: 2_000_000,
      costCents: 1_000_000,
    })
  const given = { kind: 'discount' as const, cents: 10_000, lotIds: [lot] }
  const off = await admin.call(pricingRules.add, { ...given, name: 'Covered discount' })
  const floor = { kind: 'floor' as const, field: 'cost' as const, percent: 100, cents: 0, lotIds: [lot] }
  const limit = await admin.call(pricingRules.add, {
    ...floor,
    name: 'Covered limit',
    whenMissing: 'skip' as const,
  })
  const dealer = await forecourt.as('northgate.dealer', 'Northgate Ford')
  const effectOf = async (caller: Caller) =>
    (await caller.call(pricingRules.effects, {})).find(({ ruleId }) => ruleId === off.id)
  expect(await effectOf(admin)).toMatchObject({ matched: 2, applied: 2, covered: 0 })
  expect(await effectOf(dealer)).toMatchObject({ matched: 2, applied: 0, covered: 2 })
  for (const { id } of [off, limit]) await admin.call(pricingRules.remove, { id })
})
