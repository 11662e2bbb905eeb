import { randomBytes } from 'node:crypto'
import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { files } from '#contract/files/files.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { multipart } from '#test/harness/multipart.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call } from '../calling.ts'

const home = resolve('.forecourt-test', `reused-${process.pid}`)
const SIZES = [900_000, 1_100_000, 3_000_000, 12_000_000]
/** A connection that waits forever is closed after 72 s, so anything below tells the two apart. */
const MOST_MS = 30_000

let product: Product
let token: string
let adf: string
let mail: string
let form: string
beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  product = await startProduct(home)
  token = await signIn(product.address, 'northgate.admin')
  const session = { product, token }
  const { results } = await call(session, lots.list, { page: 1 })
  const input = { label: 'Reused', sourceName: 'Reused', lotId: results?.[0]?.id ?? '' }
  const { id } = await call(session, inboundAddresses.add, input)
  const urls = await call(session, inboundAddresses.renewUrls, { id })
  adf = urls.adfPath
  mail = urls.mailPath
  const found = await call(session, forms.list, { filter: 'status == "published"' })
  form = `/f/${found.results[0]?.key ?? ''}`
})
afterAll(async () => {
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

type Sent = { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: Buffer | string }
type Answer = { status: number; ms: number; isReused: boolean }

function send(agent: Agent, { method = 'POST', path, headers = {}, body = '' }: Sent): Promise<Answer> {
  const startedAt = performance.now()
  const { hostname, port } = new URL(product.address)
  return new Promise((done, fail) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
      response.resume()
      response.once('end', () =>
        done({
          status: response.statusCode ?? 0,
          ms: performance.now() - startedAt,
          isReused: sent.reusedSocket,
        }),
      )
    })
    sent.once('error', fail)
    sent.end(body)
  })
}

/** Letters that don't compress well. */
const noise = (size: number): Buffer => Buffer.from(randomBytes(size).map((byte) => 97 + (byte % 26)))

/** What senders of large bodies do, each to an address that accepts it or not. */
function bodiesOf(size: number): [name: string, sent: Sent][] {
  const text = noise(size).toString('latin1')
  const xml = `<?xml version="1.0"?><adf><!--${text}--></adf>`
  const file = () => multipart({ container: 'media' }, [{ name: `${crypto.randomUUID()}.txt`, bytes: text }])
  const zipped = file()
  const field = multipart({ adf: xml }, [])
  const asXml = { 'content-type': 'application/xml' }
  const asJson = { 'content-type': 'application/json' }
  const authorization = `Bearer ${token}`
  const gzip = { 'content-encoding': 'gzip' }
  const encoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const host = 'northgate.localhost'
  const of = ({ payload, headers }: ReturnType<typeof multipart>, path: string, more = {}): Sent => ({
    path,
    body: payload,
    headers: { ...headers, ...more },
  })
  return [
    ['ADF', { path: adf, headers: asXml, body: xml }],
    ['ADF in a file', of(multipart({}, [{ name: 'a.xml', bytes: xml }]), adf)],
    ['ADF in a field', of(field, adf)],
    ['compressed ADF', { path: adf, headers: { ...asXml, ...gzip }, body: gzipSync(noise(size)) }],
    [
      'a compressed file',
      {
        path: files.upload.path,
        headers: { ...zipped.headers, ...gzip, authorization },
        body: gzipSync(zipped.payload),
      },
    ],
    [
      'a compressed form with a file',
      { path: form, headers: { ...zipped.headers, ...gzip, host }, body: gzipSync(zipped.payload) },
    ],
    ['ADF to an unknown address', { path: '/api/leads/adf/unknown', headers: asXml, body: xml }],
    ['an email', { path: mail, headers: asJson, body: JSON.stringify({ MessageID: '1', TextBody: text }) }],
    ['a feed to an unknown address', of(file(), '/inbound/feed/unknown')],
    [
      'a body without a token',
      { path: lots.add.path, headers: asJson, body: JSON.stringify({ name: text }) },
    ],
    [
      'a body with a token',
      { path: lots.add.path, headers: { ...asJson, authorization }, body: JSON.stringify({ name: text }) },
    ],
    ['a file without a token', of(file(), files.upload.path)],
    ['a file with a token', of(file(), files.upload.path, { authorization })],
    ['a file that is refused', of(file(), factorEditions.read.path, { authorization })],
    ['a body of another type', { path: lots.add.path, headers: { ...asXml, authorization }, body: xml }],
    ['an unknown path', { path: '/api/unknown', headers: asJson, body: text }],
    ['a page', { path: '/dashboard', headers: asJson, body: text }],
    ['a form', { path: form, headers: { ...encoded, host }, body: `name=${text}` }],
    ['a form with a file', of(file(), form, { host })],
    ['an unknown form', of(file(), '/f/unknown', { host })],
    ['an unknown page of a site', { path: '/unknown', headers: { ...encoded, host }, body: `name=${text}` }],
  ]
}

test('every request on a reused connection is answered, whatever was sent before it', async () => {
  const problems: string[] = []
  let [requests, reused, longest] = [0, 0, 0]
  for (const size of SIZES) {
    for (const [name, sent] of bodiesOf(size)) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (const [what, next] of [
        ['first', { method: 'GET', path: '/livez' }],
        ['body', sent],
        ['next', { method: 'GET', path: '/livez' }],
        ['body again', sent],
        ['last', { method: 'GET', path: '/livez' }],
      ] as const) {
        const answer = await send(agent, next).catch((error: unknown) => String(error))
        requests += 1
        const where = `${name} of ${size} bytes, ${what}`
        if (typeof answer === 'string') {
          problems.push(`${where}: ${answer}`)
          continue
        }
        if (answer.isReused) reused += 1
        longest = Math.max(longest, answer.ms)
        if (answer.ms > MOST_MS || answer.status >= 500) problems.push(`${where}: ${JSON.stringify(answer)}`)
      }
      agent.destroy()
    }
  }
  console.log(
    `figure: requests after large bodies on one connection each = ${requests}, ${reused} on a reused connection, longest ${Math.round(longest)} ms`,
  )
  expect(problems).toEqual([])
  expect(reused).toBeGreaterThan(requests / 2)
}, 1_200_000)
