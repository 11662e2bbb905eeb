import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { reports } from '#contract/reports/reports.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { multipart } from '#test/harness/multipart.ts'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, signInTo, tryCall, type Session } from '../calling.ts'
import { openMailbox, publishPhotosAt, startHangingHost } from '../harbor.ts'
import { workbookWithStrings } from './many-strings.ts'
import { add, emptyWatched, median, p99, startWatching, VICTIMS, type Watched } from './victims.ts'

// What Harbor does, as its users, buyers and senders or as strangers, and what Northgate notices of it.

const ROUNDS = 3
/** How long the product is watched without and with a load: on a busy machine, until there are enough responses. */
const WINDOW_MS = 5_000
const LONGEST_WINDOW_MS = 30_000
const ENOUGH = 20
const REST_MS = 1_000
/** How many times the p99 without the load the p99 with it may be. */
const MOST = { io: 2, cpu: 3 } as const
const GUESSES = 2_000
const GUESSING = 50
const EMAILS = 12
const EMAIL_BYTES = 30_000_000
const STRINGS = 3_000_000
const PEOPLE = 1_200
const PHOTOS = 12

const home = resolve('.forecourt-test', `neighbor-${process.pid}`)
let product: Product
let harbor: Session
let watching: ReturnType<typeof startWatching> | undefined
let hosts: Awaited<ReturnType<typeof startHangingHost>>[] = []
let photoPaths: string[][] = []
let mailUrl: string
let workbook: Buffer

beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const certificate = makeCertificate()
  await writeFile(join(home, 'photo-host.pem'), certificate.cert)
  hosts = await Promise.all(Array.from({ length: ROUNDS }, () => startHangingHost(certificate)))
  product = await startProduct(home, [], {
    TRUST_PROXY: '1',
    FORECOURT_PRIVATE_ADDRESSES: '1',
    NODE_EXTRA_CA_CERTS: join(home, 'photo-host.pem'),
    // Buyers' requests reach the host: otherwise the background finds out first that it hangs.
    FORECOURT_PHOTO_COPIES: '0',
  })
  harbor = { product, token: await signIn(product.address, 'harbor.admin') }
  photoPaths = await publishPhotos()
  mailUrl = await openMailbox(harbor)
  await addPeople()
  workbook = workbookWithStrings(STRINGS)
  const northgate = await signInTo(product, { userName: 'northgate.admin', organization: 'Northgate Ford' })
  watching = startWatching({
    address: product.address,
    host: 'northgate.localhost',
    token: northgate.token,
    listPath: vehicles.list.path,
    linkPath: participantArea.open.path,
    link: await linkOf(northgate),
  })
  // Until the pages and statements of the victims are warm.
  await wait(WINDOW_MS)
})
afterAll(async () => {
  await watching?.stop()
  for (const { close } of hosts) close()
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

/** Harbor's photos on each of the hosts, by their paths on its site. */
async function publishPhotos(): Promise<string[][]> {
  const { results } = await call(harbor, vehicles.list, { filter: 'published == "published"' })
  return Promise.all(
    hosts.map(({ port }, at) => publishPhotosAt(harbor, results?.[at]?.id ?? '', { port, count: PHOTOS })),
  )
}

/** Users of Harbor, who make its user access review long. */
async function addPeople(): Promise<void> {
  await asOwner(home, async (client) => {
    await client.query(
      `with place as (select o.customer_id, o.id, t.id as type from organizations o
          join user_types t on t.customer_id = o.customer_id and t.name = 'Dealer user' where o.name = 'Harbor Honda'),
        made as (
          insert into users (customer_id, user_type_id, user_name, email, first_name, last_name)
          select customer_id, type, 'noise.' || n, 'noise.' || n || '@harbor.example', 'Noise', 'Person ' || n
          from place, generate_series(1, ${PEOPLE}) n returning customer_id, id)
      insert into memberships (customer_id, user_id, organization_id)
      select made.customer_id, made.id, place.id from made, place`,
    )
    await client.query('analyze')
  })
}

/** A link of a person who is invited to one of Northgate's assessments. */
async function linkOf(northgate: Session): Promise<string> {
  const { results } = await call(northgate, assessments.list, {})
  for (const { id: assessment } of results) {
    const people = await call(northgate, assessmentParticipants.list, { assessment })
    for (const { id } of people) {
      const copied = await tryCall(northgate, assessmentParticipants.copyLink, { id })
      if (copied?.status !== 200) continue
      const { url } = await call(northgate, assessmentParticipants.copyLink, { id })
      return new URL(url).hash.slice(1)
    }
  }
  throw new Error('The demo has no person who can be invited.')
}

type Sent = { status: number; text: string; location: string | undefined }
type Sending = { method?: string; host?: string; body?: Buffer; headers?: Record<string, string> }

function send(path: string, { method = 'GET', host, body, headers = {} }: Sending = {}): Promise<Sent> {
  return new Promise((done) => {
    const own = { ...headers, ...(host !== undefined && { host }), 'content-length': body?.length ?? 0 }
    const asked = request(`${product.address}${path}`, { method, agent: false, headers: own })
    asked.on('error', () => done({ status: 0, text: '', location: undefined }))
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text, location: response.headers.location }),
      )
      response.on('error', () => done({ status: 0, text, location: undefined }))
    })
    asked.end(body)
  })
}

/** A load: works until `over`, and counts statuses. */
type Load = (over: AbortSignal, round: number) => Promise<readonly number[]>

/** Does something again and again, `width` times at the same time. */
const repeated =
  (width: number, act: (n: number) => Promise<number>): Load =>
  async (over) => {
    const statuses: number[] = []
    let n = 0
    await Promise.all(
      Array.from({ length: width }, async () => {
        while (!over.aborted) statuses.push(await act((n += 1)))
      }),
    )
    return statuses
  }

