import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
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
    `The lead routing rule ${rule.name}, the short URL ${shortUrl.name}, and the promo page ${page.name} use this form.`,
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
