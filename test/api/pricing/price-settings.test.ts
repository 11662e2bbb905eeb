import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CustomerDetailsChange, customerDetails } from '#contract/customers/details/details.ts'
import type { MandatoryFee } from '#contract/customers/details/fees.ts'
import { lotRecord, lots } from '#contract/customers/lots/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import { ruleRequests, type SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let manager: Caller
let place: TestOrganization
let lotId: string
let ids: string[]
let otherLotId: string
const FEE: MandatoryFee = {
  name: 'Document',
  class: 'document',
  cents: 8_500,
  percent: null,
  vehicles: 'all',
  lotIds: [],
  from: null,
  isInPrice: false,
}
const model = fresh('Ranger')

beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await place.addMember({ userName: 'second.manager', userType: 'Customer administrator' })
  manager = await forecourt.as('second.manager', 'Northgate Ford')
  lotId = await place.addLot()
  const vehicle = { model, lotId, status: 'live', priceCents: 2_000_000, locksEdits: false } as const
  ids = [await place.addVehicle(vehicle), await place.addVehicle(vehicle)]
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rule_requests')
  await forecourt.owner.query('delete from pricing_rules')
  await forecourt.owner.query(
    `update customers set fees = $1, fee_caps = '[]', price_profiles = '[]', price_law = 'us'`,
    [JSON.stringify([FEE])],
  )
  await forecourt.owner.query('update lots set region = null, price_law = null, time_zone = null')
  await limit(1)
})
afterAll(() => forecourt.close())

/** Not through the product: there, a second user must agree to a higher limit. */
const limit = (approvalAbove: number | null) =>
  forecourt.owner.query(
    `update customers set price_limits = jsonb_strip_nulls(price_limits || jsonb_build_object('approvalAbove', $1::int))`,
    [approvalAbove],
  )

const totals = async (minute: string | null = null) => {
  const found = []
  for (const id of ids)
    found.push((await admin.call(vehiclePrices.get, { id, ...(minute !== null && { minute }) })).totalCents)
  return found
}

const profile = {
  law: 'us' as const,
  from: '0001-01-01',
  includes: [],
  deductsRebates: true,
  sentence: 'Plus fees.',
  source: 'Counsel',
}
const rebate = {
  name: 'Rebate',
  kind: 'rebate',
  cents: 50_000,
  condition: `model == "${model}"`,
  confirmPrices: true,
} as const
/** Starts after midnight in New York, and three hours later in Los Angeles. */
const soon = { ...rebate, kind: 'discount', fromMinute: '2026-11-18T14:00' } as const

type Door = {
  /** What has to exist before, while there is no limit. */
  needs?: () => Promise<unknown>
  act: () => Promise<unknown>
  asks?: () => SettingChange
}
const details = (changes: object): Door => ({
  act: () => admin.call(customerDetails.update, { ...changes, confirmPrices: true }),
  asks: () => ({ kind: 'details', changes: CustomerDetailsChange.parse(changes) }),
})
const lot = (changes: object): Door => ({
  act: () => admin.call(lots.update, { id: lotId, ...changes, confirmPrices: true }),
  asks: () => ({ kind: 'lot', changes: lotRecord.changes.parse({ id: lotId, ...changes }) }),
})
const zone = 'Pacific/Kiritimati'
const organization = (act: () => Promise<unknown>): Door => ({
  needs: () => admin.call(pricingRules.add, soon),
  act,
  asks: () => ({ kind: 'organization', changes: { id: place.organizationId, timeZone: zone } }),
})

