// @module-tag release
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { type FakeFtpServer, startFakeFtpServer } from '#test/fakes/ftp.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let sftp: FakeSftpServer
let ftp: FakeFtpServer
const login = { user: 'dealer', password: 'Hush-9f1c-hush' }
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  sftp = await startFakeSftpServer(login)
  ftp = await startFakeFtpServer(login, null)
})
afterAll(async () => {
  await forecourt.close()
  await Promise.all([sftp.close(), ftp.close()])
})
beforeEach(() => {
  for (const { files, times, locked } of [sftp, ftp]) for (const kept of [files, times, locked]) kept.clear()
})

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price,Mileage'
/** A feed of `count` vehicles whose stock numbers start with a tag. */
const stock = (tag: string, count: number): Buffer =>
  Buffer.from(
    [
      HEAD,
      ...Array.from({ length: count }, (_, at) => `,${tag}-${at},Used,2019,Ford,Escape,9000,50000`),
    ].join('\n'),
  )
function putFile(
  server: FakeSftpServer | FakeFtpServer,
  path: string,
  { day, bytes }: { day: string; bytes: Buffer },
): void {
  server.files.set(path, bytes)
  server.times.set(path, new Date(`${day}T03:10:00Z`))
}

const bySftp = (more: object = {}) => ({
  name: fresh('Provider'),
  kind: 'sftp',
  host: 'localhost',
  port: sftp.port,
  remotePath: '/out/cars_*.csv',
  userName: login.user,
  secret: login.password,
  ...more,
})
const addSource = async (more: object = {}) =>
  admin.call(feedSources.add, feedSources.add.input.parse(bySftp({ lotIds: [await ford.addLot()], ...more })))

/** Requests a fetch and waits until the file is fetched and read. */
async function fetchNow(id: string) {
  await admin.call(feedSources.fetch, { id })
  await forecourt.feeds.workDue()
  await forecourt.jobs.runDue()
  const { deliveries } = await admin.call(feedSources.deliveries, { id })
  const [delivery] = deliveries
  const run = delivery?.runId == null ? null : await admin.call(feedRuns.get, { id: delivery.runId })
  return { delivery, run, source: await admin.call(feedSources.get, { id }) }
}
async function subjects(): Promise<string[]> {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  return (await mailsTo(forecourt, { id: rows[0]?.id ?? '' })).map(({ subject }) => subject)
}

test.for(['sftp', 'ftp'] as const)(
  'fetches and moves the newest file of a pattern by %s, and no older one after it',
  async (kind) => {
    const server = { sftp, ftp }[kind]
    const tag = fresh('N')
    putFile(server, '/out/cars_2.csv', { day: '2026-11-21', bytes: stock(tag, 2) })
    putFile(server, '/out/cars_3.csv', { day: '2026-11-22', bytes: stock(tag, 3) })
    const { id } = await addSource({ kind, port: server.port, afterFetch: 'move', moveTo: 'done/' })
    const first = await fetchNow(id)
    expect(first.run).toMatchObject({ fileName: 'cars_3.csv', status: 'ready', new: 3 })
    expect(first.delivery).toMatchObject({
      state: 'received',
      fileName: 'cars_3.csv',
      message: 'The file was moved to /out/done/cars_3.csv.',
    })
    expect([...server.files.keys()].toSorted()).toEqual(['/out/cars_2.csv', '/out/done/cars_3.csv'])
    const older = await fetchNow(id)
    expect(older.delivery).toMatchObject({
      state: 'unchanged',
      runId: null,
      message: 'There is no new file since the last one was fetched.',
    })
    expect(older.source.lastProblem).toBe(null)
    putFile(server, '/out/cars_4.csv', { day: '2026-11-23', bytes: stock(tag, 4) })
    expect((await fetchNow(id)).run).toMatchObject({ fileName: 'cars_4.csv', new: 4 })
    expect(server.files.has('/out/cars_2.csv')).toBe(true)
  },
)

test('a file deleted after each fetch may be missing later, but not at the first fetch', async () => {
  const { id } = await addSource({ remotePath: '/out/stock.csv', afterFetch: 'delete' })
  expect((await fetchNow(id)).delivery).toMatchObject({
    state: 'failed',
    message: `SFTP localhost:${sftp.port}, file: No such file or directory.`,
  })
  putFile(sftp, '/out/stock.csv', { day: '2026-11-22', bytes: stock(fresh('D'), 2) })
  const received = await fetchNow(id)
  expect(received.delivery).toMatchObject({
    state: 'received',
    message: 'The file was deleted from the server.',
  })
  expect(received.run).toMatchObject({ status: 'ready', new: 2 })
  expect(sftp.files.size).toBe(0)
  expect(await fetchNow(id)).toMatchObject({
    delivery: { state: 'unchanged' },
    source: { lastProblem: null },
  })
  // At another location a missing file is a failure again.
  await admin.call(feedSources.update, { id, remotePath: '/out/other.csv' })
  expect((await fetchNow(id)).delivery).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('No such file'),
  })
})

