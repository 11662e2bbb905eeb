import { afterAll, beforeAll, expect, test } from 'vitest'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { checkPublishedPages } from '#server/marketing/index.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const textBlock = (text: string) => ({ id: 'text', type: 'text', v: 1, data: { heading: '', text } })

test('a draft that breaks a rule of advertising is saved, and publishing it is refused with every finding', async () => {
  const page = await place.addPage({}, { isPublished: true })
  const { id } = page
  const draft = { id, title: 'Last chance', blocks: [textBlock('The lowest prices, below invoice.')] }
  const { version } = await place.call(promoPages.update, draft)
  const { status, refusal } = await refusalOf(place.call(promoPages.publish, { id, version }))
  expect(status).toBe(400)
  expect(refusal.fields?.['title']).toContain('Title: “Last chance”.')
  expect(refusal.fields?.['blocks']).toContain('Block 1 (Text), Text: “lowest prices”.')
  expect(refusal.fields?.['blocks']).toContain('Block 1 (Text), Text: “below invoice”.')
  expect(await place.call(promoPages.get, { id })).toMatchObject({ publishedNumber: 1, needsLook: false })
  // A note doesn't stop it.
  const noted = { id, title: 'Clearance', blocks: [textBlock('A free car wash.')] }
  const saved = await place.call(promoPages.update, noted)
  const published = await place.call(promoPages.publish, { id, version: saved.version })
  expect(published).toMatchObject({ publishedNumber: 2, needsLook: false, findings: 2 })
})

test('a published page stays and is listed when a rule is broken later', async () => {
  const page = await place.addPage({}, { isPublished: true })
  await forecourt.owner.query('update promo_page_versions set blocks = $1 where page_id = $2', [
    JSON.stringify([textBlock('The lowest prices.')]),
    page.id,
  ])
  await checkPublishedPages(forecourt.appPool, [place.customerId])
  const listed = await place.call(promoPages.list, { search: page.name, filter: 'needsLook' })
  expect(listed.results).toMatchObject([{ id: page.id, status: 'published', needsLook: true, findings: 2 }])
  await place.call(promoPages.unpublish, { id: page.id })
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({ needsLook: false, findings: 0 })
})
