import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { flawOf } from '#test/harness/bad-responses.ts'

let forecourt: TestApp
let port: number
beforeAll(async () => {
  forecourt = await testApp()
  await forecourt.app.listen({ port: 0, host: '127.0.0.1' })
  const address = forecourt.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => forecourt.close())

test('another method of a known path is told which methods it has', async () => {
  const socket = await open()
  socket.write(request('PUT /api/customers/edit-lot/12'))
  const answer = await text(socket)
  expect(answer).toMatch(/^allow: GET\r$/m)
  expect(answer).toContain('This address takes GET, not PUT.')
})

test('a field that is missing is required, and a value that no choice takes says why', async () => {
  const missing = await forecourt.anonymous.send({ method: 'POST', url: '/api/auth/set-up', payload: {} })
  expect(JSON.parse(missing.text).fields).toMatchObject({
    company: 'Company is required.',
    firstName: 'First name is required.',
  })
  const admin = await forecourt.as('northgate.dealer')
  const page = await admin.send({ method: 'GET', url: '/api/customers/get-lots?page=-1' })
  expect(JSON.parse(page.text).fields).toEqual({ page: 'This must be a whole number.' })
})

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** The status and body of every response on one connection. */
function answersIn(received: string): { status: number; text: string }[] {
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .map((one) => ({ status: Number(one.slice(9, 12)), text: one.slice(one.indexOf('\r\n\r\n') + 4) }))
}

async function send(request: string): Promise<{ status: number; text: string }[]> {
  const socket = await open()
  socket.write(request)
  return answersIn(await text(socket))
}

const END = 'Host: localhost\r\nConnection: close\r\n\r\n'
const request = (line: string, headers = '') => `${line} HTTP/1.1\r\n${headers}${END}`

test.for([
  ['an unknown path', request('GET /api/nothing/here'), 404],
  ['a POST to an unknown path', request('POST /api/nothing/here', 'Content-Length: 0\r\n'), 404],
  ['an unsupported method of a known path', request('DELETE /api/auth'), 405],
  ['a method that no path has', request('PROPFIND /api/auth'), 404],
  ['TRACE', request('TRACE /api/auth'), 404],
  ['an invalid method', request('FOO /api/auth'), 400],
  ['a path that cannot be decoded', request('GET /api/%zz'), 400],
  ['a path parameter that is too long', request(`GET /api/customers/edit-lot/${'1'.repeat(1_000)}`), 404],
  ['an address of 20 KB', request(`GET /api/${'a'.repeat(20_000)}`), 431],
  ['a header of 20 KB', request('GET /api/auth', `X-Long: ${'a'.repeat(20_000)}\r\n`), 431],
  ['an invalid header', request('GET /api/auth', 'no header\r\n'), 400],
  ['no host', 'GET /api/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an unknown expectation', request('POST /api/auth', 'Expect: wonders\r\n'), 417],
  [
    'two lengths of one body',
    request('POST /api/auth', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
    400,
  ],
  [
    'an invalid chunk',
    `${request('POST /api/auth', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}zz\r\n`,
    400,
  ],
  ['another version of HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no HTTP at all', '\u0016\u0003\u0001hello', 400],
] as const)('answers %s with the envelope', async ([, sent, status]) => {
  const [answer = { status: 0, text: '' }] = await send(sent)
  expect({ status: answer.status, flaw: flawOf(answer) }).toEqual({ status, flaw: null })
})

test('answers requests during shutdown with 503 and the envelope', async () => {
  const socket = await open()
  const body = '{"username":"nobody.at.all","password":"x"}'
  const start = `POST /api/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const arrived = once(forecourt.app.server, 'request')
  socket.write(start)
  await arrived
  const closed = forecourt.app.close()
  socket.write(`${body}GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [first, second = { status: 0, text: '' }] = answersIn(await text(socket))
  await closed
  expect([first?.status, second.status, flawOf(second)]).toEqual([401, 503, `503 ${second.text}`])
  expect(JSON.parse(second.text)).toEqual({
    status: false,
    data: null,
    message: 'The server is shutting down. Try again in a few seconds.',
  })
})
