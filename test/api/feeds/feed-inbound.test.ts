import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources, inboundFeeds } from '#contract/feeds/sources/feed-sources.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_FILE_LIMIT_MB: '1' })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
})
afterAll(() => forecourt.close())
const { apply, onLot } = feedImports(() => forecourt)

const HEAD = 'VIN,Stock,Type,Year,Make,Model,Price,Mileage'
function stock(count: number): string {
  const tag = fresh('P').replace(/\W/g, '')
  const rows = Array.from(
    { length: count },
    (_, at) => `,${tag}${at},Used,2019,Ford,Escape,${9_000 + at},50000`,
  )
  return `${[HEAD, ...rows].join('\n')}\n`
}

async function addSource(kind: 'api' | 'mail', more: object = {}) {
  const lotId = await ford.addLot()
  const given = { name: fresh('Sent feed'), kind, lotIds: [lotId], ...more }
  const { id } = await admin.call(feedSources.add, feedSources.add.input.parse(given))
  const { path } = await admin.call(feedSources.renewToken, { id })
  return { id, path, lotId }
}

type Answer = { status: number; data: unknown; message: string | null }
async function post(
  url: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { statusCode, body } = await forecourt.app.inject({ method: 'POST', url, payload, headers })
  const { data, message } = z
    .object({ data: z.unknown(), message: z.string().nullable() })
    .parse(JSON.parse(body))
  return { status: statusCode, data, message }
}
const push = async (url: string, payload: string | Buffer, headers: Record<string, string> = {}) => {
  const { status, data } = await post(url, payload, { 'content-type': 'text/csv', ...headers })
  expect(status).toBe(202)
  await forecourt.jobs.runDue()
  return inboundFeeds.push.output.parse(data)
}
const deliveriesOf = async (id: string) => (await admin.call(feedSources.deliveries, { id })).deliveries

describe('a pushed file', () => {
  test('is read and applied, and recognized when sent again', async () => {
    const { id, path, lotId } = await addSource('api')
    const file = stock(3)
    const received = await push(`${path}?name=Stock of today.csv`, file)
    expect(received).toMatchObject({ state: 'received', fileName: 'Stock of today.csv' })
    const run = await admin.call(feedRuns.get, { id: received.runId ?? '' })
    expect(run).toMatchObject({ status: 'ready', new: 3, sourceId: id, fileName: 'Stock of today.csv' })
    await apply(admin, run.id)
    expect((await onLot(lotId)).length).toBe(3)
    expect(await push(path, file)).toMatchObject({ state: 'unchanged', runId: run.id })
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['unchanged', 'received'])
  })

  test('is read once when it arrives twice at the same time', async () => {
    const { id, path } = await addSource('api')
    const file = stock(2)
    const outcomes = await concurrently(
      forecourt.owner,
      'lock table feed_runs in share mode',
      [0, 1].map(() => async () => {
        const { data } = await post(path, file, { 'content-type': 'text/csv' })
        return inboundFeeds.push.output.parse(data)
      }),
    )
    const states = (await deliveriesOf(id)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['received', 'unchanged'])
    const { rows } = await forecourt.owner.query<{ id: string }>(
      'select id from feed_runs where source_id = $1',
      [id],
    )
    expect(outcomes).toMatchObject([0, 1].map(() => ({ value: { runId: rows[0]?.id } })))
    expect(rows).toHaveLength(1)
    await forecourt.jobs.runDue()
  })

  test.for([
    ['JSON', 'application/json', '[{"VIN":"1FADP3F20DL200002","Make":"Ford","Model":"Focus","Year":"2013"}]'],
    [
      'XML',
      'application/xml',
      '<cars><car><VIN>1FADP3F20DL200002</VIN><Make>Ford</Make><Year>2013</Year></car><car><VIN>1FTFW1E50PFA00001</VIN><Make>Ford</Make><Year>2023</Year></car></cars>',
    ],
    ['a file of unknown type', 'csv', `${HEAD}\n1FADP3F20DL200002,Z1,Used,2013,Ford,Focus,1,2\n`],
  ] as const)('can be %s', async ([, type, text]) => {
    const { path } = await addSource('api')
    const { runId } = await push(path, text, { 'content-type': type })
    const run = await admin.call(feedRuns.get, { id: runId ?? '' })
    expect(run.error).toBeNull()
    expect(run.rows).toBeGreaterThan(0)
  })

  test('can be sent as form data', async () => {
    const { path } = await addSource('api', { applies: 'automatic' })
    const { payload, headers } = multipart({}, [{ name: 'form.csv', bytes: stock(2) }])
    const received = await push(path, payload, headers)
    expect(received).toMatchObject({ state: 'received', fileName: 'form.csv' })
    expect(await admin.call(feedRuns.get, { id: received.runId ?? '' })).toMatchObject({
      status: 'applied',
      new: 2,
    })
  })

  test('over the size limit is rejected with the limit and leaves nothing behind', async () => {
    const { id, path } = await addSource('api')
    const { status, message } = await post(path, 'x'.repeat(1_100_000), { 'content-type': 'text/csv' })
    expect([status, message]).toEqual([413, 'The file is larger than the limit of 1 MB.'])
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', message, runId: null }])
    expect((await admin.call(feedSources.get, { id })).lastProblem).toBe(message)
  })

  test('over the hourly limit is rejected', async () => {
    const { id, path } = await addSource('api')
    await forecourt.owner.query(
      `insert into iam.request_counts (kind, key, count) values ('files sent to a feed source', $1, 60)`,
      [`${ford.customerId}/${id}`],
    )
    const refused = await post(path, stock(1), { 'content-type': 'text/csv' })
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('More than 60 files') })
  })
})