/** Every call that moves the totals of many vehicles by a setting, a rule or a file. */
const DOORS: Readonly<Record<string, Door>> = {
  'a higher fee': details({ fees: [{ ...FEE, cents: 99_900 }] }),
  'a fee that starts later': details({ fees: [FEE, { ...FEE, cents: 99_900, from: '2027-02-01' }] }),
  'the share that limits a fee': details({ fees: [{ ...FEE, percent: 0.1 }] }),
  'a fee that prices already contain': details({ fees: [{ ...FEE, isInPrice: true }] }),
  'no fee': details({ fees: [] }),
  'another class': details({ fees: [{ ...FEE, class: 'government' }] }),
  'the price law': details({ priceLaw: 'none' }),
  "the customer's reading of a law": details({ priceProfiles: [profile] }),
  'a reading that starts later': details({ priceProfiles: [{ ...profile, from: '2027-02-01' }] }),
  'the law of a lot': lot({ priceLaw: 'none' }),
  'the state of a lot': { ...lot({ region: 'CA' }), needs: () => admin.call(pricingRules.add, rebate) },
  'the time zone of a lot': { ...lot({ timeZone: zone }), needs: () => admin.call(pricingRules.add, soon) },
  'the time zone of an organization': organization(() =>
    admin.call(organizations.save, {
      id: place.organizationId,
      name: 'Northgate Ford',
      timeZone: zone,
      confirmPrices: true,
    }),
  ),
  'the time zone of a profile': organization(() =>
    admin.call(organizationProfiles.update, {
      id: place.organizationId,
      timeZone: zone,
      confirmPrices: true,
    }),
  ),
  'a bulk change of prices': {
    act: async () => {
      const price = { action: 'lower', cents: 50_000 } as const
      const selection = { ids }
      const { seen } = await admin.call(vehicles.previewPrices, { selection, price })
      await admin.call(vehicles.change, { selection, change: { price, seen }, confirmPrices: true })
    },
  },
  'a bulk move to a lot with another rule': {
    needs: async () => {
      otherLotId = await place.addLot()
      await admin.call(pricingRules.add, { ...rebate, lotIds: [otherLotId], condition: '' })
    },
    act: () =>
      admin.call(vehicles.change, { selection: { ids }, change: { lotId: otherLotId }, confirmPrices: true }),
  },
  'a rule': { act: () => admin.call(pricingRules.add, rebate) },
  'a file of rules': {
    act: () =>
      admin.call(ruleFiles.import, {
        isTrial: false,
        confirmPrices: true,
        text: JSON.stringify({
          format: 'forecourt-pricing-rules',
          version: 1,
          rules: [{ name: 'Filed', kind: 'discount', cents: 50_000, condition: rebate.condition, lots: [] }],
        }),
      }),
  },
}

test.for(Object.entries(DOORS))(
  '%s needs approval above the limit, and then does what was asked for',
  async ([, door]) => {
    await limit(null)
    await door.needs?.()
    await limit(1)
    const before = await totals()
    const { status, refusal } = await refusalOf(door.act())
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([409, ['approval']])
    expect(refusal.message).toMatch(
      /^This (will change|changes) .* prices?\. .* need the approval of a second user\..*$/,
    )
    expect(await totals()).toEqual(before)
    if (door.asks === undefined) return

    const change = door.asks()
    const preview = await admin.call(ruleRequests.preview, { change })
    expect(preview.lowered + preview.raised).toBeGreaterThanOrEqual(2)
    const asked = await admin.call(ruleRequests.ask, { change, note: 'Agreed in the meeting' })
    expect(asked).toMatchObject({ state: 'open', changed: preview.lowered + preview.raised, isOwn: true })
    expect(asked.differences).toHaveLength(1)
    const minute = preview.day === null ? null : `${preview.day}T00:00`
    const then = await totals(minute)
    const { id, version } = asked
    await expect(admin.call(ruleRequests.approve, { id, version })).toRefuse(403)
    expect(await manager.call(ruleRequests.approve, { id, version })).toMatchObject({
      state: 'approved',
    })
    const after = await totals(minute)
    expect(after).not.toEqual(then)
    expect(preview.largest.length).toBeGreaterThan(0)
    const shown = preview.largest.filter(({ vehicleId }) => ids.includes(vehicleId))
    for (const { vehicleId, beforeCents, afterCents } of shown) {
      const at = ids.indexOf(vehicleId)
      expect([beforeCents, afterCents]).toEqual([then[at], after[at]])
    }
    await forecourt.owner.query(`update organizations set time_zone = 'America/Los_Angeles'`)
  },
)

test('the limit itself is only raised or removed with the approval of a second user', async () => {
  const { priceLimits } = await admin.call(customerDetails.get, {})
  for (const approvalAbove of [null, 2]) {
    const changes = { priceLimits: { ...priceLimits, approvalAbove } }
    const { refusal } = await refusalOf(
      admin.call(customerDetails.update, { ...changes, confirmPrices: true }),
    )
    expect(refusal.message).toBe('Raising or removing "Approval above" needs the approval of a second user.')
    const change = { kind: 'details' as const, changes: CustomerDetailsChange.parse(changes) }
    const { id, version, differences } = await admin.call(ruleRequests.ask, { change })
    expect(differences).toEqual([
      { field: 'Approval above', before: '1', after: approvalAbove === null ? null : '2' },
    ])
    await manager.call(ruleRequests.approve, { id, version })
    expect((await admin.call(customerDetails.get, {})).priceLimits.approvalAbove ?? null).toBe(approvalAbove)
    await admin.call(customerDetails.update, { priceLimits: { ...priceLimits, approvalAbove: 1 } })
  }
})