const LOADS: Record<string, { kind: keyof typeof MOST; load: Load; allowed: readonly number[] }> = {
  'a photo host that hangs': {
    kind: 'io',
    // The page also shows photos of similar vehicles, which are there.
    allowed: [200, 404, 503],
    async load(over, round) {
      const host = 'harbor.localhost'
      const asked = Promise.all((photoPaths[round] ?? []).map((path) => send(path, { host })))
      await once(over, 'abort')
      for (const response of hosts[round]?.hanging ?? []) response.destroy()
      return (await asked).map(({ status }) => status)
    },
  },
  [`${EMAILS} emails of 30 MB`]: {
    kind: 'io',
    // 0: the email was refused before it was sent whole, and the connection closed. A provider sends it again.
    allowed: [0, 200, 429, 503],
    load: repeated(EMAILS, async (n) => {
      const headers = { 'content-type': 'application/json' }
      return (await send(mailUrl, { method: 'POST', body: emailOf(n), headers })).status
    }),
  },
  '2,000 guessed links': {
    kind: 'io',
    allowed: [404, 429],
    async load(over) {
      const statuses: number[] = []
      while (!over.aborted) {
        let left = GUESSES
        await Promise.all(
          Array.from({ length: GUESSING }, async () => {
            for (; left > 0; left -= 1) {
              const body = Buffer.from(JSON.stringify({ token: randomBytes(32).toString('base64url') }))
              const headers = { 'content-type': 'application/json' }
              statuses.push((await send(participantArea.open.path, { method: 'POST', body, headers })).status)
            }
          }),
        )
      }
      return statuses
    },
  },
  'workbooks of 3 million strings': {
    kind: 'cpu',
    allowed: [400, 429],
    load: repeated(4, async () => {
      const { payload, headers } = multipart({}, [{ name: 'file', bytes: workbook }])
      const sent = { ...headers, authorization: `Bearer ${harbor.token}` }
      const answer = await send(factorEditions.read.path, { method: 'POST', body: payload, headers: sent })
      if (answer.status === 429) await wait(500)
      return answer.status
    }),
  },
  'long PDFs': {
    kind: 'cpu',
    allowed: [200, 409],
    load: repeated(4, async () => {
      const url = reports.make.path.replace('{name}', 'user-access-review')
      const headers = { authorization: `Bearer ${harbor.token}`, 'content-type': 'application/json' }
      return (await send(url, { method: 'POST', body: Buffer.from('{"format":"pdf"}'), headers })).status
    }),
  },
}

const MESSAGE_ID = 'noise 0000000000000'
const EMAIL = Buffer.from(
  JSON.stringify({
    MessageID: MESSAGE_ID,
    From: '"Noise" <noise@mail.example>',
    FromFull: { Email: 'noise@mail.example', Name: 'Noise' },
    Subject: 'The red Escape',
    Headers: [],
    Attachments: [],
    TextBody: 'Is it still there? '.repeat(Math.ceil(EMAIL_BYTES / 19)),
  }),
)
/** Copied, because writing 30 MB of JSON would take the time that is measured. */
function emailOf(n: number): Buffer {
  const email = Buffer.from(EMAIL)
  const id = `noise ${String(n)}${Date.now()}`.padEnd(MESSAGE_ID.length, '0').slice(0, MESSAGE_ID.length)
  email.write(id, email.indexOf(MESSAGE_ID))
  return email
}

/** What happens while `load` works, for some seconds and until it has ended. */
async function watch(load: Load, round: number): Promise<{ watched: Watched; statuses: readonly number[] }> {
  const over = new AbortController()
  if (watching === undefined) throw new Error('Nothing is watched.')
  await watching.read()
  const loading = load(over.signal, round)
  const startedAt = performance.now()
  const watched = emptyWatched()
  do {
    await wait(WINDOW_MS)
    add(watched, await watching.read())
  } while (
    VICTIMS.some((victim) => watched.times[victim].length < ENOUGH) &&
    performance.now() - startedAt < LONGEST_WINDOW_MS
  )
  over.abort()
  return { watched, statuses: await loading }
}

const quiet: Load = async () => []

test.for(Object.entries(LOADS))('%s', async ([name, { kind, load, allowed }]) => {
  const ratios: Record<string, number[]> = {}
  const measured: string[] = []
  const wrong: string[] = []
  const seen = new Map<number, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(REST_MS)
    const { watched: before } = await watch(quiet, round)
    const { watched: during, statuses } = await watch(load, round)
    for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1)
    wrong.push(...before.wrong, ...during.wrong)
    for (const victim of VICTIMS) {
      const [idle, loaded] = [p99(before.times[victim]), p99(during.times[victim])]
      ;(ratios[victim] ??= []).push(loaded / idle)
      measured.push(
        `${victim}: ${idle.toFixed(1)} (${before.times[victim].length}) to ${loaded.toFixed(1)} (${during.times[victim].length})`,
      )
    }
  }
  console.log(`${name}: ${measured.join('; ')}; responses to the load: ${JSON.stringify([...seen])}`)
  const medians = Object.fromEntries(VICTIMS.map((victim) => [victim, median(ratios[victim] ?? [])]))
  const told = VICTIMS.map((victim) => `${victim} ${medians[victim]?.toFixed(2)}`).join(', ')
  console.log(`figure: p99 of others with ${name}, times the p99 without = ${told}`)
  expect(wrong).toEqual([])
  expect([...seen.keys()].filter((status) => !allowed.includes(status))).toEqual([])
  expect(seen.size).toBeGreaterThan(0)
  for (const victim of VICTIMS)
    expect([victim, medians[victim]]).toSatisfy(([, ratio]) => Number(ratio) <= MOST[kind])
})
