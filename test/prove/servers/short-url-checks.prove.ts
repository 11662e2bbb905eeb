import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

// Checks of what short URLs lead to: test/api/marketing/short-url-checks.test.ts has a sample.

const MINUTE_MS = 60_000
const certificate = makeCertificate()
const trusted = getCACertificates()
let forecourt: TestApp
let ford: TestOrganization
/** A site of 127.0.0.1. By path: the status, where it redirects, or `hang`. */
let site: Server
let base: string
const answers = new Map<string, number | string>()
const asked: string[] = []
let [open, most] = [0, 0]

beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  site = createServer(certificate, (request, response) => {
    const { method = '', url = '' } = request
    asked.push(`${method} ${url}`)
    open += 1
    most = Math.max(most, open)
    response.once('close', () => void (open -= 1))
    const answer = answers.get(`${method} ${url}`) ?? answers.get(url) ?? 404
    if (answer === 'hang') return
    if (answer === 'reset') {
      request.socket.destroy()
      return
    }
    // Time for others to arrive.
    setTimeout(() => {
      if (typeof answer === 'string') response.writeHead(302, { location: answer }).end()
      else response.writeHead(answer).end()
    }, 100)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const address = site.address()
  base = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  site.closeAllConnections()
  await new Promise((done) => site.close(done))
})
beforeEach(async () => {
  answers.clear()
  asked.length = 0
  most = 0
})
afterEach(() => forecourt.close())

async function start(more: Record<string, string> = {}): Promise<void> {
  forecourt = await testApp(more)
  await forecourt.owner.query(`update short_url_checks set next_check_at = 'infinity'`)
  ford = await testOrganization(forecourt, 'Northgate Ford')
}
const add = async (url: string) =>
  (await ford.call(shortUrls.add, shortUrls.add.input.parse({ name: fresh('Link'), target: 'url', url }))).id
const checkOf = async (id: string) => (await ford.call(shortUrls.get, { id })).check
/** Checks everything that is due. */
async function checkAll(): Promise<void> {
  while (await forecourt.targets.hasDue()) await forecourt.targets.checkDue()
}

test('what a site answers is told as it was', async () => {
  await start()
  const cases = {
    '/ok': [200, { answer: 'ok', status: 200 }],
    '/deleted': [410, { answer: 'gone', status: 410 }],
    '/sign-in': [403, { answer: 'refused', status: 403 }],
    '/broken': [500, { answer: 'failed', status: 500 }],
    '/moved': ['/ok', { answer: 'ok', status: 200, redirectedTo: null }],
    '/circle': ['/circle', { answer: 'failed', status: null, reason: 'There were more than 5 redirects.' }],
    '/plain': ['http://127.0.0.1/', { answer: 'failed', reason: 'It redirects to a URL without HTTPS.' }],
    '/away': [
      base.replace('127.0.0.1', 'localhost') + '/ok',
      { answer: 'elsewhere', redirectedTo: 'localhost' },
    ],
    '/reset': ['reset', { answer: 'unreachable', status: null }],
  } as const
  const ids: [string, object][] = []
  for (const [path, [answer, check]] of Object.entries(cases)) {
    answers.set(path, answer)
    ids.push([await add(`${base}${path}`), check])
  }
  // A site that only people's browsers get a page from.
  answers.set('HEAD /get-only', 405).set('GET /get-only', 200)
  ids.push([await add(`${base}/get-only`), { answer: 'ok', status: 200 }])
  const port = new URL(base).port
  ids.push([await add(`https://127.0.0.2:${port}/`), { answer: 'unreachable' }])
  await checkAll()
  for (const [id, check] of ids) expect(await checkOf(id)).toMatchObject(check)
  expect(asked.filter((one) => one.endsWith('/ok') && one.startsWith('GET'))).toEqual([])
  expect(most).toBeLessThanOrEqual(2)
})

test('a certificate that cannot be verified is named', async () => {
  await start()
  setDefaultCACertificates(trusted)
  try {
    const id = await add(`${base}/ok`)
    await checkAll()
    expect(await checkOf(id)).toMatchObject({
      answer: 'certificate',
      status: null,
      reason: expect.stringContaining('certificate'),
    })
  } finally {
    setDefaultCACertificates([...trusted, certificate.cert])
  }
})

