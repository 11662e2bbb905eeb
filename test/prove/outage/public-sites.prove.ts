import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { urlOf } from '#test/harness/whole-database.ts'

const HOST = 'northgate.localhost'
const SENDERS = 8
const READERS = 4
/** No answer takes longer than noticing that the database is away, on a busy machine. */
const LONGEST_MS = 15_000
const folder = resolve('.forecourt-test', `outage-${process.pid}`)

beforeAll(() => mkdir(folder, { recursive: true, mode: 0o700 }))
afterAll(() => rm(folder, { recursive: true, force: true }))

type Page = { status: number; text: string; location: string | undefined; ms: number }

/** A request as a browser sends it, on a public host. Status 0: the connection was lost. */
function send(product: Product, path: string, { host = HOST, body = '' } = {}): Promise<Page> {
  const startedAt = performance.now()
  return new Promise((done) => {
    const asked = request(`${product.address}${path}`, {
      method: body === '' ? 'GET' : 'POST',
      headers: {
        host,
        accept: 'text/html',
        ...(body !== '' && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
          'x-forwarded-for': nextAddress(),
        }),
      },
    })
    const end = (status: number, text: string, location?: string) =>
      done({ status, text, location, ms: performance.now() - startedAt })
    asked.on('error', () => end(0, ''))
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => end(response.statusCode ?? 0, text, response.headers.location))
      response.on('error', () => end(0, ''))
    })
    asked.end(body)
  })
}

