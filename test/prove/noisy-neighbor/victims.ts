import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export const VICTIMS = ['vehicle list', 'public page', 'form', 'invitation link'] as const
export type Victim = (typeof VICTIMS)[number]

/** Response times in milliseconds, and responses with an unexpected status, such as "form 503". */
export type Watched = { times: Record<Victim, number[]>; wrong: string[] }

export const emptyWatched = (): Watched => ({
  times: { 'vehicle list': [], 'public page': [], form: [], 'invitation link': [] },
  wrong: [],
})
export function add(to: Watched, { times, wrong }: Watched): void {
  for (const victim of VICTIMS) to.times[victim].push(...times[victim])
  to.wrong.push(...wrong)
}

type Places = {
  address: string
  host: string
  token: string
  listPath: string
  linkPath: string
  link: string
}

/** Opens and sends what another customer's users, buyers and participants do, all the time. */
const WATCHER = `
const { parentPort, workerData: { address, host, token, listPath, linkPath, link, pauseMs } } = require('node:worker_threads')
const { request } = require('node:http')
const empty = () => ({ times: { 'vehicle list': [], 'public page': [], form: [], 'invitation link': [] }, wrong: [] })
let watched = empty()
parentPort.on('message', () => { parentPort.postMessage(watched); watched = empty() })

const send = (path, { method = 'GET', body = '', ...headers }) => new Promise((done) => {
  const startedAt = performance.now()
  const asked = request(address + path, { method, agent: false, headers: { ...headers, 'content-length': Buffer.byteLength(body) } })
  const end = (status, text) => done({ status, text, ms: performance.now() - startedAt })
  asked.on('error', () => end(0, ''))
  asked.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part) => (text += part))
    response.on('end', () => end(response.statusCode, text))
    response.on('error', () => end(0, ''))
  })
  asked.end(body)
})
const note = (victim, expected, { status, ms }) => {
  watched.times[victim].push(ms)
  if (status !== expected) watched.wrong.push(victim + ' ' + status)
}
let sent = 0
const acts = {
  'vehicle list': async () => note('vehicle list', 200, await send(listPath, { authorization: 'Bearer ' + token })),
  'public page': async () => note('public page', 200, await send(sent++ % 2 ? '/' : '/?make=Ford', { host, accept: 'text/html' })),
  form: async () => {
    // Every form is from another network, so that none is limited.
    const from = '10.' + (sent++ & 255) + '.' + ((sent >> 8) & 255) + '.' + Math.floor(Math.random() * 256)
    const shown = await send('/f/ask', { host, accept: 'text/html' })
    const hidden = [...shown.text.matchAll(/<input\\s+type="hidden"\\s+name="([^"]+)"\\s+value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const fields = [...hidden, ['firstName', 'Neighbor ' + sent], ['email', 'buyer' + sent + '@mail.example'], ['message', 'Hello']]
    const body = new URLSearchParams(fields).toString()
    note('form', 303, await send('/f/ask', { method: 'POST', body, host, accept: 'text/html', 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded' }))
  },
  'invitation link': async () => note('invitation link', 200, await send(linkPath, { method: 'POST', body: JSON.stringify({ token: link }), 'content-type': 'application/json' })),
}
for (const act of Object.values(acts)) void (async () => {
  for (;;) { await act(); await new Promise((done) => setTimeout(done, pauseMs)) }
})()`

const PAUSE_MS = 15

/** In a thread of its own, because this one is busy with the load. */
export function startWatching(places: Places): {
  read: () => Promise<Watched>
  stop: () => Promise<unknown>
} {
  const watcher = new Worker(WATCHER, { eval: true, workerData: { ...places, pauseMs: PAUSE_MS } })
  return {
    /** What was watched since the last call. */
    async read() {
      const answer = once(watcher, 'message')
      watcher.postMessage('read', [])
      const [watched]: Watched[] = await answer
      if (watched === undefined) throw new Error('The watcher did not answer.')
      return watched
    },
    stop: () => watcher.terminate(),
  }
}

/** The value that one of a hundred exceeds. */
export function p99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
