import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { clock } from '#server/clock.ts'
import { sweepSessions } from '#server/identity/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOUR = 3_600_000
const SITE = 'northgate.localhost'
/** What anyone may read at an address that isn't secret. */
const PUBLIC = ['whiteLabels.picture', 'publicFeeds.picture']

let forecourt: TestApp
let place: TestOrganization
let admin: Caller
let platform: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  await forecourt.sites.recheck()
})
afterAll(() => forecourt.close())
beforeEach(async () => {
  // The log counts within whole hours.
  clock.advance(3 * HOUR - (clock.now() % HOUR) + 1_000)
  place = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  platform = await forecourt.as('super', 'Forecourt Operations')
})

type Sent = { method?: 'GET' | 'POST'; url: string; from: string; payload?: object; host?: string }
const send = ({ method = 'POST', url, from, payload, host = 'localhost' }: Sent) =>
  forecourt.app.inject({
    method,
    url,
    remoteAddress: from,
    headers: { host },
    ...(payload && { payload }),
  })
const open = (token: string, from: string) =>
  send({ url: participantArea.open.path, from, payload: { token } })
const entries = async (caller: Caller, kind: string) => {
  await forecourt.identity.strangers.flush()
  const filter = `kind == "strangers" && rowId == "${kind}" && at > timestamp("${new Date(clock.now() - HOUR).toISOString()}")`
  return (await caller.call(auditLog.list, { filter })).results
}

test('every address that identifies who may use it says that it is a secret link', () => {
  const ofAnyone = listEndpoints(contract).filter(({ endpoint }) => endpoint.allow === 'anyone')
  const named = ofAnyone.filter(({ endpoint }) => /\{(?:token|key|file|hash|secret)\}/.test(endpoint.path))
  expect(named.filter(({ endpoint }) => !endpoint.isSecretLink).map(({ name }) => name)).toEqual(PUBLIC)
})

describe('a link that is guessed', () => {
  test('is limited for a whole IPv6 network, and never for those who have a link that works', async () => {
    const { linkOf, addParticipant } = place
    const own = await linkOf(await addParticipant())
    for (let n = 1; n <= 60; n += 1)
      expect((await open(`guess-${n}`, `2001:db8:1:2::${n.toString(16)}`)).statusCode).toBe(404)
    const refused = await open('guess-61', '2001:db8:1:2:ffff::1')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
    expect(refused.json()).toMatchObject({
      message:
        "Too many links that don't work were tried from this network. Links that work still open. Try again in 60 minutes.",
    })
    // Of another network, and with a link that works.
    expect((await open('guess-62', '2001:db8:1:3::1')).statusCode).toBe(404)
    expect((await open(own, '2001:db8:1:2::1')).statusCode).toBe(200)
    clock.advance(HOUR)
    expect((await open('guess-63', '2001:db8:1:2::1')).statusCode).toBe(404)
  })

  test('counts for every kind of link together, whatever it names', async () => {
    const from = '198.51.100.7'
    const random = 'x'.repeat(43)
    const guesses = [
      { url: `/inbound/feed/1-1-${random}` },
      { url: `/inbound/feed-mail/1-1-${random}` },
      { url: `/api/leads/adf/1-1-${random}` },
      { url: `/api/leads/mail/1-1-${random}` },
      { url: `/feeds/1-1-${random}.csv`, method: 'GET' as const },
      { url: '/f/staff-only', method: 'GET' as const, host: SITE },
    ]
    for (let round = 0; round < 10; round += 1)
      for (const guess of guesses) expect((await send({ from, ...guess })).statusCode).toBe(404)
    for (const guess of guesses) {
      const refused = await send({ from, ...guess })
      expect([guess.url, refused.statusCode]).toEqual([guess.url, 429])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    const { key } = await place.addForm()
    expect((await send({ from, url: `/f/${key}`, method: 'GET', host: SITE })).statusCode).toBe(200)
  })

  test(
    'is in the security log of the customer it names, once an hour and network, with a count',
    { tags: 'release' },
    async () => {
      const from = '198.51.100.8'
      const url = `/inbound/feed/${place.customerId}-1-${'y'.repeat(43)}`
      for (let n = 0; n < 70; n += 1) await send({ from, url })
      expect(await entries(admin, 'links')).toMatchObject([
        {
          what: expect.stringMatching(/^links that don't work were tried 10 times: Too many links/),
          address: from,
          actor: null,
          call: 'inboundFeeds.push',
        },
      ])
    },
  )

  test(
    'that names no customer is in the log of the platform, and at most six networks an hour',
    { tags: 'release' },
    async () => {
      for (let network = 1; network <= 8; network += 1)
        for (let n = 0; n < 62; n += 1) await open(`guess-${n}`, `2001:db8:7:${network}::1`)
      const found = await entries(platform, 'links')
      expect(found.map(({ address }) => address)).toEqual([
        'Other networks',
        ...[5, 4, 3, 2, 1].map((network) => `2001:db8:7:${network}::/64`),
      ])
      await forecourt.owner.query(
        `update audit_log set at = at - interval '91 days' where table_name = 'strangers'`,
      )
      await sweepSessions(forecourt.identity.iam)
      expect(await entries(platform, 'links')).toEqual([])
    },
  )
})