test('addresses that are not public, and other ports, are never asked', async () => {
  await start({ FORECOURT_PRIVATE_ADDRESSES: '0' })
  const ids = [await add('https://127.0.0.1/'), await add(`${base}/ok`), await add('https://10.0.0.1/')]
  await checkAll()
  for (const id of ids) expect(await checkOf(id)).toMatchObject({ answer: 'unreachable', status: null })
  expect(asked).toEqual([])
})

test('failed checks are repeated with growing pauses, and since when it fails is kept', async () => {
  await start()
  const id = await add(`${base}/gone`)
  await checkAll()
  const since = (await checkOf(id))?.since
  for (const minutes of [15, 60, 240, 24 * 60]) {
    clock.advance((minutes - 1) * MINUTE_MS)
    expect([minutes, await forecourt.targets.hasDue()]).toEqual([minutes, false])
    clock.advance(2 * MINUTE_MS)
    expect([minutes, await forecourt.targets.hasDue()]).toEqual([minutes, true])
    await checkAll()
    expect((await checkOf(id))?.since).toBe(since)
  }
  answers.set('/gone', 200)
  clock.advance(25 * 60 * MINUTE_MS)
  await checkAll()
  const check = await checkOf(id)
  expect(check).toMatchObject({ answer: 'ok', since: check?.checkedAt })
})

test('a check that was cut off is repeated, and one that was saved meanwhile is not overwritten', async () => {
  await start()
  answers.set('/slow', 'hang').set('/other', 200)
  const id = await add(`${base}/slow`)
  const running = forecourt.targets.checkDue()
  await expect.poll(() => asked.length).toBe(1)
  // As a server that is killed leaves it.
  expect([await checkOf(id), await forecourt.targets.hasDue()]).toEqual([null, false])
  clock.advance(16 * MINUTE_MS)
  expect(await forecourt.targets.hasDue()).toBe(true)
  await ford.call(shortUrls.update, { id, url: `${base}/other` })
  site.closeAllConnections()
  await running
  expect(await checkOf(id)).toBeNull()
  await checkAll()
  expect(await checkOf(id)).toMatchObject({ answer: 'ok' })
})

test('nothing is asked for a suspended customer', async () => {
  await start()
  answers.set('/ok', 200)
  const id = await add(`${base}/ok`)
  const staff = await forecourt.as('super', 'Forecourt Operations')
  const { results } = await staff.call(customers.list, { search: 'Northgate' })
  const customer = { id: results?.[0]?.id ?? '' }
  await staff.call(customers.setStatus, { ...customer, status: 'suspended', reason: 'Invoice open' })
  expect(await forecourt.targets.hasDue()).toBe(false)
  await forecourt.targets.checkDue()
  expect(asked).toEqual([])
  await staff.call(customers.setStatus, { ...customer, status: 'active' })
  await checkAll()
  expect(asked).toEqual(['HEAD /ok'])
  ford = await testOrganization(forecourt, 'Northgate Ford')
  expect(await checkOf(id)).toMatchObject({ answer: 'ok' })
})

test('a restored copy asks nothing until an operator says that it is the real installation', async () => {
  await start()
  answers.set('/ok', 200)
  await forecourt.owner.query(
    `insert into iam.installation (install_id, key_check_sealed, restored_at) values ('test', 'x', app_now())
      on conflict (only_row) do update set restored_at = app_now()`,
  )
  const id = await add(`${base}/ok`)
  expect(await forecourt.targets.hasDue()).toBe(false)
  await forecourt.targets.checkDue()
  expect(asked).toEqual([])
  await forecourt.owner.query('update iam.installation set restored_at = null')
  await checkAll()
  expect(await checkOf(id)).toMatchObject({ answer: 'ok' })
})

test('a deletion ends the checks, and an undone one starts them again', async () => {
  await start()
  answers.set('/ok', 200)
  const id = await add(`${base}/ok`)
  await checkAll()
  const removal = await ford.call(shortUrls.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  clock.advance(25 * 60 * MINUTE_MS)
  await checkAll()
  expect(asked).toHaveLength(1)
  await ford.call(jobs.undo, { id: removal.id })
  await forecourt.jobs.runDue()
  expect(await checkOf(id)).toBeNull()
  await checkAll()
  expect(await checkOf(id)).toMatchObject({ answer: 'ok' })
})
