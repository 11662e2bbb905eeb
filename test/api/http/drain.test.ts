import type { AddressInfo } from 'node:net'
import { Agent, get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DRAIN_SECONDS: '0' })
})
afterAll(() => forecourt.close())

const statusOf = async (url: string) => (await forecourt.app.inject({ method: 'GET', url })).statusCode

const metrics = () => forecourt.app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } })

test('/livez and /metrics succeed without a database, /readyz does not', async () => {
  const query = forecourt.iamPool.query.bind(forecourt.iamPool)
  const connect = forecourt.iamPool.connect.bind(forecourt.iamPool)
  const refuse = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  Object.assign(forecourt.iamPool, { query: refuse, connect: refuse })
  expect(await Promise.all(['/livez', '/readyz', '/healthz'].map(statusOf))).toEqual([200, 503, 503])
  const { statusCode, body } = await metrics()
  expect(statusCode).toBe(200)
  expect(body).toMatch(/^forecourt_free_bytes\{place="folder"\} \d+/m)
  expect(body).not.toMatch(/^forecourt_mails\{/m)
  Object.assign(forecourt.iamPool, { query, connect })
  expect(await Promise.all(['/livez', '/readyz', '/healthz'].map(statusOf))).toEqual([200, 200, 200])
})

test('the metrics include version, free bytes, queue ages, last runs and failed sign-ins', async () => {
  await forecourt.owner.query(
    `insert into iam.sign_in_failures (kind, key, failures) values ('address', '192.0.2.1', 7)`,
  )
  const { body } = await metrics()
  expect(body).toMatch(/^forecourt_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
  expect(body).toMatch(/^forecourt_free_bytes\{place="folder"\} \d+/m)
  expect(body).toMatch(/^forecourt_oldest_waiting_seconds\{what="jobs"\} \d/m)
  expect(body).toMatch(/^forecourt_oldest_waiting_seconds\{what="mails"\} \d/m)
  expect(body).toMatch(/^forecourt_last_run_timestamp_seconds\{what="(feeds|channels)"\} 1\d{9}/m)
  expect(body).toMatch(/^forecourt_sign_in_failures\{kind="address"\} 7$/m)
})

test('a draining process fails /readyz, still serves requests, and closes each connection', async () => {
  await forecourt.app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const requestPath = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((done, failed) => {
      const { port } = portOf(forecourt)
      get({ host: '127.0.0.1', port, path, agent }, (response) => {
        response
          .resume()
          .once('end', () => done({ status: response.statusCode, connection: response.headers.connection }))
      }).once('error', failed)
    })
  expect(await requestPath('/readyz')).toEqual({ status: 200, connection: 'keep-alive' })
  await forecourt.app.drain.begin()
  expect(await requestPath('/readyz')).toEqual({ status: 503, connection: 'close' })
  expect(await requestPath('/livez')).toEqual({ status: 200, connection: 'close' })
  expect(await requestPath('/healthz')).toEqual({ status: 200, connection: 'close' })
  agent.destroy()
})

function portOf({ app }: TestApp): AddressInfo {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return address
}
