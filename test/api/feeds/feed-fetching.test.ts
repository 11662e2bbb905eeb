import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { type FakeFtpServer, startFakeFtpServer } from '#test/fakes/ftp.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'
import { startFakeHttpsServer, type FakeHttpsServer } from '#test/fakes/https.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
let harbor: Caller
let sftp: FakeSftpServer
let ftp: FakeFtpServer
let ftps: FakeFtpServer
let web: FakeHttpsServer
const lines: string[] = []
const login = { user: 'dealer', password: 'Hush-9f1c-hush' }
const certificate = makeCertificate()
const trusted = getCACertificates()
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  forecourt = await testApp({ FORECOURT_DEMO: '1' }, { logTo: { write: (line) => lines.push(line) } })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select name from organizations where customer_id = $1 and name <> 'Northgate Ford' order by id limit 1`,
    [ford.customerId],
  )
  toyota = await testOrganization(forecourt, rows[0]?.name ?? '')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
  sftp = await startFakeSftpServer(login)
  ftp = await startFakeFtpServer(login, null)
  ftps = await startFakeFtpServer(login, certificate)
  web = await startFakeHttpsServer(certificate, login.password)
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await forecourt.close()
  await Promise.all([sftp, ftp, ftps, web].map((one) => one.close()))
})

const { apply, onLot } = feedImports(() => forecourt)

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price,Mileage'
/** A feed of `count` vehicles of one lot. */
function stock(count: number, price = 10_000): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `,${TAG}${at},Used,2019,Ford,Escape,${price + at},50000`,
  )
  return `${[HEAD, ...rows].join('\n')}\n`
}
let TAG = ''
const begin = async (): Promise<string> => {
  TAG = fresh('S').replace(/\W/g, '')
  return ford.addLot()
}

const byWeb = (more: object = {}) => ({
  name: fresh('Web feed'),
  kind: 'https',
  host: 'localhost',
  port: web.port,
  remotePath: '/stock.csv',
  userName: login.user,
  secret: login.password,
  ...more,
})
const addSource = (given: unknown, caller = admin) =>
  caller.call(feedSources.add, feedSources.add.input.parse(given))

/** Requests a fetch and waits until the file is fetched and read. */
async function fetchNow(id: string, caller = admin) {
  await caller.call(feedSources.fetch, { id })
  await forecourt.feeds.workDue()
  await forecourt.jobs.runDue()
  return last(id, caller)
}
async function last(id: string, caller = admin) {
  const { deliveries } = await caller.call(feedSources.deliveries, { id })
  const [delivery] = deliveries
  const run = delivery?.runId == null ? null : await caller.call(feedRuns.get, { id: delivery.runId })
  return { deliveries, delivery, run, source: await caller.call(feedSources.get, { id }) }
}
/** Makes the source due and fetches it. */
async function due(id: string) {
  await forecourt.owner.query('update feed_source_states set next_run_at = app_now() where source_id = $1', [
    id,
  ])
  await forecourt.feeds.workDue()
  await forecourt.jobs.runDue()
  return last(id)
}
async function ownMails() {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  return mailsTo(forecourt, { id: rows[0]?.id ?? '' })
}

describe('a feed source', () => {
  test.for(['https', 'sftp', 'ftps', 'ftp'] as const)(
    'is fetched by %s, previewed and applied, and the same file is not read again',
    async (kind) => {
      const lotId = await begin()
      const server = { sftp, ftp, ftps, https: web }[kind]
      if (kind === 'https') web.files.set('/stock.csv', stock(4))
      else ({ sftp, ftp, ftps })[kind].files.set('/stock.csv', Buffer.from(stock(4)))
      const { id, hasSecret } = await addSource(byWeb({ kind, port: server.port, lotIds: [lotId] }))
      expect(hasSecret).toBe(true)
      const first = await fetchNow(id)
      expect(first.delivery).toMatchObject({ state: 'received', fileName: 'stock.csv', message: null })
      expect(first.run).toMatchObject({ status: 'ready', new: 4, sourceId: id })
      expect(await onLot(lotId)).toEqual([])
      expect(await apply(admin, first.run?.id ?? '')).toMatchObject({ status: 'applied' })
      expect((await onLot(lotId)).length).toBe(4)
      const again = await fetchNow(id)
      expect(again.delivery).toMatchObject({ state: 'unchanged', runId: first.run?.id })
      expect(again.source).toMatchObject({ lastProblem: null, lastRowCount: 4 })
    },
  )

  test('fills in the date in the customer time zone', async () => {
    const lotIds = [await begin()]
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(clock.date())
    const name = `/out/${day.slice(0, 4)}/stock_${day.replaceAll('-', '')}.csv`
    web.files.set(name, stock(3))
    const { id } = await addSource(byWeb({ remotePath: '/out/{yyyy}/stock_{yyyyMMdd}.csv', lotIds }))
    const { delivery, run } = await fetchNow(id)
    expect([delivery?.fileName, run?.status, run?.new]).toEqual([name.split('/').at(-1), 'ready', 3])
  })

  test('applies files automatically unless they need review', async () => {
    const lotId = await begin()
    web.files.set('/stock.csv', stock(40))
    const { id } = await addSource(byWeb({ lotIds: [lotId], applies: 'automatic', everyHours: 6 }))
    await forecourt.feeds.workDue()
    await forecourt.jobs.runDue()
    expect((await last(id)).run).toMatchObject({ status: 'applied', new: 40 })
    expect((await onLot(lotId)).length).toBe(40)
    const before = (await ownMails()).length
    web.files.set('/stock.csv', stock(10, 9_000))
    const cut = await due(id)
    expect(cut.run).toMatchObject({ status: 'review', canApply: true })
    expect(cut.run?.reviewReasons.join(' ')).toContain('The last applied file had 40')
    expect((await onLot(lotId)).map(({ price_cents }) => price_cents)).toContain('1003900')
    const mails = (await ownMails()).slice(before)
    expect(mails.map(({ subject }) => subject)).toEqual([`${cut.source.name}: a feed needs review`])
    expect(mails[0]?.text).toContain(`/inventory/feeds/${cut.run?.id}`)
    // The same file is already waiting: it is not imported again, and no second email is sent.
    expect((await due(id)).delivery).toMatchObject({ state: 'unchanged', runId: cut.run?.id })
    expect((await ownMails()).length).toBe(before + 1)
    web.files.set('/stock.csv', stock(39))
    expect((await due(id)).run).toMatchObject({ status: 'applied', missing: 1 })
  })

  test('reports a problem, emails its owner once, and retries at growing intervals', async () => {
    const before = (await ownMails()).length
    const { id, name } = await addSource(byWeb({ secret: 'wrong', everyHours: 24 }))
    await forecourt.feeds.workDue()
    const wrong = await last(id)
    expect(wrong.delivery?.message).toBe(`HTTPS localhost:${web.port}, file: The server returned status 401.`)
    expect(wrong.source.lastProblem).toBe(wrong.delivery?.message)
    const minutes = async () =>
      Math.round((Date.parse((await last(id)).source.nextRunAt ?? '') - clock.now()) / 60_000)
    expect(await minutes()).toBe(5)
    await due(id)
    expect(await minutes()).toBe(15)
    expect((await ownMails()).slice(before).map(({ subject }) => subject)).toEqual([
      `${name}: feed not received`,
    ])
    await admin.call(feedSources.update, { id, remotePath: '/gone.csv', secret: login.password })
    expect((await due(id)).source.lastProblem).toContain('status 404')
    web.files.set('/gone.csv', stock(2))
    expect(await due(id)).toMatchObject({ delivery: { state: 'received' }, source: { lastProblem: null } })
    expect(await minutes()).toBe(24 * 60)
  })

  test('reports an unreadable file and emails its owner', async () => {
    web.files.set('/picture.csv', '\u0000\u0001\u0002 no feed at all')
    const { id, name } = await addSource(byWeb({ remotePath: '/picture.csv' }))
    const before = (await ownMails()).length
    const { run, source } = await fetchNow(id)
    expect(run?.status).toBe('failed')
    expect(source.lastProblem).toBe(`picture.csv couldn't be read: ${run?.error}`)
    expect((await ownMails()).slice(before).map(({ subject }) => subject)).toEqual([
      `${name}: feed not received`,
    ])
  })

  test('is fetched once for concurrent requests on several servers', async () => {
    const lotId = await begin()
    web.files.set('/once.csv', stock(3))
    const { id } = await addSource(byWeb({ remotePath: '/once.csv', lotIds: [lotId] }))
    const asked = web.requests.length
    await Promise.all([1, 2, 3].map(() => admin.call(feedSources.fetch, { id })))
    await Promise.all([forecourt.feeds.workDue(), forecourt.feeds.workDue()])
    expect(web.requests.length).toBe(asked + 1)
    expect((await last(id)).deliveries.length).toBe(1)
  })

  test('is fetched by the next server when one is killed during a fetch', async () => {
    const lotId = await begin()
    web.files.set('/killed.csv', stock(3))
    const { id } = await addSource(
      byWeb({ remotePath: '/killed.csv', lotIds: [lotId], applies: 'automatic' }),
    )
    await forecourt.owner.query(
      `insert into feed_deliveries (customer_id, source_id) select customer_id, id from feed_sources where id = $1`,
      [id],
    )
    await forecourt.owner.query(
      `update feed_source_states set lease = gen_random_uuid(), leased_until = app_now() - interval '1 second', next_run_at = app_now()
        where source_id = $1`,
      [id],
    )
    await forecourt.feeds.workDue()
    const { deliveries } = await last(id)
    expect(deliveries.map(({ state }) => state)).toEqual(['received', 'failed'])
    expect(deliveries[1]?.message).toBe('The server stopped during the transfer.')
    // The reading job continues with applying.
    await forecourt.jobs.runDue()
    const { run } = await last(id)
    expect(run?.status).toBe('applied')
  })

  test('resumes applying where the job was killed', async () => {
    const lotId = await begin()
    web.files.set('/half.csv', stock(5))
    const { id } = await addSource(byWeb({ remotePath: '/half.csv', lotIds: [lotId], applies: 'automatic' }))
    const received = await (async () => {
      await admin.call(feedSources.fetch, { id })
      await forecourt.feeds.workDue()
      return last(id)
    })()
    const { jobId } = received.run ?? {}
    await forecourt.jobs.runDue()
    // As if it had been killed with two rows left to write.
    await forecourt.owner.query(
      `with gone as (delete from vehicles where id in (select vehicle_id from feed_run_rows where run_id = $1 order by id desc limit 2))
      update feed_run_rows set state = 'staged', vehicle_id = null
      where run_id = $1 and id in (select id from feed_run_rows where run_id = $1 order by id desc limit 2)`,
      [received.run?.id],
    )
    await forecourt.owner.query(`update feed_runs set status = 'applying' where id = $1`, [received.run?.id])
    await forecourt.owner.query(
      `update jobs set state = 'running', ended_at = null, leased_until = app_now() - interval '1 second', attempts = 1 where id = $1`,
      [jobId],
    )
    expect((await onLot(lotId)).length).toBe(3)
    await forecourt.jobs.runDue()
    expect((await last(id)).run?.status).toBe('applied')
    expect((await onLot(lotId)).length).toBe(5)
  })

  test("rejects rows of another store's lot", async () => {
    const lotId = await begin()
    const sister = await toyota.addLot()
    const { rows } = await forecourt.owner.query<{ code: string }>('select code from lots where id = $1', [
      sister,
    ])
    const vehicle = `1FADP3F20DL200002,${TAG}A,Used,2013,Ford,Focus,9000,88000`
    web.files.set('/sister.csv', `Dealer ID,${HEAD}\n${rows[0]?.code},${vehicle}\n`)
    const given = byWeb({
      remotePath: '/sister.csv',
      lotIds: [lotId, await ford.addLot()],
      applies: 'automatic',
    })
    const { id } = await addSource(given, dealer)
    const { run } = await fetchNow(id, dealer)
    expect(run).toMatchObject({ status: 'applied', new: 0, refused: 1 })
    expect(run?.unknownDealers).toEqual([{ dealer: rows[0]?.code, rows: 1 }])
    expect(await onLot(sister)).toEqual([])
  })

  test('stops when its owner loses access', async () => {
    web.files.set('/stock.csv', stock(2))
    const { id } = await addSource(byWeb(), dealer)
    await forecourt.owner.query(`update users set is_active = false where user_name = 'northgate.dealer'`)
    try {
      await admin.call(feedSources.fetch, { id })
      await forecourt.feeds.workDue()
      const { delivery } = await last(id)
      expect(delivery?.state).toBe('failed')
      expect(delivery?.message).toContain('To become its owner, save this feed source.')
    } finally {
      await forecourt.owner.query(`update users set is_active = true where user_name = 'northgate.dealer'`)
    }
  })

  test('is not accessible to another customer', async () => {
    const { id } = await addSource(byWeb())
    await expect(harbor.call(feedSources.fetch, { id })).toRefuse(404)
    await expect(harbor.call(feedSources.test, { id })).toRefuse(404)
    await expect(harbor.call(feedSources.renewToken, { id })).toRefuse(404)
    await expect(harbor.call(feedSources.forgetHostKey, { id })).toRefuse(404)
    await expect(harbor.call(feedSources.deliveries, { id })).toRefuse(404)
  })

  test('cannot reach private addresses without FORECOURT_PRIVATE_ADDRESSES', async () => {
    const open = await testApp({ FORECOURT_PRIVATE_ADDRESSES: '' })
    try {
      const stranger = await open.as('northgate.admin', 'Northgate Ford')
      const { id } = await addSource(byWeb(), stranger)
      const asked = web.requests.length
      await stranger.call(feedSources.fetch, { id })
      await open.feeds.workDue()
      const { deliveries } = await stranger.call(feedSources.deliveries, { id })
      expect(deliveries[0]?.message).toContain('localhost is not on the public internet')
      expect((await stranger.call(feedSources.test, { id })).message).toContain('not on the public internet')
      expect(web.requests.length).toBe(asked)
    } finally {
      await open.close()
    }
  })
})

