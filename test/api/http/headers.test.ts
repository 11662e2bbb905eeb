import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/answer.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let dealer: Caller
let administrator: Caller
let participant: Caller
beforeAll(async () => {
  forecourt = await testApp()
  dealer = await forecourt.as('northgate.dealer')
  administrator = await forecourt.as('super', 'Northgate Ford')
  participant = await (await testOrganization(forecourt, 'Northgate Ford')).asParticipant()
})
afterAll(() => forecourt.close())

type Request = Parameters<Caller['send']>[0]
const kinds: Record<string, { request: Request; status: number; isSignedIn?: boolean }> = {
  'a success': { request: { method: 'GET', url: '/api/customers/get-lots' }, status: 200, isSignedIn: true },
  'a request without a token': { request: { method: 'GET', url: '/api/customers/get-lots' }, status: 401 },
  'a request without permission': {
    request: { method: 'GET', url: '/api/organization/list' },
    status: 403,
    isSignedIn: true,
  },
  'a missing row': {
    request: { method: 'GET', url: '/api/customers/edit-lot/999999999' },
    status: 404,
    isSignedIn: true,
  },
  'an unknown endpoint': { request: { method: 'GET', url: '/api/nothing' }, status: 404 },
  'an unknown page': { request: { method: 'GET', url: '/nothing.php' }, status: 404 },
  'a wrong field': {
    request: { method: 'GET', url: '/api/customers/get-lots?page=0' },
    status: 400,
    isSignedIn: true,
  },
  'a body too large': {
    request: { method: 'POST', url: '/api/auth', payload: `"${'a'.repeat(1_100_000)}"` },
    status: 413,
  },
  'a body of another type': {
    request: {
      method: 'POST',
      url: '/api/auth',
      payload: '<a/>',
      headers: { 'content-type': 'application/xml' },
    },
    status: 415,
  },
  'an undecodable URL': { request: { method: 'GET', url: '/api/organization/%' }, status: 400 },
  'the OpenAPI document': { request: { method: 'GET', url: '/api/openapi.json' }, status: 200 },
  'the reference page': { request: { method: 'GET', url: '/api/reference' }, status: 200 },
  'the script of the reference page': { request: { method: 'GET', url: '/api/reference.js' }, status: 200 },
  'the health probe': { request: { method: 'GET', url: '/healthz' }, status: 200 },
}

describe.for(Object.keys(kinds))('%s', (name) => {
  let answer: Awaited<ReturnType<Caller['send']>>
  beforeAll(async () => {
    const kind = kinds[name]
    if (kind === undefined) throw new Error(`There is no ${name}.`)
    answer = await (kind.isSignedIn === true ? dealer : forecourt.anonymous).send(kind.request)
  })

  test('has the expected status, so that the other tests check the right response', () => {
    expect(answer.status).toBe(kinds[name]?.status)
  })

  test('has every security header', () => {
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("script-src 'self';"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.stringMatching(/DENY|SAMEORIGIN/),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[0-9A-F]{4}-[0-9A-F]{4}$/),
    })
  })

  test('blocks inline scripts and framing', () => {
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|default-src[^;]*\*/)
  })

  test('does not reveal the server software', () => {
    expect(answer.headers).not.toHaveProperty('server')
    expect(answer.headers).not.toHaveProperty('x-powered-by')
  })
})

test.for(Object.keys(kinds).filter((name) => kinds[name]?.request.url.startsWith('/api/')))(
  '%s is not cached',
  async (name) => {
    const kind = kinds[name]
    if (kind === undefined) throw new Error(`There is no ${name}.`)
    const { headers } = await (kind.isSignedIn === true ? dealer : forecourt.anonymous).send(kind.request)
    expect(headers['cache-control']).toBe('no-store')
  },
)

describe('a request from another site', () => {
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const urlOf = (path: string) => path.replace(/\{\w+\}/g, '1')

  test.for(everyCase.filter(({ endpoint }) => endpoint.writes))('cannot call $name', async ({ endpoint }) => {
    const caller = endpoint.allow === 'participant' ? participant : administrator
    const request = { method: endpoint.method, url: urlOf(endpoint.path), headers: crossSite }
    const answer = await caller.send(request)
    expect({ status: answer.status, message: Refusal.parse(JSON.parse(answer.text)).message }).toEqual({
      status: 403,
      message: 'Requests from other sites are not allowed.',
    })
  })

  test.for(['same-origin', 'same-site', 'none'])('is not assumed for sec-fetch-site: %s', async (site) => {
    const payload = { idleMs: 0 }
    const answer = await dealer.send({
      method: 'POST',
      url: '/api/auth/keep-alive',
      payload,
      headers: { 'sec-fetch-site': site },
    })
    expect(answer.status).toBe(200)
  })

  test('can follow a link that only reads', async () => {
    const answer = await dealer.send({ method: 'GET', url: '/api/customers/get-lots', headers: crossSite })
    expect(answer.status).toBe(200)
  })

  test('gets no CORS headers', async () => {
    const answer = await dealer.send({
      method: 'GET',
      url: '/api/customers/get-lots',
      headers: { ...crossSite, origin: 'https://elsewhere.example' },
    })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  test('gets no permission from a preflight request', async () => {
    const answer = await forecourt.anonymous.send({
      method: 'OPTIONS',
      url: '/api/customers/add-lot',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    })
    expect({ status: answer.status, allowed: answer.headers['access-control-allow-origin'] }).toEqual({
      status: 404,
      allowed: undefined,
    })
  })
})

test.for([
  ['PUT', 405],
  ['PATCH', 405],
  ['DELETE', 405],
  // An answer to it would tell other sites what they may call.
  ['OPTIONS', 404],
] as const)('%s on a GET-only path returns %i', async ([method, status]) => {
  const answer = await dealer.send({ method, url: '/api/customers/get-lots' })
  expect({ status: answer.status, refusal: Refusal.parse(JSON.parse(answer.text)).status }).toEqual({
    status,
    refusal: false,
  })
})

test('HEAD answers like GET without the body, including errors', async () => {
  const url = '/api/customers/get-lots'
  const [inside, outside] = await Promise.all([
    dealer.send({ method: 'HEAD', url }),
    forecourt.anonymous.send({ method: 'HEAD', url }),
  ])
  expect([inside.status, inside.text, outside.status]).toEqual([200, '', 401])
})

test('an unknown method is rejected without a server error', async () => {
  const answer = await forecourt.app.inject({ method: 'PROPFIND', url: '/api/customers/get-lots' })
  expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  expect(answer.statusCode).toBeLessThan(500)
})

test('sends HSTS if the public URL uses https', async () => {
  const secure = await testApp({ PUBLIC_URL: 'https://backoffice.example.com' })
  const { headers } = await secure.anonymous.send({ method: 'GET', url: '/healthz' })
  await secure.close()
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
})
