import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeWithoutWaiting, connectionLimits, limitBodyTime } from './connection-limits.ts'

test('closes connections that trickle headers, and answers others in the meantime', async () => {
  const app = Fastify(connectionLimits({ headersMs: 200, checkMs: 50 }))
  app.get('/', () => 'Hello.')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const slow = Array.from({ length: 20 }, () => connect(Number(new URL(address).port), '127.0.0.1'))
  const closed = slow.map((socket) => {
    socket.on('error', () => {})
    socket.resume()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
    const more = setInterval(() => socket.write('X-More: 1\r\n'), 20)
    return new Promise((done) => socket.once('close', done)).finally(() => clearInterval(more))
  })
  expect(await (await fetch(address)).text()).toBe('Hello.')
  await Promise.all(closed)
  expect(slow.every(({ destroyed }) => destroyed)).toBe(true)
  await app.close()
})

test('ends a body that trickles in, except for uploads', async () => {
  const app = Fastify(connectionLimits())
  limitBodyTime(app, {
    bodyMs: 200,
    hasLongBody: ({ url }) => url === '/upload',
    onLate: (_request, reply) => void reply.code(408).send('Too slow.'),
  })
  const receive = (path: string) => app.post(path, ({ body }) => `Got ${String(body).length}.`)
  receive('/form')
  receive('/upload')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const trickle = async (path: string): Promise<string> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 30\r\n\r\n`,
    )
    let sent = 0
    const more = setInterval(() => (sent++ < 30 ? socket.write('x') : clearInterval(more)), 20)
    let text = ''
    for await (const part of socket) {
      text += String(part)
      if (text.includes('.')) break
    }
    clearInterval(more)
    socket.destroy()
    return text
  }
  const answers = await Promise.all(['/form', '/upload'].map(trickle))
  expect(answers[0]).toContain('HTTP/1.1 408')
  expect(answers[0]).toContain('Too slow.')
  expect(answers[1]).toContain('HTTP/1.1 200')
  await app.close()
})

test('allows 15 seconds for headers', () => {
  expect(connectionLimits()).toEqual({
    connectionTimeout: 120_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  })
})

test('waits for responses when it stops, but not for connections without a request', async () => {
  const app = Fastify({ ...connectionLimits(), return503OnClosing: false })
  closeWithoutWaiting(app)
  const received = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/', () => {
    received.resolve()
    return answer.promise
  })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const responseText = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
  await received.promise
  // Browsers open spare connections; the other one stops in the middle of its headers.
  const [spare, unfinished] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(spare, 'connect'), once(unfinished, 'connect')])
  unfinished.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
  const closed = [spare, unfinished].map((socket) => {
    socket.on('error', () => {})
    socket.resume()
    return new Promise((done) => socket.once('close', done))
  })
  const stopped = app.close()
  await Promise.all(closed)
  answer.resolve('Hello.')
  expect(await responseText).toBe('Hello.')
  await stopped
})
