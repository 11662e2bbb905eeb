// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { freshCode } from '#test/factories/fresh.ts'
import { countWaiting } from '#test/harness/concurrently.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
let channel: string
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  channel = await place.addChannel()
})
afterAll(() => forecourt.close())

const block = (type: string, data: Record<string, unknown>) => [{ id: 'block', type, v: 1, data }]

type Case = Readonly<{
  what: string
  /** Adds what is deleted. */
  add: () => Promise<{ id: string; key?: string }>
  table: 'lots' | 'forms' | 'lead_destinations'
  save: (one: { id: string; key?: string }) => Promise<unknown>
  says: string
}>

const addLot = async () => ({ id: await place.addLot() })

const CASES: readonly Case[] = [
  {
    what: 'a fee and its lot',
    add: addLot,
    table: 'lots',
    save: ({ id }) =>
      admin.call(customerDetails.update, {
        fees: [{ name: fresh('Delivery'), class: 'dealer', cents: 100, lotIds: [id] }],
      }),
    says: 'Choose lots that exist.',
  },
  {
    what: 'a feed source and its lot',
    add: addLot,
    table: 'lots',
    save: ({ id }) => admin.call(feedSources.add, { name: fresh('Source'), kind: 'upload', lotIds: [id] }),
    says: 'Choose from your lots.',
  },
  {
    what: 'a pricing rule and its lot',
    add: addLot,
    table: 'lots',
    save: ({ id }) =>
      admin.call(pricingRules.add, { name: fresh('Rule'), kind: 'discount', cents: 100, lotIds: [id] }),
    says: 'Choose lots of your organization.',
  },
  {
    what: 'a filter of a pricing rule and its lot',
    add: addLot,
    table: 'lots',
    save: ({ id }) =>
      admin.call(pricingRules.add, {
        name: fresh('Rule'),
        kind: 'discount',
        cents: 100,
        condition: `make == "Ford" && lotId in ["${id}"]`,
      }),
    says: "The filter names a lot that doesn't exist.",
  },
  {
    what: 'a filter of a channel and its lot',
    add: addLot,
    table: 'lots',
    save: async ({ id }) => {
      return admin.call(channels.update, { id: channel, rule: `lotId == "${id}"` })
    },
    says: "The filter names a lot that doesn't exist.",
  },
  {
    what: 'a lead routing rule and its lot',
    add: addLot,
    table: 'lots',
    save: ({ id }) => place.addLeadRule({ lotIds: [id] }),
    says: 'Choose lots that exist.',
  },
  {
    what: 'a lead routing rule and its form',
    add: () => place.addForm(),
    table: 'forms',
    save: ({ id }) => place.addLeadRule({ formIds: [id] }),
    says: 'Choose forms that exist.',
  },
  {
    what: 'a lead routing rule and its destination',
    add: async () => ({ id: await place.addLeadDestination() }),
    table: 'lead_destinations',
    save: ({ id }) => place.addLeadRule({ targets: [{ destinationId: id }] }),
    says: 'Choose destinations that exist.',
  },
  {
    what: 'a layout and the form of its block',
    add: () => place.addForm(),
    table: 'forms',
    save: ({ key = '' }) =>
      admin.call(dvpLayouts.add, {
        name: fresh('Layout'),
        top: block('form', { heading: '', formKey: key }),
      }),
    says: "Block 1 (Form): its form doesn't exist anymore.",
  },
  {
    what: 'a published page and the form of its block',
    add: () => place.addForm(),
    table: 'forms',
    save: ({ key = '' }) =>
      place.addPage({ blocks: block('form', { heading: '', formKey: key }) }, { isPublished: true }),
    says: "Its form isn't published",
  },
]

test.for(CASES)(
  '$what: after a deletion, who saves the reference is told',
  async ({ add, table, save, says }) => {
    const { owner } = forecourt
    const gone = await add()
    await owner.query('begin')
    await owner.query(`delete from ${table} where id = $1`, [gone.id])
    const refusal = refusalOf(save(gone))
    await expect.poll(() => countWaiting(owner), { interval: 20 }).toBe(1)
    await owner.query('commit')
    expect(JSON.stringify(await refusal)).toContain(says)
  },
)

test.for([
  [
    'a vehicle',
    async (name: string) =>
      admin.call(vehicles.add, { lotId: await place.addLot(), custom: { [name]: 'TYPED' } }),
    'This field no longer exists. Reload the vehicle.',
  ],
  [
    'a provider mapping',
    (name: string) =>
      admin.call(providerMappings.add, {
        name: fresh('Mapping'),
        mapping: FeedMapping.parse({ fields: { [name]: { source: { kind: 'column', column: 'A' } } } }),
      }),
    "This custom field doesn't exist anymore",
  ],
] as const)('a custom field that is removed in the moment in which %s takes it', async ([, save, says]) => {
  const { owner } = forecourt
  const { customFields } = await admin.call(customerDetails.get, {})
  const key = freshCode('field').toLowerCase()
  await admin.call(customerDetails.update, {
    customFields: [...customFields, { key, name: key, kind: 'text', choices: [], isArchived: false }],
  })
  await owner.query('begin')
  await owner.query('select from customers where id = $1 for update', [place.customerId])
  await owner.query('update customers set custom_fields = $2 where id = $1', [
    place.customerId,
    JSON.stringify(customFields),
  ])
  const refusal = refusalOf(save(`custom_${key}`))
  await expect.poll(() => countWaiting(owner), { interval: 20 }).toBe(1)
  await owner.query('commit')
  expect(JSON.stringify(await refusal)).toContain(says)
})

test('a lot is not deleted while a rule that names it is being saved', async () => {
  const { owner } = forecourt
  const id = await place.addLot()
  const ruleId = await place.addLeadRule()
  await owner.query('begin')
  await owner.query('select from lots where id = $1 for key share', [id])
  await owner.query('update lead_routing_rules set lot_ids = array[$1::bigint] where id = $2', [id, ruleId])
  const refusal = refusalOf(admin.call(lots.remove, { id }))
  await expect.poll(() => countWaiting(owner), { interval: 20 }).toBe(1)
  await owner.query('commit')
  expect(await refusal).toMatchObject({ status: 409, message: expect.stringContaining('uses this lot') })
})
