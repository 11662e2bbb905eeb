import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let northgate: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  northgate = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  // The demo data is due, too.
  await forecourt.owner.query('delete from channels')
  await forecourt.owner.query('update feed_source_states set next_run_at = null')
})
afterAll(() => forecourt.close())

const addChannel = (caller: Caller) =>
  caller.call(
    channels.add,
    channels.add.input.parse({
      name: fresh('Channel'),
      kind: 'google',
      destination: 'pull',
      pageTemplate: 'https://www.dealer.example/cars/{vin}',
    }),
  )
const addSource = (caller: Caller, port: number) =>
  caller.call(
    feedSources.add,
    feedSources.add.input.parse({
      name: fresh('Feed'),
      kind: 'ftp',
      host: '127.0.0.1',
      port,
      remotePath: '/stock.csv',
      userName: 'dealer',
      secret: 'hush',
    }),
  )

test('many due channels of one customer delay another one by what runs now', async () => {
  for (let n = 0; n < 12; n += 1) await addChannel(northgate)
  const { id } = await addChannel(harbor)
  await forecourt.owner.query(
    `update channel_states set next_run_at = app_now() - case when channel_id = $1 then interval '1 second' else interval '1 hour' end`,
    [id],
  )
  await forecourt.channels.workDue()
  const { rows } = await forecourt.owner.query<{ channelId: string }>(
    'select channel_id as "channelId" from channel_runs order by id',
  )
  expect(rows).toHaveLength(13)
  // The first claims may be for Northgate, which was due first.
  expect(rows.findIndex(({ channelId }) => channelId === id)).toBeLessThan(4)
})

test("many due feeds of a customer whose server doesn't answer leave room for another's", async () => {
  const [silent, asked] = await Promise.all([listen(), listen((socket) => socket.end('421 Closed.\r\n'))])
  for (let n = 0; n < 6; n += 1) await addSource(northgate, silent.port)
  const { id } = await addSource(harbor, asked.port)
  await forecourt.owner.query(
    `update feed_source_states s set next_run_at = app_now() - case when source_id = $1 then interval '1 second' else interval '1 hour' end
      from feed_sources f where f.customer_id = s.customer_id and f.id = s.source_id and f.port = any($2)`,
    [id, [silent.port, asked.port]],
  )
  const working = forecourt.feeds.workDue()
  await expect.poll(() => asked.connections.length, { timeout: 4_000 }).toBeGreaterThan(0)
  // Of one customer, three are fetched at once.
  await expect.poll(() => silent.connections.length).toBe(3)
  await forecourt.owner.query('update feed_source_states set next_run_at = null where lease is null')
  await Promise.all([silent.close(), asked.close()])
  await working
})

/** A server that answers with `greet`, or says nothing. */
async function listen(greet: (socket: Socket) => void = () => {}) {
  const connections: Socket[] = []
  const server = createServer((socket) => {
    connections.push(socket.on('error', () => {}))
    greet(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections,
    close: async () => {
      for (const socket of connections) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
