import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { BROWSER, SCANNERS } from '#test/factories/marketing/scanners.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { pageVisitors } from '#test/suites/page-visits.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

test('20 scanner agents and HEAD give 0 visits of people', async () => {
  const { open, visitsOf } = pageVisitors(forecourt, place)
  const { id, slug } = await place.addPage({}, { isPublished: true })
  for (const headers of SCANNERS) await open(`/p/${slug}`, { headers })
  await open(`/p/${slug}`, { method: 'HEAD', headers: BROWSER })
  const { people, suspects, bots } = (await visitsOf(id)).total
  expect([people, suspects + bots]).toEqual([0, SCANNERS.length + 1])
})

test('what opens many pages at once is a bot, also what it opened before, and its marks count for nothing', async () => {
  const { open, use, visitsOf } = pageVisitors(forecourt, place)
  const pages = await Promise.all(Array.from({ length: 6 }, () => place.addPage({}, { isPublished: true })))
  const marks: string[] = []
  for (const { slug } of pages) {
    const { mark } = await open(`/p/${slug}`, { headers: BROWSER, ip: '198.51.100.7' })
    if (mark !== null) marks.push(mark)
  }
  for (const mark of marks) await use(mark)
  for (const { id } of pages) expect((await visitsOf(id)).total).toEqual({ people: 0, suspects: 0, bots: 1 })
})

test('the mark of a page is none for a short URL', async () => {
  const { open, visitsOf } = pageVisitors(forecourt, place)
  const { id, slug } = await place.addPage({}, { isPublished: true })
  const { mark } = await open(`/p/${slug}`, { headers: BROWSER })
  await forecourt.app.inject({
    method: 'POST',
    url: '/s/seen',
    headers: { host: 'northgate.localhost', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ click: mark ?? '' }).toString(),
  })
  expect((await visitsOf(id)).total).toEqual({ people: 0, suspects: 1, bots: 0 })
})
