import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

// What one customer uses up is not taken from others (docs/decisions/0197-fair-shares.md). Forms are in form-abuse.test.ts.

const certificate = makeCertificate()
const trusted = getCACertificates()
const picture = await phonePhoto({ width: 30, height: 20 })
/** Answers for photos that wait for the test. */
const hanging: ServerResponse[] = []
let forecourt: TestApp
let [ford, harbor]: TestOrganization[] = []
let hosts: { url: string; requests: string[]; close: () => void }[] = []

beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  hosts = [await startHost(), await startHost()]
  forecourt = await testApp({ FORECOURT_DEMO: '1', FORECOURT_PRIVATE_ADDRESSES: '1' })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  for (const { close } of hosts) close()
  await forecourt.close()
})

/** A photo host. It doesn't answer for photos whose name begins with "hang" until the test lets it. */
async function startHost() {
  const requests: string[] = []
  const server = createServer(certificate, (request, response) => {
    requests.push(request.url ?? '')
    if (request.url?.startsWith('/hang') === true) hanging.push(response)
    else response.end(picture)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `https://localhost:${port}`, requests, close: () => server.close().closeAllConnections() }
}

/** The addresses of the photos of a vehicle on the public site. */
async function publishPhotos(place: TestOrganization | undefined, host: string, places: readonly string[]) {
  if (place === undefined) throw new Error('There is no organization.')
  const photos = places.map((url) => ({ kind: 'address' as const, place: url, alt: '' }))
  const lotId = await place.addLot()
  const id = await place.addVehicle({
    lotId,
    status: 'live',
    year: 2022,
    make: 'Kia',
    model: 'Niro',
    priceCents: 2_500_000,
    photos,
  })
  const page = await forecourt.app.inject({ url: `/v/2022-kia-niro-${id}`, headers: { host } })
  const found = [...new Set(page.body.match(/\/feeds\/pictures\/[\w-]+/g))]
  return found.map((url) => async () => (await forecourt.app.inject({ url, headers: { host } })).statusCode)
}

test("a photo host that doesn't answer takes no photos off another customer's site", async () => {
  const [slow, good] = hosts
  const slowPhotos = await publishPhotos(
    harbor,
    'harbor.localhost',
    Array.from({ length: 12 }, (_, at) => `${slow?.url}/hang${at}.png`),
  )
  const [goodPhoto, otherPhoto] = await publishPhotos(ford, 'northgate.localhost', [
    `${good?.url}/1.png`,
    `${slow?.url}/2.png`,
  ])
  const pending = slowPhotos.map((load) => load())
  await expect.poll(() => hanging.length).toBe(4)
  expect(await goodPhoto?.()).toBe(200)
  expect([hanging.length, slow?.requests.length]).toEqual([4, 4])
  // The host breaks down: what waits for it is not tried, and for a minute nothing else of it is.
  for (const response of hanging) response.destroy()
  expect(new Set(await Promise.all(pending))).toEqual(new Set([404]))
  expect(await otherPhoto?.()).toBe(404)
  expect(slow?.requests).toHaveLength(4)
  clock.advance(61_000)
  expect(await otherPhoto?.()).toBe(200)
})

test("many emails of one customer don't keep the lead of another", async () => {
  const pathOf = async (place: TestOrganization | undefined) => {
    const id = (await place?.addInboundAddress()) ?? ''
    return (await place?.call(inboundAddresses.renewUrls, { id }))?.mailPath ?? ''
  }
  const [fordPath, harborPath] = [await pathOf(ford), await pathOf(harbor)]
  const send = (path: string, n: number, more: object) =>
    postInbound(
      forecourt,
      path,
      JSON.stringify({
        MessageID: `${path} ${n}`,
        From: `"Buyer ${n}" <buyer${n}@mail.example>`,
        FromFull: { Email: `buyer${n}@mail.example`, Name: `Buyer ${n}` },
        Subject: 'The red Escape',
        Headers: [],
        Attachments: [],
        ...more,
      }),
      'application/json',
    )
  // Small to send, and much to read.
  const nested = `${'<div>'.repeat(4_000)}Is it still there?${'</div>'.repeat(4_000)}`
  const order: string[] = []
  const large = Array.from({ length: 12 }, async (_, n) => {
    await send(harborPath, n, { TextBody: '', HtmlBody: nested })
    order.push('large')
  })
  // The others are queued by the time the first one is read.
  await Promise.race(large)
  const { status } = await send(fordPath, 0, { TextBody: 'Is it still there?' })
  order.push('lead')
  await Promise.all(large)
  expect(status).toBe(200)
  expect(order.indexOf('lead')).toBeLessThan(6)
})
