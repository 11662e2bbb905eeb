// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { BROWSER } from '#test/factories/marketing/scanners.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { pageVisitors } from '#test/suites/page-visits.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

test('a visit is one of a person when the page is used, once; each page from memory is counted too', async () => {
  const { open, use, visitsOf } = pageVisitors(forecourt, place)
  const { id, slug } = await place.addPage({}, { isPublished: true })
  const first = await open(`/p/${slug}`, { headers: BROWSER })
  await open(`/p/${slug}`, { headers: BROWSER })
  await open(`/p/${slug}`, { headers: BROWSER, method: 'HEAD' })
  await open(`/p/${slug}`, { headers: { 'user-agent': 'Googlebot/2.1' } })
  expect(first).toMatchObject({ status: 200, cookie: null })
  const { total, days } = await visitsOf(id)
  expect(total).toEqual({ people: 0, suspects: 2, bots: 2 })
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ suspects: 2, bots: 2 })
  const mark = first.mark ?? ''
  for (const visit of [mark, mark, mark.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), ''])
    expect((await use(visit)).statusCode).toBe(204)
  expect((await visitsOf(id)).total).toEqual({ people: 1, suspects: 1, bots: 2 })
  // Neither previews nor pages that are over are visits.
  const { path } = await place.call(promoPages.previewLink, { id })
  expect(await open(path, { headers: BROWSER })).toMatchObject({ status: 200, mark: null })
  await place.call(promoPages.unpublish, { id })
  await forecourt.sites.recheck()
  expect(await open(`/p/${slug}`, { headers: BROWSER })).toMatchObject({ status: 410, mark: null })
  expect((await visitsOf(id)).total).toEqual({ people: 1, suspects: 1, bots: 2 })
})