test('without a limit a large change is asked about, and what moves no total is not', async () => {
  await limit(null)
  const fees = [{ ...FEE, cents: 99_900 }]
  const { refusal } = await refusalOf(admin.call(customerDetails.update, { fees }))
  expect(Object.keys(refusal.fields ?? {})).toEqual(['confirmPrices'])
  expect(refusal.message).toMatch(
    /^This changes [\d,]+ of [\d,]+ prices, by \$[\d,]+ in total\. .*Confirm to save\.$/,
  )
  await admin.call(customerDetails.update, { fees, confirmPrices: true })
  await limit(0)
  const caps = [
    { class: 'document', region: 'CA', cents: 8_500, source: 'Vehicle Code', from: '2020-01-01' } as const,
  ]
  await admin.call(customerDetails.update, { fees, feeCaps: caps, phone: '+1 916 555 0100' })
  await admin.call(lots.update, { id: await place.addLot(), priceLaw: 'us-ca' })
  await admin.call(lots.update, { id: lotId, city: 'Akron' })
})

test('a request waits while everything else is saved, and is out of date only once its own values change', async () => {
  const asked = await askFor(admin, { fees: [] })
  expect(asked).toMatchObject({ fields: ['fees'], outdated: null })
  await admin.call(customerDetails.update, { phone: '+1 916 555 0111' })
  const [waiting] = await manager.call(ruleRequests.waiting, { kind: 'details' })
  expect(waiting).toMatchObject({ id: asked.id, isOwn: false, fields: ['fees'], outdated: null })
  expect(waiting?.differences).toEqual([
    { field: 'Mandatory fees', before: expect.stringContaining('Document $85'), after: null },
  ])
  await forecourt.owner.query('update customers set fees = $1', [JSON.stringify([{ ...FEE, cents: 9_000 }])])
  const outdated = 'Mandatory fees changed after this was requested.'
  expect((await admin.call(ruleRequests.waiting, { kind: 'details' }))[0]?.outdated).toBe(outdated)
  const own = { id: asked.id, version: asked.version }
  await expect(manager.call(ruleRequests.approve, own)).toRefuse(
    409,
    `${outdated} Reject the request, or ask for a new one.`,
  )
  await manager.call(ruleRequests.reject, { ...own, reason: 'Ask again.' })
  const shown = await admin.call(ruleRequests.waiting, { kind: 'details' })
  expect(shown.map(({ state, reason }) => [state, reason])).toEqual([['rejected', 'Ask again.']])
  expect(await manager.call(ruleRequests.waiting, { kind: 'details' })).toEqual([])
})

test('one request at a time is about a field: the own one is replaced, with its other fields, and that of another user is not', async () => {
  const first = await askFor(admin, { fees: [], priceLaw: 'none' })
  await expect(askFor(manager, { fees: [] })).toRefuse(
    409,
    'has already asked for approval of a change of Mandatory fees. Wait',
  )
  const law = await askFor(admin, { priceLaw: 'us-ca' })
  expect(law.fields.toSorted()).toEqual(['fees', 'priceLaw'])
  const waiting = await manager.call(ruleRequests.waiting, { kind: 'details' })
  expect(waiting.map(({ id }) => id)).toEqual([law.id])
  const all = await admin.call(ruleRequests.list, {})
  expect(all.find(({ id }) => id === first.id)).toMatchObject({
    state: 'withdrawn',
    reason: 'Replaced by a later request.',
  })
  await manager.call(ruleRequests.approve, { id: law.id, version: law.version })
  expect(await admin.call(customerDetails.get, {})).toMatchObject({ fees: [], priceLaw: 'us-ca' })
  await expect(askFor(admin, { priceLaw: 'us-ca' })).toRefuse(409, 'These values are already saved.')
  // Two at once: one waits for the other, and finds it.
  const both = await Promise.allSettled([askFor(admin, { fees: [FEE] }), askFor(manager, { fees: [FEE] })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

const askFor = (caller: Caller, changes: object) =>
  caller.call(ruleRequests.ask, {
    change: { kind: 'details', changes: CustomerDetailsChange.parse(changes) },
  })