describe('the password of a source', () => {
  test('never appears in responses, the audit log or the server log', async () => {
    const { id } = await addSource(byWeb({ secret: 'Never-said-4711' }))
    await admin.call(feedSources.update, { id, name: fresh('Renamed') })
    await fetchNow(id)
    const message = JSON.stringify(await last(id))
    const { rows } = await forecourt.owner.query<{ text: string }>(
      `select coalesce(before::text, '') || coalesce(after::text, '') as text from audit_log where table_name = 'feed_sources' and row_id = $1`,
      [id],
    )
    expect(rows.length).toBeGreaterThan(1)
    const { rows: sealed } = await forecourt.owner.query<{ sealed: string }>(
      'select secret_sealed as sealed from feed_sources where id = $1',
      [id],
    )
    const kept = `${message} ${rows.map(({ text }) => text).join(' ')} ${lines.join(' ')}`
    expect(kept).not.toContain('Never-said-4711')
    expect(kept).not.toContain(sealed[0]?.sealed ?? '')
  })

  test('must be entered again for another server, and is kept for the same one', async () => {
    const { id, version } = await addSource(byWeb())
    const moved = await refusalOf(admin.call(feedSources.update, { id, host: 'other.example' }))
    expect(moved.refusal.fields).toEqual({ secret: expect.stringContaining('Enter the password again') })
    const kept = await admin.call(feedSources.update, { id, version, everyHours: 3 })
    expect(kept).toMatchObject({ hasSecret: true, everyHours: 3 })
    await expect(admin.call(feedSources.update, { id, version, everyHours: 4 })).toRefuse(409)
    const upload = await admin.call(feedSources.update, { id, kind: 'upload' })
    expect(upload).toMatchObject({ hasSecret: false, host: null, everyHours: null })
  })

  test('is sent only to the server whose host key was stored', async () => {
    sftp.files.set('/stock.csv', Buffer.from(stock(2)))
    const { id } = await addSource(byWeb({ kind: 'sftp', port: sftp.port }))
    const { source } = await fetchNow(id)
    expect(source.hostKey).toMatch(/^SHA256:/)
    const otherKey = `update feed_source_states set host_key = 'SHA256:other' where source_id = $1`
    await forecourt.owner.query(otherKey, [id])
    expect((await fetchNow(id)).delivery?.message).toContain('host key: The server presented')
    expect(await admin.call(feedSources.forgetHostKey, { id })).toMatchObject({ hostKey: null })
    expect((await fetchNow(id)).delivery?.state).toBe('unchanged')
  })
})