let addresses = 0
/** Every form comes from another network, so that none is limited. */
const nextAddress = (): string =>
  `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

const hiddenOf = (page: string): [string, string][] =>
  [...page.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )

type Watched = { acknowledged: Set<string>; statuses: Map<number, number>; wrong: string[]; slowest: number }

/** Buyers open and send forms, and others read pages, while `fault` runs. */
async function useDuring(product: Product, word: string, fault: () => Promise<void>): Promise<Watched> {
  const watched: Watched = { acknowledged: new Set(), statuses: new Map(), wrong: [], slowest: 0 }
  const over = new AbortController()
  const note = (path: string, page: Page, host = HOST): Page => {
    watched.statuses.set(page.status, (watched.statuses.get(page.status) ?? 0) + 1)
    watched.slowest = Math.max(watched.slowest, page.ms)
    if (page.status === 422) watched.wrong.push(`${path}: not accepted`)
    if (page.status >= 500 && page.status !== 503 && page.status !== 507)
      watched.wrong.push(`${path}: ${page.status}`)
    // Hosts that aren't public are the back office while the database is there.
    if (host === HOST && /<title>Forecourt|"status":false/.test(page.text))
      watched.wrong.push(`${path}: back office`)
    return page
  }
  const sender = async (at: number): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const opened = note('/f/ask', await send(product, '/f/ask'))
      if (opened.status !== 200) {
        await wait(100)
        continue
      }
      const name = `${word} ${at} ${n}`
      const fields = [...hiddenOf(opened.text), ...answersOf(name)]
      const body = new URLSearchParams(fields).toString()
      // As the script of the page: again until it is received.
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const sent = note('POST /f/ask', await send(product, '/f/ask', { body }))
        if (sent.status === 303) {
          watched.acknowledged.add(name)
          break
        }
        if (over.signal.aborted) break
        await wait(200)
      }
    }
  }
  const reader = async (at: number): Promise<void> => {
    const paths = ['/', '/?make=Ford', '/sitemap.xml', '/feeds/../api/auth/me', '/livez', '/nothing']
    for (let n = at; !over.signal.aborted; n += 1) {
      const path = paths[n % paths.length] ?? '/'
      const host = n % 5 === 0 ? 'unknown.example' : HOST
      note(path, await send(product, path, { host }), host)
      await wait(20)
    }
  }
  const working = [
    ...Array.from({ length: SENDERS }, (_, at) => sender(at)),
    ...Array.from({ length: READERS }, (_, at) => reader(at)),
  ]
  await fault()
  over.abort()
  await Promise.all(working)
  return watched
}

/** Answers to the questions of the demo's form. */
const answersOf = (name: string): [string, string][] => [
  ['firstName', name],
  ['email', 'buyer@mail.example'],
  ['message', name],
]

type Stored = { names: Map<string, number>; total: number }

/** How often each sender's form is stored. */
async function readStored(
  query: (text: string) => Promise<{ rows: { name: string }[] }>,
  word: string,
): Promise<Stored> {
  const { rows } = await query(
    `select sender_name as name from form_submissions where sender_name like '${word} %'`,
  )
  const names = new Map<string, number>()
  for (const { name } of rows) names.set(name, (names.get(name) ?? 0) + 1)
  return { names, total: rows.length }
}

function expectNothingLost(watched: Watched, { names }: Stored): void {
  expect([...new Set(watched.wrong)]).toEqual([])
  expect([...watched.acknowledged].filter((name) => !names.has(name))).toEqual([])
  expect([...names].filter(([, times]) => times > 1)).toEqual([])
  expect(watched.acknowledged.size).toBeGreaterThan(SENDERS)
  expect(watched.slowest).toBeLessThan(LONGEST_MS)
}

const waitingIn = async (home: string): Promise<number> =>
  (await readdir(join(home, 'forms-waiting'))).filter((name) => name.endsWith('.json')).length

/** Waits until at most `left` forms wait. */
async function waitFor(home: string, left: number): Promise<void> {
  await expect.poll(() => waitingIn(home), { timeout: 180_000 }).toBeLessThanOrEqual(left)
}

/** The pages and forms that visitors open first. */
async function warmUp(product: Product): Promise<void> {
  for (const path of ['/', '/?make=Ford', '/f/ask', '/f/ask/thanks'])
    expect([path, (await send(product, path)).status]).toEqual([path, 200])
}

test('with the built-in database frozen', async () => {
  const home = join(folder, 'frozen')
  await mkdir(home)
  const product = await startProduct(home, [], { TRUST_PROXY: '1' })
  try {
    await warmUp(product)
    const [pid = ''] = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    const children = async (): Promise<number[]> =>
      (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
        .split(' ')
        .map(Number)
        .filter((child) => child > 0)
    let most = 0
    const watched = await useDuring(product, 'Frozen', async () => {
      await wait(1_000)
      const frozen = [Number(pid), ...(await children())]
      for (const one of frozen) process.kill(one, 'SIGSTOP')
      try {
        await wait(15_000)
        most = await waitingIn(home)
      } finally {
        for (const one of frozen) process.kill(one, 'SIGCONT')
      }
      await wait(3_000)
    })
    await waitFor(home, 0)
    const stored = await asOwner(home, (client) => readStored((text) => client.query(text), 'Frozen'))
    console.log(`figure: forms that waited for a frozen database = ${most}`)
    console.log(`figure: acknowledged forms lost or stored twice, frozen = 0 of ${watched.acknowledged.size}`)
    console.log(`figure: slowest answer, frozen = ${Math.round(watched.slowest)} ms`)
    expect(most).toBeGreaterThan(0)
    expectNothingLost(watched, stored)
  } finally {
    await product.stop()
  }
})

test.each(['refuse', 'restart'] as const)(
  'with a database server that does not answer: %s',
  async (fault) => {
    const database: TestDatabase = await freshDatabase()
    const proxy: DatabaseProxy = await openDatabaseProxy(database.login)
    const home = join(folder, fault)
    await mkdir(home)
    const environment = {
      DATABASE_URL: urlOf(proxy.login),
      DATABASE_OWNER_URL: urlOf(database.connection),
      FORECOURT_SECRET: TEST_SECRET,
      FORECOURT_DEMO: '1',
      TRUST_PROXY: '1',
    }
    const word = fault === 'refuse' ? 'Refused' : 'Restarted'
    let product = await startProduct(home, [], environment)
    try {
      await warmUp(product)
      const watched = await useDuring(product, word, async () => {
        for (let round = 0; round < (fault === 'refuse' ? 2 : 10); round += 1) {
          await wait(700)
          if (fault === 'restart') proxy.restart()
          else {
            await proxy.refuse()
            await wait(4_000)
            await proxy.restore()
          }
        }
        if (fault === 'refuse') {
          await proxy.refuse()
          await wait(3_000)
        }
      })
      const waited = await waitingIn(home)
      expect(fault === 'restart' || waited > 0).toBe(true)
      if (fault === 'refuse') {
        // Killed while they wait, and again while they are stored.
        for (const left of [waited, waited - 20]) {
          await waitFor(home, left)
          await product.kill()
          await proxy.restore()
          product = await startProduct(home, [], environment)
        }
      }
      await waitFor(home, 0)
      const { default: pg } = await import('pg')
      const client = new pg.Client({ ...database.connection })
      await client.connect()
      const stored = await readStored((text) => client.query(text), word)
      await client.end()
      console.log(
        `figure: acknowledged forms lost or stored twice, ${word.toLowerCase()} = 0 of ${watched.acknowledged.size}`,
      )
      expectNothingLost(watched, stored)
    } finally {
      await product.stop()
      await proxy.close()
      await database.drop()
    }
  },
)