test('reads a file that cannot be deleted, emails the owner once, and retries the deletion', async () => {
  const tag = fresh('L')
  putFile(sftp, '/out/cars_1.csv', { day: '2026-11-22', bytes: stock(tag, 2) })
  sftp.locked.add('/out/cars_1.csv')
  const before = (await subjects()).length
  const { id, name } = await addSource({ afterFetch: 'delete' })
  const problem = `cars_1.csv was fetched but couldn't be deleted on the server: SFTP localhost:${sftp.port}, file: Permission denied.`
  const first = await fetchNow(id)
  expect(first.delivery).toMatchObject({ state: 'received', message: problem })
  expect(first.run).toMatchObject({ status: 'ready', new: 2 })
  expect(first.source.lastProblem).toBe(problem)
  const again = await fetchNow(id)
  expect(again.delivery).toMatchObject({
    state: 'unchanged',
    runId: first.run?.id,
    message: `The file is the same as the last one. ${problem}`,
  })
  expect(again.source.lastProblem).toBe(problem)
  expect((await subjects()).slice(before)).toEqual([`${name}: a fetched file was not removed`])
  const { results } = await admin.call(feedSources.list, { search: name })
  expect(results.map(({ lastProblem }) => lastProblem)).toEqual([problem])
  sftp.locked.clear()
  const done = await fetchNow(id)
  expect(done.delivery?.message).toBe(
    'The file is the same as the last one. The file was deleted from the server.',
  )
  expect(done.source.lastProblem).toBe(null)
  expect(sftp.files.size).toBe(0)
})

test('leaves a file that could not be ingested on its server', async () => {
  putFile(sftp, '/out/cars_1.csv', { day: '2026-11-22', bytes: Buffer.from('PK\u0003\u0004 cut') })
  const { id } = await addSource({ afterFetch: 'delete' })
  expect((await fetchNow(id)).delivery).toMatchObject({ state: 'failed', runId: null })
  expect([...sftp.files.keys()]).toEqual(['/out/cars_1.csv'])
})

test('keeps the problem of an unreadable file until a new one is fetched', async () => {
  putFile(sftp, '/out/cars_1.csv', {
    day: '2026-11-22',
    bytes: Buffer.from('\u0000\u0001\u0002 no feed at all'),
  })
  const { id } = await addSource({ afterFetch: 'delete' })
  const broken = await fetchNow(id)
  expect(broken.run?.status).toBe('failed')
  const next = await fetchNow(id)
  expect(next.delivery?.state).toBe('unchanged')
  expect(next.source.lastProblem).toBe(`cars_1.csv couldn't be read: ${broken.run?.error}`)
})

test('a pattern can contain the date, and an unchanged file is recognized', async () => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' })
    .format(clock.date())
    .replaceAll('-', '')
  putFile(sftp, `/out/cars_${day}_0310.csv`, { day: '2026-11-21', bytes: stock(fresh('B'), 2) })
  putFile(sftp, '/out/cars_20200101_0310.csv', { day: '2026-11-22', bytes: stock(fresh('B'), 3) })
  const { id } = await addSource({ remotePath: '/out/cars_{yyyyMMdd}_*.csv' })
  const { delivery, run } = await fetchNow(id)
  expect(delivery).toMatchObject({ state: 'received', fileName: `cars_${day}_0310.csv`, message: null })
  expect(run?.new).toBe(2)
  expect((await fetchNow(id)).delivery).toMatchObject({ state: 'unchanged', runId: run?.id })
  expect(sftp.files.size).toBe(2)
})

test('a connection test reports the newest file and removes nothing', async () => {
  putFile(sftp, '/out/cars_1.csv', { day: '2026-11-21', bytes: stock(fresh('T'), 1) })
  putFile(sftp, '/out/cars_2.csv', { day: '2026-11-22', bytes: stock(fresh('T'), 1) })
  const { id } = await addSource({ afterFetch: 'delete' })
  expect(await admin.call(feedSources.test, { id })).toEqual({
    isSuccessful: true,
    message: `Newest file: cars_2.csv. First line: ${HEAD}`,
  })
  expect(sftp.files.size).toBe(2)
})

test.for([
  [{ kind: 'https' }, 'remotePath'],
  [{ remotePath: '/out_*/cars.csv' }, 'remotePath'],
  [{ kind: 'https', remotePath: '/cars.csv', afterFetch: 'delete' }, 'afterFetch'],
  [{ afterFetch: 'move' }, 'moveTo'],
  [{ afterFetch: 'move', moveTo: '/out' }, 'moveTo'],
  [{ afterFetch: 'move', moveTo: '../away' }, 'moveTo'],
  [{ afterFetch: 'forget' }, 'afterFetch'],
] as const)('rejects %o with an error at %s', async ([more, field]) => {
  const { status, text } = await admin.send({
    method: 'POST',
    url: feedSources.add.path,
    payload: bySftp(more),
  })
  expect(status).toBe(400)
  expect(Object.keys(JSON.parse(text).fields)).toEqual([field])
})

test('stores the after-fetch setting only for delivery methods that support it', async () => {
  const source = await addSource({ afterFetch: 'move', moveTo: '/done/' })
  expect(source).toMatchObject({ afterFetch: 'move', moveTo: '/done' })
  const { id } = source
  const wrong = admin.call(feedSources.update, { id, kind: 'https', remotePath: '/cars.csv', secret: 'x' })
  await expect(wrong).toRefuse(400)
  const kept = await admin.call(feedSources.update, { id, afterFetch: 'delete' })
  expect(kept).toMatchObject({ afterFetch: 'delete', moveTo: null })
  const mailed = await admin.call(feedSources.update, { id, kind: 'mail' })
  expect(mailed).toMatchObject({ afterFetch: 'keep', moveTo: null })
})

test('channels support neither patterns nor after-fetch settings', async () => {
  const place = bySftp({ kind: 'google', destination: 'sftp' })
  const add = (payload: object) => admin.send({ method: 'POST', url: channels.add.path, payload })
  const starred = await add(place)
  expect([starred.status, JSON.parse(starred.text).fields]).toEqual([
    400,
    { remotePath: 'Use one fixed file name, without asterisks.' },
  ])
  const cleared = await add({ ...place, remotePath: '/in/cars.csv', afterFetch: 'delete' })
  expect([cleared.status, Object.keys(JSON.parse(cleared.text).fields)]).toEqual([400, ['afterFetch']])
})