test('a connection test stores nothing', async () => {
  web.files.set('/tried.csv', `\uFEFF${stock(2)}`)
  const { id } = await addSource(byWeb({ remotePath: '/tried.csv' }))
  expect(await admin.call(feedSources.test, { id })).toEqual({
    isSuccessful: true,
    message: `File found. First line: ${HEAD}`,
  })
  await admin.call(feedSources.update, { id, secret: 'wrong' })
  const message = expect.stringContaining('status 401')
  expect(await admin.call(feedSources.test, { id })).toMatchObject({ isSuccessful: false, message })
  expect((await last(id)).deliveries).toEqual([])
})

test.for([
  [{ host: null }, 'host'],
  [{ remotePath: '/a/../b.csv' }, 'remotePath'],
  [{ kind: 'sftp', userName: null }, 'userName'],
  [{ everyHours: 2, dailyAt: '04:00' }, 'dailyAt'],
  [{ everyHours: 0 }, 'everyHours'],
  [{ kind: 'mail', senders: ['nobody'] }, 'senders.0'],
] as const)('rejects %o with an error at %s', async ([more, field]) => {
  const sent = { ...byWeb(), ...more }
  const { status, text } = await admin.send({ method: 'POST', url: feedSources.add.path, payload: sent })
  expect(status).toBe(400)
  expect(Object.keys(JSON.parse(text).fields)).toContain(field)
})
