import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { channels, MAX_CHANNELS } from '#contract/channels/channels/channels.ts'
import { prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { openFeed } from '#server/formats/open-feed.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
let harbor: Caller
let place: TestOrganization
let sftp: FakeSftpServer
const PAGE = 'https://www.northgate.example/cars/{vin}'
const login = { user: 'dealer', password: 'right' }
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin')
  place = await testOrganization(forecourt, 'Northgate Ford')
  sftp = await startFakeSftpServer(login)
  // The demo channels have schedules and would run during the tests.
  await forecourt.owner.query('delete from channels')
  await forecourt.owner.query('delete from pricing_rules')
})
afterAll(async () => {
  await forecourt.close()
  await sftp.close()
})

/** A vehicle that every channel includes, unless `columns` changes that. */
async function addOffered(fields: Partial<NewVehicle> = {}): Promise<string> {
  const lotId = await place.addLot()
  await place.call(lots.update, {
    id: lotId,
    address: '1 Main St',
    city: 'Sacramento',
    region: 'CA',
    postalCode: '95841',
  })
  return place.addVehicle({
    lotId,
    vin: `1FADP3F20DL${String(++made).padStart(6, '0')}`,
    status: 'live',
    year: 2021,
    model: TAG,
    body: 'Sedan',
    color: 'Blue, "Ocean"',
    mileage: 31_204,
    priceCents: 1_899_500,
    description: 'One owner.\nTwo keys & a ramp.',
    photos: [{ kind: 'address', place: 'https://img.example/a%2C1.jpg', alt: 'Front' }],
    ...fields,
  })
}
let made = 0
let TAG = ''
beforeEach(() => {
  TAG = fresh('Focus')
})

type ChannelInput = Parameters<typeof channels.add.input.parse>[0]
const ours = (more: object = {}): ChannelInput => ({
  name: fresh('Channel'),
  kind: 'google',
  destination: 'pull',
  rule: `model == "${TAG}"`,
  pageTemplate: PAGE,
  ...more,
})
async function addChannel(more: object = {}) {
  return admin.call(channels.add, channels.add.input.parse(ours(more)))
}
async function run(id: string) {
  await admin.call(channels.run, { id })
  await forecourt.channels.workDue()
  return admin.call(channels.runs, { id })
}
const fetchFile = (path: string | null, headers: Record<string, string> = {}) =>
  forecourt.anonymous.send({ method: 'GET', url: path ?? '/none', headers })