describe('the URL of a source', () => {
  test('is shown once, stored as a hash, and replaced by a new one', async () => {
    const { id, path } = await addSource('api')
    const token = path.split('/').at(-1) ?? ''
    const { rows } = await forecourt.owner.query<{ kept: string }>(
      `select to_jsonb(s)::text || coalesce((select string_agg(coalesce(after::text, ''), '') from audit_log
        where table_name = 'feed_sources' and row_id = s.id::text), '') as kept from feed_sources s where id = $1`,
      [id],
    )
    expect(rows[0]?.kept).not.toContain(token)
    const answered = JSON.stringify(await admin.call(feedSources.get, { id }))
    expect(answered).toContain('"hasToken":true')
    expect(answered).not.toContain(token.slice(-43))
    const other = await admin.call(feedSources.renewToken, { id })
    expect((await post(path, stock(1))).status).toBe(404)
    expect((await push(other.path, stock(1))).state).toBe('received')
  })

  test('returns 404 for a wrong token, source or kind, and when the source is off or deleted', async () => {
    const { id, path } = await addSource('api')
    const strange = await addSource('api')
    const word = path.slice(-43)
    const [customer, own] = (path.split('/').at(-1) ?? '').split('-')
    const { id: foreign } = await harbor.call(
      feedSources.add,
      feedSources.add.input.parse({ name: fresh('Theirs'), kind: 'api' }),
    )
    await harbor.call(feedSources.renewToken, { id: foreign })
    const { customerId: theirs } = await testOrganization(forecourt, 'Harbor Honda')
    for (const wrong of [
      `/inbound/feed/${customer}-${own}-${'A'.repeat(43)}`,
      `/inbound/feed/${customer}-${strange.id}-${word}`,
      `/inbound/feed/${theirs}-${foreign}-${word}`,
      `/inbound/feed/${theirs}-${own}-${word}`,
      path.replace('/feed/', '/feed-mail/'),
      '/inbound/feed/none',
    ]) {
      expect([wrong, (await post(wrong, stock(1))).status]).toEqual([wrong, 404])
    }
    await admin.call(feedSources.update, { id, isActive: false })
    expect((await post(path, stock(1))).status).toBe(404)
    await admin.call(feedSources.update, { id, isActive: true })
    await push(path, stock(1))
    await admin.call(feedSources.remove, { id })
    expect((await post(path, stock(1))).status).toBe(404)
  })
})

type File = { Name: string; Content: string; ContentType?: string }
const attached = (name: string, text: string): File => ({
  Name: name,
  Content: Buffer.from(text).toString('base64'),
  ContentType: 'text/csv',
})
const mail = (more: object = {}) => ({
  MessageID: fresh('mail').replace(/\s/g, '-'),
  From: 'Feeds <feeds@provider.example>',
  FromFull: { Email: 'Feeds@provider.example', Name: 'Feeds' },
  Subject: 'Your stock',
  Attachments: new Array<File>(),
  ...more,
})
async function sendMail(path: string, words: object) {
  const { status, data } = await post(path, JSON.stringify(words), { 'content-type': 'application/json' })
  expect(status).toBe(200)
  await forecourt.jobs.runDue()
  return inboundFeeds.mail.output.parse(data).files
}

