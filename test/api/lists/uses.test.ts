import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { freshCode } from '#test/factories/fresh.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const block = (type: string, data: object) => [{ id: 'block', type, v: 1, data }]

test('a lot that rules, feed sources and pages name is not deleted, and the answer names them', async () => {
  const id = await place.addLot()
  const ruleId = await place.addLeadRule({ lotIds: [id] })
  const rule = await admin.call(leadRoutingRules.get, { id: ruleId })
  await expect(admin.call(lots.remove, { id })).toRefuse(
    409,
    `The lead routing rule ${rule.name} uses this lot. Choose something else there first.`,
  )
  await admin.call(leadRoutingRules.remove, { id: ruleId })

  const page = await place.addPage({ blocks: block('hours', { heading: '', lotId: id }) })
  const source = await admin.call(feedSources.add, { name: fresh('Source'), kind: 'upload', lotIds: [id] })
  const job = await admin.call(lots.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.failures, { id: job.id })).toMatchObject([
    {
      rowId: id,
      reason: `The feed source ${source.name} and the promo page ${page.name} use this lot. Choose something else there first.`,
    },
  ])
})

test('a feed source is saved although one of its lots was deleted by an earlier version', async () => {
  const [gone, kept] = [await place.addLot(), await place.addLot()]
  const { id, version } = await admin.call(feedSources.add, {
    name: fresh('Source'),
    kind: 'upload',
    lotIds: [gone, kept],
  })
  await forecourt.owner.query('delete from lots where id = $1', [gone])
  const name = fresh('Source')
  const saved = await admin.call(feedSources.update, { id, version, name, lotIds: [gone, kept] })
  expect(saved.name).toBe(name)
})

test('a form that rules, short URLs and pages use is not deleted until nothing does', async () => {
  const form = await place.addForm()
  const { id } = form
  const rule = await admin.call(leadRoutingRules.get, { id: await place.addLeadRule({ formIds: [id] }) })
  const shortUrl = await admin.call(shortUrls.get, {
    id: await place.addShortUrl({ target: 'form', formId: id, url: undefined }),
  })
  const page = await place.addPage(
    { blocks: block('form', { heading: '', formKey: form.key }) },
    { isPublished: true },
  )
  await expect(admin.call(forms.remove, { id })).toRefuse(
    409,
    `The short URL ${shortUrl.name}, the lead routing rule ${rule.name}, and the promo page ${page.name} use this form.`,
  )
  await admin.call(leadRoutingRules.remove, { id: rule.id })
  await admin.call(shortUrls.remove, { id: shortUrl.id })
  await expect(admin.call(forms.remove, { id })).toRefuse(409, `The promo page ${page.name} uses this form.`)
})

test('a provider mapping with data mappings of its own is not deleted', async () => {
  const id = await place.addMapping()
  const raws = ['coupe deluxe', 'hatch deluxe', 'suv deluxe', 'van deluxe']
  const added = []
  for (const raw of raws) {
    added.push(
      await admin.call(valueMappings.add, { field: 'body', raw, canonical: 'SUV', providerMappingId: id }),
    )
  }
  await expect(admin.call(providerMappings.remove, { id })).toRefuse(
    409,
    'The data mappings for coupe deluxe, hatch deluxe, suv deluxe (1 more) use this mapping.',
  )
  await admin.call(valueMappings.removeMany, { ids: added.map((one) => one.id) })
  await admin.call(providerMappings.remove, { id })
  await expect(admin.call(providerMappings.get, { id })).toRefuse(404)
})

test('a lot that a fee, a filter of a pricing rule or of a channel names is not deleted, and they are named', async () => {
  const id = await place.addLot()
  const other = await place.addLot()
  const { fees } = await admin.call(customerDetails.get, {})
  await admin.call(customerDetails.update, {
    fees: [...fees, { name: 'Delivery to Akron', class: 'dealer', cents: 100, lotIds: [id] }],
    confirmPrices: true,
  })
  const addRule = (name: string, condition: string) =>
    admin.call(pricingRules.add, { name, kind: 'discount', cents: 100, condition, confirmPrices: true })
  await addRule('Akron only', `lotId == "${id}"`)
  await addRule('Not Akron', `make == "Ford" && !(lotId in ["${other}", "${id}"])`)
  await addRule('Other', `stock == "${id}" && lotId == "${other}"`)
  const channel = await place.addChannel()
  await admin.call(channels.update, { id: channel, name: 'Akron feed', rule: `lotId == "${id}"` })
  const job = await admin.call(lots.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.failures, { id: job.id })).toMatchObject([
    {
      rowId: id,
      reason:
        'The pricing rules Akron only, Not Akron, the channel Akron feed, and the fee Delivery to Akron use this lot. Choose something else there first.',
    },
  ])
  await admin.call(customerDetails.update, { fees, confirmPrices: true })
})

test('a page that comes back without a form of its blocks says so', async () => {
  const form = await place.addForm()
  const page = await place.addPage({ blocks: block('form', { heading: '', formKey: form.key }) })
  const removal = await admin.call(promoPages.removeMany, { selection: { ids: [page.id] } })
  await forecourt.jobs.runDue()
  await admin.call(forms.remove, { id: form.id })
  const undo = await admin.call(jobs.undo, { id: removal.id })
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.failures, { id: undo.id })).toMatchObject([
    {
      rowId: page.id,
      reason: 'It is back, but its form was deleted for good, or got another address, in the meantime.',
    },
  ])
})

test('the address of a form that pages and layouts name is not changed', async () => {
  const form = await place.addForm()
  const page = await place.addPage({ blocks: block('form', { heading: '', formKey: form.key }) })
  await expect(admin.call(forms.update, { id: form.id, key: freshCode('form').toLowerCase() })).toRefuse(
    409,
    `The promo page ${page.name} uses this form.`,
  )
  await admin.call(forms.update, { id: form.id, key: form.key, name: fresh('Form') })
  await admin.call(promoPages.remove, { id: page.id })
  const key = freshCode('form').toLowerCase()
  expect(await admin.call(forms.update, { id: form.id, key })).toMatchObject({ key })
})

test('a custom field that a channel sends is not removed, and the channel is named', async () => {
  const { customFields } = await admin.call(customerDetails.get, {})
  await admin.call(customerDetails.update, {
    customFields: [...customFields, { key: 'clearance', name: 'Clearance', kind: 'text' }],
  })
  const id = await place.addChannel()
  const name = fresh('Channel')
  await admin.call(channels.update, {
    id,
    name,
    kind: 'csv',
    columns: [{ name: 'Clearance', value: '{custom_clearance}' }],
  })
  await expect(admin.call(customerDetails.update, { customFields })).toRefuse(
    409,
    `The channel ${name} uses Clearance. Change it there first`,
  )
  await admin.call(channels.remove, { id })
  await admin.call(customerDetails.update, { customFields })
})
