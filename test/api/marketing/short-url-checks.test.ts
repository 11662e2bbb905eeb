// @module-tag release
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROKEN_RULE, shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeHttpsServer, startFakeHttpsServer } from '#test/fakes/https.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

// A sample: the rest is in test/prove/servers/short-url-checks.prove.ts.

const certificate = makeCertificate()
const trusted = getCACertificates()
let forecourt: TestApp
let ford: TestOrganization
let site: FakeHttpsServer
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  site = await startFakeHttpsServer(certificate)
  forecourt = await testApp()
  // Those of the demo data.
  await forecourt.owner.query(`update short_url_checks set next_check_at = 'infinity'`)
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await forecourt.close()
  await site.close()
})

test('a web address is checked after it is saved and again later, and the list finds those that are broken', async () => {
  site.files.set('/offers', 'Offers')
  const url = `https://127.0.0.1:${site.port}/offers`
  const { id, key } = await ford.call(
    shortUrls.add,
    shortUrls.add.input.parse({ name: fresh('Offers'), target: 'url', url }),
  )
  const read = () => ford.call(shortUrls.get, { id })
  const broken = async () =>
    (await ford.call(shortUrls.list, { search: key, filter: BROKEN_RULE })).results?.length
  expect(await read()).toMatchObject({ check: null, answer: null })
  await forecourt.targets.checkDue()
  expect(await read()).toMatchObject({
    answer: 'ok',
    check: { answer: 'ok', status: 200, redirectedTo: null, reason: null },
  })
  expect(await broken()).toBe(0)
  expect(await forecourt.targets.hasDue()).toBe(false)

  site.files.clear()
  clock.advance(24 * 3_600_000 + 1_000)
  await forecourt.targets.checkDue()
  const { check } = await read()
  expect(check).toMatchObject({ answer: 'gone', status: 404, since: check?.checkedAt })
  expect(await broken()).toBe(1)

  // Another target is another question.
  await ford.call(shortUrls.update, { id, url: `${url}?new` })
  expect(await read()).toMatchObject({ check: null })
  await forecourt.targets.checkDue()
  expect((await read()).check).toMatchObject({ answer: 'gone' })
})