describe('an email', () => {
  test('imports each attachment that is a feed, lists the others, and is processed once', async () => {
    const { id, path } = await addSource('mail')
    const words = mail({
      Attachments: [attached('new.csv', stock(2)), attached('logo.png', 'x'), attached('used.csv', stock(3))],
    })
    const files = await sendMail(path, words)
    expect(files).toMatchObject([
      { state: 'received', fileName: 'new.csv', message: "Ignored attachments that aren't feeds: logo.png." },
      { state: 'received', fileName: 'used.csv' },
    ])
    const runs = await Promise.all(files.map(({ runId }) => admin.call(feedRuns.get, { id: runId ?? '' })))
    expect(runs).toMatchObject([
      { status: 'ready', new: 2 },
      { status: 'ready', new: 3 },
    ])
    const again = await sendMail(path, words)
    expect(again).toMatchObject([
      { state: 'unchanged', runId: null, message: 'This email was already processed.' },
      { state: 'unchanged', runId: null },
    ])
    expect((await deliveriesOf(id)).length).toBe(2)
    expect(await Promise.all([sendMail(path, words), sendMail(path, words)])).toMatchObject([
      [{}, {}],
      [{}, {}],
    ])
    expect((await deliveriesOf(id)).length).toBe(2)
  })

  test('from an unknown sender is rejected and reported on the source', async () => {
    const { id, path } = await addSource('mail', { senders: ['@provider.example', 'ann@other.example'] })
    const files = { Attachments: [attached('new.csv', stock(1))] }
    for (const Email of ['bad@evil.example', 'x@notprovider.example', 'bob@other.example']) {
      expect(await sendMail(path, mail({ ...files, FromFull: { Email } }))).toMatchObject([
        {
          state: 'failed',
          message: `An email from ${Email} was rejected: the address isn't an allowed sender.`,
        },
      ])
    }
    expect((await admin.call(feedSources.get, { id })).lastProblem).toContain("isn't an allowed sender")
    for (const Email of ['Any@Provider.example', 'ann@other.example']) {
      const one = { Attachments: [attached('new.csv', stock(1))], FromFull: { Email } }
      expect(await sendMail(path, mail(one))).toMatchObject([{ state: 'received' }])
    }
    expect((await admin.call(feedSources.get, { id })).lastProblem).toBeNull()
  })

  test('without a feed is reported with its attachments', async () => {
    const { id, path } = await addSource('mail')
    await sendMail(path, mail({ Attachments: [attached('offer.pdf', 'x')] }))
    expect((await admin.call(feedSources.get, { id })).lastProblem).toBe(
      'An email arrived without a feed file. Attachments: offer.pdf.',
    )
    await sendMail(path, mail())
    expect((await deliveriesOf(id)).map(({ message }) => message)).toEqual([
      'An email arrived without an attachment.',
      'An email arrived without a feed file. Attachments: offer.pdf.',
    ])
  })

  test('with unprintable names is imported with cleaned names', async () => {
    const { path } = await addSource('mail')
    const odd = attached('a\u0000\ud800/b\n\u202e.csv', stock(1))
    const [file] = await sendMail(path, mail({ Attachments: [odd], From: '\u0000' }))
    expect(file).toMatchObject({ state: 'received' })
  })

  test.for([
    '{"MessageID":"1"',
    '[]',
    '{"MessageID":"","Attachments":[]}',
    '{"MessageID":"a\\u0000b"}',
    'null',
  ])('rejects %s', async (text) => {
    const { id, path } = await addSource('mail')
    expect((await post(path, text, { 'content-type': 'application/json' })).status).toBe(400)
    expect(await deliveriesOf(id)).toEqual([])
  })

  // JSON.parse would need seconds and a gigabyte for such a text.
  test('with more values than any email has is rejected before it is parsed', async () => {
    const { path } = await addSource('mail')
    const many = JSON.stringify(mail()).replace('}', `},"Other":[${'[],'.repeat(2_000_000)}[]]`)
    expect(await post(path, many, { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      message: 'The JSON has more than 100,000 values.',
    })
    expect(await sendMail(path, mail())).toMatchObject([{ state: 'failed' }])
  })
})
