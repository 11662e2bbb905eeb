import { randomBytes } from 'node:crypto'
import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { files } from '#contract/files/files.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { multipart } from '#test/harness/multipart.ts'

let forecourt: TestApp
let admin: Caller
let adf: string
let form: string
let port: number
beforeAll(async () => {
  forecourt = await testApp()
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const input = { label: 'Reused', sourceName: 'Reused', lotId: await ford.addLot() }
  const { id } = await admin.call(inboundAddresses.add, input)
  adf = (await admin.call(inboundAddresses.renewUrls, { id })).adfPath
  form = `/f/${(await ford.addForm()).key}`
  await forecourt.app.listen({ port: 0, host: '127.0.0.1' })
  const at: AddressInfo | string | null = forecourt.app.server.address()
  port = at !== null && typeof at === 'object' ? at.port : 0
})
afterAll(() => forecourt.close())

type Sent = { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: Buffer | string }

/** @returns the status */
function send(agent: Agent, { method = 'POST', path, headers = {}, body = '' }: Sent): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request({ agent, port, method, path, headers }, (response) => {
      response.resume()
      response.once('end', () => done(response.statusCode ?? 0))
    })
    sent.once('error', fail)
    sent.end(body)
  })
}

const SIZE = 1_200_000
/** Letters that don't compress well. */
const text = Buffer.from(randomBytes(SIZE).map((byte) => 97 + (byte % 26))).toString('latin1')
const xml = `<?xml version="1.0"?><adf><!--${text}--></adf>`
const asXml = { 'content-type': 'application/xml' }
const asJson = { 'content-type': 'application/json' }
const gzip = { 'content-encoding': 'gzip' }
const host = 'northgate.localhost'
const file = multipart({ container: 'media' }, [{ name: 'reused.txt', bytes: text }])
const packed = { payload: gzipSync(file.payload), headers: { ...file.headers, ...gzip } }
const by = (): OutgoingHttpHeaders => ({ authorization: `Bearer ${admin.token}` })
const json = JSON.stringify({ name: text })

/** Bodies over 1 MB, some of which are refused before they are read. */
const BODIES: readonly (readonly [string, () => Sent])[] = [
  ['ADF', () => ({ path: adf, headers: asXml, body: xml })],
  ['compressed ADF', () => ({ path: adf, headers: { ...asXml, ...gzip }, body: gzipSync(xml) })],
  ['ADF in a file', () => ({ path: adf, headers: file.headers, body: file.payload })],
  ['ADF to an unknown address', () => ({ path: '/api/leads/adf/none', headers: asXml, body: xml })],
  ['a body without a token', () => ({ path: lots.add.path, headers: asJson, body: json })],
  ['a body with a token', () => ({ path: lots.add.path, headers: { ...asJson, ...by() }, body: json })],
  ['a body of another type', () => ({ path: lots.add.path, headers: { ...asXml, ...by() }, body: xml })],
  ['a file without a token', () => ({ path: files.upload.path, headers: file.headers, body: file.payload })],
  [
    'a compressed file',
    () => ({ path: files.upload.path, headers: { ...packed.headers, ...by() }, body: packed.payload }),
  ],
  [
    'a file that is refused',
    () => ({ path: factorEditions.read.path, headers: { ...file.headers, ...by() }, body: file.payload }),
  ],
  ['a form with a file', () => ({ path: form, headers: { ...file.headers, host }, body: file.payload })],
  [
    'a compressed form with a file',
    () => ({ path: form, headers: { ...packed.headers, host }, body: packed.payload }),
  ],
  ['an unknown path', () => ({ path: '/api/none', headers: asJson, body: json })],
]

test.for(BODIES)(
  '%s of more than 1 MB is answered on a reused connection, and so is what follows',
  async ([, make]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const probe = { method: 'GET', path: '/livez' }
    const statuses: number[] = []
    for (const sent of [probe, make(), probe, make(), probe]) statuses.push(await send(agent, sent))
    agent.destroy()
    expect([statuses[0], statuses[2], statuses[4]]).toEqual([200, 200, 200])
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  },
)
