import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeWithoutWaiting, connectionLimits } from './connection-limits.ts'

test('connections that send a header line now and then are closed, and others are answered meanwhile', async () => {
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

test('the product gives headers 15 seconds, and bodies as long as they move', () => {
  expect(connectionLimits()).toEqual({
    connectionTimeout: 120_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
  })
})

test('stopping waits for answers, not for connections on which no request has arrived', async () => {
  const app = Fastify({ ...connectionLimits(), return503OnClosing: false })
  closeWithoutWaiting(app)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/', () => {
    asked.resolve()
    return answer.promise
  })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const answered = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
  await asked.promise
  // A browser opens one that it may need later; the other one stays in the middle of its headers.
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
  expect(await answered).toBe('Hello.')
  await stopped
})
