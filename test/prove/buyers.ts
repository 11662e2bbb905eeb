import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'

export const HOST = 'northgate.localhost'
const SENDERS = 8
const READERS = 4
/** No answer takes longer than noticing that the database is away, on a busy machine. */
const LONGEST_MS = 15_000

type Page = {
  status: number
  text: string
  location: string | undefined
  retryAfter: string | undefined
  ms: number
}
type Sending = Readonly<{ host?: string; body?: string | Buffer; headers?: Readonly<Record<string, string>> }>

/** A request as a browser sends it, on a public host. Status 0: the connection was lost. */
export function send(
  address: string,
  path: string,
  { host = HOST, body = '', headers = {} }: Sending = {},
): Promise<Page> {
  const startedAt = performance.now()
  return new Promise((done) => {
    const asked = request(`${address}${path}`, {
      method: body.length === 0 ? 'GET' : 'POST',
      agent: false,
      headers: {
        host,
        accept: 'text/html',
        ...(body.length > 0 && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
          'x-forwarded-for': nextAddress(),
        }),
        ...headers,
      },
    })
    const end = (status: number, text: string, more: NodeJS.Dict<string> = {}) =>
      done({
        status,
        text,
        location: more.location,
        retryAfter: more['retry-after'],
        ms: performance.now() - startedAt,
      })
    asked.on('error', () => end(0, ''))
    asked.on('response', (response) => {
      let text = ''
      const { location, 'retry-after': retryAfter } = response.headers
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => end(response.statusCode ?? 0, text, { location, 'retry-after': retryAfter }))
      response.on('error', () => end(0, ''))
    })
    asked.end(body)
  })
}

let addresses = 0
/** Every form comes from another network, so that none is limited. */
const nextAddress = (): string =>
  `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

/** The fields of a page that its visitor doesn't see. */
export const hiddenOf = (page: string): [string, string][] =>
  [...page.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )

/** Answers to the questions of the demo's form. */
export const answersOf = (name: string): [string, string][] => [
  ['firstName', name],
  ['email', 'buyer@mail.example'],
  ['message', name],
]

/** The names of the forms that were acknowledged, and what must not have happened. */
export type Watched = {
  acknowledged: Set<string>
  statuses: Map<number, number>
  wrong: string[]
  slowest: number
}

/** Buyers open and send forms, and others read pages, while `fault` runs. `place` gives the address of a process. */
export async function useDuring(
  place: () => string,
  word: string,
  fault: () => Promise<void>,
): Promise<Watched> {
  const watched: Watched = { acknowledged: new Set(), statuses: new Map(), wrong: [], slowest: 0 }
  const over = new AbortController()
  const note = (path: string, page: Page, host = HOST): Page => {
    watched.statuses.set(page.status, (watched.statuses.get(page.status) ?? 0) + 1)
    watched.slowest = Math.max(watched.slowest, page.ms)
    if (page.status === 422) watched.wrong.push(`${path}: not accepted`)
    if (page.status >= 500 && page.status !== 503 && page.status !== 507)
      watched.wrong.push(`${path}: ${page.status}`)
    if (page.status === 503 && page.retryAfter === undefined)
      watched.wrong.push(`${path}: 503 without Retry-After`)
    // Hosts that aren't public are the back office while the database is there.
    if (host === HOST && /<title>Forecourt|"status":false/.test(page.text))
      watched.wrong.push(`${path}: back office`)
    return page
  }
  const sender = async (at: number): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const opened = note('/f/ask', await send(place(), '/f/ask'))
      if (opened.status !== 200) {
        await wait(100)
        continue
      }
      const name = `${word} ${at} ${n}`
      const fields = [...hiddenOf(opened.text), ...answersOf(name)]
      const body = new URLSearchParams(fields).toString()
      // As the script of the page: again until it is received.
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const sent = note('POST /f/ask', await send(place(), '/f/ask', { body }))
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
      note(path, await send(place(), path, { host }), host)
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

/** How often the form of each sender is stored. */
export async function readStored(
  query: (text: string) => Promise<{ rows: { name: string }[] }>,
  word: string,
): Promise<Map<string, number>> {
  const { rows } = await query(
    `select sender_name as name from form_submissions where sender_name like '${word} %'`,
  )
  const names = new Map<string, number>()
  for (const { name } of rows) names.set(name, (names.get(name) ?? 0) + 1)
  return names
}

/** Every acknowledged form is stored, none twice, and nothing was answered that must not be. */
export function expectNothingLost(
  watched: Watched,
  names: ReadonlyMap<string, number>,
  longestMs = LONGEST_MS,
): void {
  expect([...new Set(watched.wrong)]).toEqual([])
  expect([...watched.acknowledged].filter((name) => !names.has(name))).toEqual([])
  expect([...names].filter(([, times]) => times > 1)).toEqual([])
  expect(watched.acknowledged.size).toBeGreaterThan(SENDERS)
  expect(watched.slowest).toBeLessThan(longestMs)
}

/** How many forms wait in a home folder for the database. */
export const waitingIn = async (home: string): Promise<number> =>
  (await readdir(join(home, 'forms-waiting'))).filter((name) => name.endsWith('.json')).length

/** Waits until at most `left` forms wait. */
export async function waitFor(home: string, left: number): Promise<void> {
  await expect.poll(() => waitingIn(home), { timeout: 180_000 }).toBeLessThanOrEqual(left)
}

/** Opens the pages and forms that visitors open first. */
export async function warmUp(address: string): Promise<void> {
  for (const path of ['/', '/?make=Ford', '/f/ask', '/f/ask/thanks'])
    expect([path, (await send(address, path)).status]).toEqual([path, 200])
}