describe('a run', () => {
  test('sends listings and records why it excluded each other vehicle', async () => {
    const good = await addOffered()
    await addOffered({ vin: `1FADP3F20DL${String(made).padStart(6, '0')}` })
    const bare = await addOffered({ priceCents: null, photos: [] })
    const waiting = await addOffered({ status: 'preparing' })
    await addOffered({ photos: [{ kind: 'address', place: 'https://img.example/coming-soon.png' }] })
    const channel = await addChannel()
    const { runs, excluded } = await run(channel.id)
    // A download link: nothing was sent.
    const { results } = await admin.call(channels.list, { filter: 'lastState == "available"' })
    expect(results.map(({ id, lastState }) => [id, lastState])).toContainEqual([channel.id, 'available'])
    expect(runs).toMatchObject([
      { state: 'available', listed: 1, excluded: 4, requestedBy: expect.any(String), message: null },
    ])
    expect(runs[0]?.reasons).toEqual({
      noPrice: 1,
      noPicture: 1,
      notForSale: 1,
      placeholderOnly: 1,
      duplicate: 1,
    })
    expect(excluded.find(({ vehicleId }) => vehicleId === bare)?.reasons).toEqual(['noPrice', 'noPicture'])
    expect(excluded.find(({ vehicleId }) => vehicleId === waiting)?.reasons).toEqual(['notForSale'])
    const { text, headers, status } = await fetchFile(channel.feedPath)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(text).toContain(good)
    expect(text).not.toContain(bare)
  })

  test('creates a file that our Google and Meta presets read back as the same vehicle', async () => {
    await addOffered({ stock: 'A-7', trim: 'SE', transmission: 'Automatic' })
    for (const kind of ['google', 'meta'] as const) {
      const channel = await addChannel({ kind })
      await run(channel.id)
      const { bytes } = await fetchFile(channel.feedPath)
      const { columns, rows } = await openFeed(Readable.from([bytes]), ANY_SHAPE)
      const read: FeedRow[] = []
      for await (const row of rows) read.push(row)
      expect(read.length).toBe(1)
      const today = '2026-11-21'
      const { mapping, preset } = proposeMapping({ format: 'csv', columns, rows: read }, today)
      expect(preset?.key).toBe(kind)
      const map = prepareMapping(mapping, { unit: 'mi', today, columns })
      expect(read.map((row) => map(row).values)).toMatchObject([
        {
          make: 'Ford',
          model: TAG,
          trim: 'SE',
          year: 2021,
          mileage: 31_204,
          // With the document and filing charges of the demo customer.
          price: 1_911_300,
          color: 'Blue, "Ocean"',
          description: 'One owner.\nTwo keys & a ramp.',
          photos: ['https://img.example/a%2C1.jpg'],
        },
      ])
    }
  })

  test('agrees with the vehicle page and the JSON-LD', async () => {
    const id = await addOffered()
    const channel = await addChannel()
    const bare = await addOffered({ priceCents: null })
    await run(channel.id)
    const { text } = await fetchFile(channel.feedPath)
    const of = await admin.call(channels.ofVehicle, { id })
    expect(of.channels.find(({ channelId }) => channelId === channel.id)).toMatchObject({
      reasons: [],
      listedSince: expect.any(String),
    })
    expect(of.jsonLd).toMatchObject({ '@type': 'Car', offers: { price: '19113.00', priceCurrency: 'USD' } })
    expect(text).toContain('19113.00 USD')
    expect(text).toContain(String(of.jsonLd.url))
    const other = await admin.call(channels.ofVehicle, { id: bare })
    expect(other.channels.find(({ channelId }) => channelId === channel.id)).toMatchObject({
      reasons: ['noPrice'],
      listedSince: null,
    })
    const foreign = await place.addVehicle({ status: 'live' })
    const left = await admin.call(channels.ofVehicle, { id: foreign })
    expect(left.channels.find(({ channelId }) => channelId === channel.id)?.reasons).toContain('leftOut')
  })

  test('links to the pages of the public site, if it has no pages of its own', async () => {
    const id = await addOffered()
    const channel = await addChannel({ pageTemplate: null, format: 'xml' })
    await run(channel.id)
    const { text } = await fetchFile(channel.feedPath)
    expect(text).toMatch(new RegExp(`<g:link>https?://[^<]+/v/${id}</g:link>`))
    expect(text).toContain('<g:vehicle_fulfillment><g:option>in_store</g:option><g:store_code>')
  })

  test('sends nothing if the file is unchanged', async () => {
    await addOffered()
    const channel = await addChannel({ everyHours: 1 })
    await forecourt.channels.workDue()
    const first = await fetchFile(channel.feedPath)
    await due(channel.id)
    const { runs } = await admin.call(channels.runs, { id: channel.id })
    expect(runs.map(({ state, requestedBy }) => [state, requestedBy])).toEqual([
      ['unchanged', null],
      ['available', null],
    ])
    const again = await fetchFile(channel.feedPath, { 'if-none-match': String(first.headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('stops if the number of vehicles drops by more than half, unless it is started manually', async () => {
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) ids.push(await addOffered())
    const channel = await addChannel({ everyHours: 1 })
    await forecourt.channels.workDue()
    const before = await fetchFile(channel.feedPath)
    await forecourt.owner.query(`update vehicles set status = 'hold' where id = any($1)`, [ids.slice(3)])
    await due(channel.id)
    const { runs } = await admin.call(channels.runs, { id: channel.id })
    expect(runs[0]).toMatchObject({ state: 'stopped', listed: 3 })
    expect(runs[0]?.message).toContain('Not sent: only 3 vehicles, but the last file had 12.')
    expect((await fetchFile(channel.feedPath)).text).toBe(before.text)
    expect((await run(channel.id)).runs[0]?.state).toBe('available')
    expect((await fetchFile(channel.feedPath)).text).not.toBe(before.text)
  })

  test('is done by only one of two servers', async () => {
    await addOffered()
    const channel = await addChannel(sent())
    sftp.requests.length = 0
    await admin.call(channels.run, { id: channel.id })
    await Promise.all([
      forecourt.channels.workDue(),
      forecourt.channels.workDue(),
      forecourt.channels.workDue(),
    ])
    expect(sftp.requests.filter((one) => one.startsWith('rename'))).toHaveLength(1)
    expect((await admin.call(channels.runs, { id: channel.id })).runs).toHaveLength(1)
  })

  test('ends as failed if its server was killed, and the next run replaces it', async () => {
    await addOffered()
    const channel = await addChannel(sent())
    await forecourt.owner.query(
      `insert into channel_runs (customer_id, channel_id) select customer_id, id from channels where id = $1`,
      [channel.id],
    )
    await forecourt.owner.query(
      `update channel_states set lease = gen_random_uuid(), leased_until = app_now() - interval '1 second', next_run_at = app_now()
        where channel_id = $1`,
      [channel.id],
    )
    await forecourt.channels.workDue()
    const { runs } = await admin.call(channels.runs, { id: channel.id })
    expect(runs.map(({ state }) => state)).toEqual(['sent', 'failed'])
    expect(runs[1]?.message).toBe('The server stopped during the run.')
  })
})

/** Makes a channel due now. */
async function due(id: string): Promise<void> {
  await forecourt.owner.query('update channel_states set next_run_at = app_now() where channel_id = $1', [id])
  await forecourt.channels.workDue()
}
const sent = (more: object = {}) => ({
  destination: 'sftp',
  host: 'localhost',
  port: sftp.port,
  remotePath: `/in/${TAG.replace(' ', '-')}.csv`,
  userName: login.user,
  secret: login.password,
  ...more,
})

describe('an SFTP server', () => {
  test('receives the file; its host key is saved, and a different key is rejected until the saved one is removed', async () => {
    await addOffered()
    const channel = await addChannel(sent())
    expect((await run(channel.id)).runs[0]).toMatchObject({ state: 'sent', listed: 1 })
    expect(sftp.files.get(`/in/${TAG.replace(' ', '-')}.csv`)?.toString()).toContain('19113.00 USD')
    const kept = await admin.call(channels.get, { id: channel.id })
    expect(kept).toMatchObject({
      hasSecret: true,
      hostKey: expect.stringMatching(/^SHA256:/),
      feedPath: null,
    })
    expect(JSON.stringify(kept)).not.toContain(login.password)
    const { port } = sftp
    await sftp.close()
    sftp = await startFakeSftpServer(login, { port })
    const refused = (await run(channel.id)).runs[0]
    expect(refused?.state).toBe('failed')
    expect(refused?.message).toContain('host key: The server presented')
    expect(sftp.files.size).toBe(0)
    await admin.call(channels.forgetHostKey, { id: channel.id })
    expect((await run(channel.id)).runs[0]?.state).toBe('sent')
  })

  test("can't be one at a private address without FORECOURT_PRIVATE_ADDRESSES", async () => {
    const closed = await testApp({ FORECOURT_DEMO: '1', FORECOURT_PRIVATE_ADDRESSES: '' })
    try {
      await closed.owner.query('delete from channels')
      const stranger = await closed.as('northgate.admin', 'Northgate Ford')
      const { id } = await stranger.call(channels.add, channels.add.input.parse(ours(sent())))
      const asked = sftp.requests.length
      await stranger.call(channels.run, { id })
      await closed.channels.workDue()
      const { runs } = await stranger.call(channels.runs, { id })
      expect(runs[0]?.state).toBe('failed')
      expect(runs[0]?.message).toContain('localhost is not on the public internet')
      expect(sftp.requests.length).toBe(asked)
    } finally {
      await closed.close()
    }
  })

  test('requires the password again if the host changes', async () => {
    const channel = await addChannel(sent())
    const moved = await refusalOf(
      admin.call(channels.update, { id: channel.id, host: 'other.example', secret: null }),
    )
    expect(moved.refusal.fields).toEqual({ secret: expect.stringContaining('Enter the password again') })
    const renamed = await admin.call(channels.update, {
      id: channel.id,
      name: fresh('Renamed'),
      secret: null,
    })
    expect(renamed.hasSecret).toBe(true)
  })
})

/** Suspends the customer during `check`, with SQL, so that the sessions of these tests stay. */
async function whileSuspended(check: () => Promise<void>): Promise<void> {
  const setStatus = (status: string) =>
    forecourt.owner.query('update customers set status = $2 where id = $1', [place.customerId, status])
  await setStatus('suspended')
  try {
    await check()
  } finally {
    await setStatus('active')
  }
}

describe('the download link', () => {
  test('can be replaced, and the old link then returns 404', async () => {
    await addOffered()
    const channel = await addChannel()
    await run(channel.id)
    const renewed = await admin.call(channels.renewAddress, { id: channel.id })
    expect((await fetchFile(channel.feedPath)).status).toBe(404)
    expect((await fetchFile(renewed.feedPath)).status).toBe(200)
    expect((await fetchFile(renewed.feedPath?.replace('.csv', '.xml') ?? null)).status).toBe(404)
    await admin.call(channels.update, { id: channel.id, isActive: false, secret: null })
    expect((await fetchFile(renewed.feedPath)).status).toBe(404)
  })

  test('returns 404 while its customer is suspended', async () => {
    await addOffered()
    const channel = await addChannel()
    await run(channel.id)
    expect((await fetchFile(channel.feedPath)).status).toBe(200)
    await whileSuspended(async () => {
      expect((await fetchFile(channel.feedPath)).status).toBe(404)
    })
  })

  test("returns 404 on another customer's domain", async () => {
    await addOffered()
    const channel = await addChannel()
    await run(channel.id)
    expect((await fetchFile(channel.feedPath, { host: 'harbor.localhost' })).status).toBe(404)
    expect((await fetchFile(channel.feedPath, { host: 'northgate.localhost' })).status).toBe(200)
  })

  test('is shown only to users who may change channels', async () => {
    const { id } = await addChannel()
    expect((await dealer.call(channels.get, { id }).catch(() => ({ feedPath: null }))).feedPath).toBeNull()
    await expect(harbor.call(channels.get, { id })).toRefuse(404)
    await expect(harbor.call(channels.run, { id })).toRefuse(404)
  })
})

describe('photos in the media', () => {
  test('can be downloaded by their key only while the vehicle is for sale at a public lot', async () => {
    const folder = await ownFolder(admin)
    await sendFiles(forecourt, admin, { path: folder }, [{ name: 'Side.jpg', bytes: await phonePhoto() }])
    const photos = [{ kind: 'file' as const, place: `${folder}/Side.jpg`, alt: 'Side' }]
    const id = await addOffered({ photos })
    const { jsonLd } = await admin.call(channels.ofVehicle, { id })
    const [address] = Array.isArray(jsonLd.image) ? jsonLd.image : []
    const { pathname } = new URL(String(address))
    const shown = await fetchFile(pathname)
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await fetchFile(pathname, { host: 'harbor.localhost' })).status).toBe(404)
    const another = `${pathname.slice(0, -2)}${pathname.at(-2) === 'A' ? 'B' : 'A'}${pathname.at(-1)}`
    expect((await fetchFile(another)).status).toBe(404)
    await whileSuspended(async () => {
      expect((await fetchFile(pathname)).status).toBe(404)
    })
    const { lotId } = await admin.call(vehicles.get, { id })
    await admin.call(lots.update, { id: lotId, isPublic: false })
    expect((await fetchFile(pathname)).status).toBe(404)
    await admin.call(lots.update, { id: lotId, isPublic: true })
    expect((await fetchFile(pathname)).status).toBe(200)
    await forecourt.owner.query(`update vehicles set status = 'hold' where id = $1`, [id])
    expect((await fetchFile(pathname)).status).toBe(404)
  })
})

test('a lot that is hidden leaves the file within seconds, and is back as soon when it is shown again', async () => {
  const id = await addOffered()
  const { lotId, stock } = await admin.call(vehicles.get, { id })
  const channel = await addChannel({ kind: 'csv' })
  await run(channel.id)
  const isListed = async () => (await fetchFile(channel.feedPath)).text.includes(String(stock))
  expect(await isListed()).toBe(true)
  for (const isPublic of [false, true]) {
    await admin.call(lots.update, { id: lotId, isPublic })
    clock.advance(4_000)
    await forecourt.channels.workDue()
    expect(await isListed()).toBe(isPublic)
  }
})

describe('a file follows', () => {
  const isListed = async (feedPath: string | null, text: string) =>
    (await fetchFile(feedPath)).text.includes(text)
  const secondsLater = async (seconds: number) => {
    clock.advance(seconds * 1_000)
    await forecourt.prices.workDue()
    await forecourt.channels.workDue()
  }

  test('a new price and a hold within seconds, and says how long that took', async () => {
    const id = await addOffered()
    const { stock } = await admin.call(vehicles.get, { id })
    const channel = await addChannel({ kind: 'csv', everyHours: 24 })
    await forecourt.prices.workDue()
    await secondsLater(60)
    expect(await isListed(channel.feedPath, '19113')).toBe(true)
    await admin.call(vehicles.update, { id, priceCents: 1_949_500, confirmPrices: true })
    await forecourt.prices.workDue()
    await forecourt.channels.workDue()
    expect((await admin.call(channels.get, { id: channel.id })).waitsSince).not.toBeNull()
    await secondsLater(4)
    expect(await isListed(channel.feedPath, '19613')).toBe(true)
    await admin.call(vehicles.update, { id, status: 'hold' })
    await secondsLater(1)
    await secondsLater(4)
    expect(await isListed(channel.feedPath, String(stock))).toBe(false)
    const { waitsSince, slowestSeconds } = await admin.call(channels.get, { id: channel.id })
    expect([waitsSince, slowestSeconds]).toEqual([
      null,
      expect.toSatisfy((most: number) => most >= 4 && most < 60),
    ])
    const { runs } = await admin.call(channels.runs, { id: channel.id })
    expect(runs.slice(0, 3).map(({ changedAt }) => changedAt !== null)).toEqual([true, true, false])
  })

  test('what changed while the one before was being sent', async () => {
    const id = await addOffered()
    const { stock } = await admin.call(vehicles.get, { id })
    const channel = await addChannel({ ...sent(), kind: 'csv', everyHours: 24 })
    await forecourt.channels.workDue()
    const file = () => [...sftp.files].find(([path]) => path === channel.remotePath)?.[1].toString() ?? ''
    expect(file()).toContain(String(stock))
    const leaseFor = (seconds: number) =>
      forecourt.owner.query(
        `update channel_states set lease = gen_random_uuid(), leased_until = $2, next_run_at = app_now() where channel_id = $1`,
        [channel.id, new Date(clock.now() + seconds * 1_000).toISOString()],
      )
    // As it is while a server works on it, and after that was killed.
    await leaseFor(60)
    await admin.call(vehicles.update, { id, status: 'hold' })
    await forecourt.channels.workDue()
    expect(file()).toContain(String(stock))
    await leaseFor(-60)
    await secondsLater(61)
    await secondsLater(61)
    expect(file()).not.toContain(String(stock))
  })

  test('a change whose file could not be sent, once that works again', async () => {
    const id = await addOffered()
    const { stock } = await admin.call(vehicles.get, { id })
    const channel = await addChannel({ ...sent(), kind: 'csv' })
    await run(channel.id)
    const path = channel.remotePath ?? ''
    expect(sftp.files.get(path)?.toString()).toContain(String(stock))
    sftp.locked.add(path)
    await admin.call(vehicles.update, { id, status: 'hold' })
    await secondsLater(1)
    await secondsLater(61)
    const failed = await admin.call(channels.get, { id: channel.id })
    expect([failed.lastState, failed.waitsSince === null]).toEqual(['failed', false])
    sftp.locked.delete(path)
    await secondsLater(6 * 60)
    expect(sftp.files.get(path)?.toString()).not.toContain(String(stock))
    expect((await admin.call(channels.get, { id: channel.id })).waitsSince).toBeNull()
  })
})

describe('custom columns', () => {
  const columns = [
    { name: 'Dealer', value: 'NG-0042' },
    { name: 'Name', value: '{year} {make}, {model}' },
    { name: 'Asking', value: '{price}' },
    { name: 'Pictures', value: '{photos}' },
  ]

  test('are written in their order in every format', async () => {
    await addOffered()
    const csv = await addChannel({ kind: 'csv', columns })
    await run(csv.id)
    const [head, row] = (await fetchFile(csv.feedPath)).text.split('\n')
    expect(head).toBe('Dealer,Name,Asking,Pictures')
    expect(row).toContain(`NG-0042,"2021 Ford, ${TAG}",19113.00,http`)
    for (const format of ['json', 'xml'] as const) {
      await admin.call(channels.update, { id: csv.id, format, secret: null })
      await run(csv.id)
      const { feedPath } = await admin.call(channels.get, { id: csv.id })
      const { text } = await fetchFile(feedPath)
      expect(text).toMatch(new RegExp(`NG-0042.*2021 Ford, ${TAG}`, 's'))
      expect(text).not.toContain('lot_code')
    }
  })

  test('apply only to custom files and are cleared for other kinds', async () => {
    const { id } = await addChannel({ kind: 'csv', columns })
    const changed = await admin.call(channels.update, { id, kind: 'google', secret: null })
    expect(changed.columns).toEqual([])
  })

  test.each([
    [{ columns: [{ name: 'Cost', value: '{cost}' }] }, 'columns.0.value', "{cost} isn't a field."],
    [
      { columns: [columns[0], { name: 'DEALER', value: '' }] },
      'columns.1.name',
      'Another column has the same name.',
    ],
    [{ format: 'xml', columns: [{ name: 'Asking price', value: '' }] }, 'columns.0.name', 'XML names'],
  ])('%o are rejected with an error for the field', async (given, field, sentence) => {
    const { id } = await addChannel({ kind: 'csv' })
    const change = channels.update.input.parse({ id, secret: null, ...given })
    const refusal = await refusalOf(admin.call(channels.update, change))
    expect(refusal.status).toBe(400)
    expect(refusal.refusal.fields?.[field]).toContain(sentence)
  })
})

test('rejects a rule that is invalid or uses costs', async () => {
  const refusal = await refusalOf(addChannel({ rule: 'cost > 5' }))
  expect(refusal.status).toBe(400)
  expect(refusal.refusal.fields?.rule).toContain('The filter has an error at character 1')
})

test('rejects a stale change with the current channel', async () => {
  const { id, version } = await addChannel()
  await admin.call(channels.update, { id, version, name: fresh('First'), secret: null })
  const second = { id, version, name: fresh('Second'), secret: null }
  await expect(admin.call(channels.update, second)).toRefuse(409)
})

test("schedules a daily run in the customer's time zone", async () => {
  const channel = await addChannel({ dailyAt: '05:30' })
  await forecourt.channels.workDue()
  const { nextRunAt } = await admin.call(channels.get, { id: channel.id })
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/Los_Angeles',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(nextRunAt ?? 0))
  expect(shown).toBe('05:30')
  expect(new Date(nextRunAt ?? 0).getTime()).toBeGreaterThan(clock.now())
})

test('a customer has at most 200 channels', async () => {
  await forecourt.owner.query(`
    insert into channels (customer_id, name, kind, format, destination)
    select ${place.customerId}, 'Full ' || n, 'csv', 'csv', 'pull' from generate_series(1, ${MAX_CHANNELS}
      - (select count(*)::int from channels where customer_id = ${place.customerId})) n`)
  await expect(place.addChannel()).rejects.toThrow('There can be at most 200 channels.')
  await forecourt.owner.query(`delete from channels where name = 'Full 1'`)
  await place.addChannel()
  await forecourt.owner.query(`delete from channels where name like 'Full %'`)
})
