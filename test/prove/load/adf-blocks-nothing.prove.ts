import { once } from 'node:events'
import { request } from 'node:http'
import { rm, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call } from '../calling.ts'

const home = resolve('.forecourt-test', `adf-${process.pid}`)
const POLL_MS = 10
const IDLE_MS = 2_000
const TIMES_EACH = 3
/** The most that a document may delay another request, besides the longest delay of an idle server. */
const MOST_MS = 50
/** Until the server is quiet after its start. */
const MOST_QUIET_WINDOWS = 30

let product: Product
let urls: { adf: string; mail: string }
beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  product = await startProduct(home)
  const session = { product, token: await signIn(product.address, 'harbor.admin') }
  const { results } = await call(session, lots.list, { page: 1 })
  const input = { label: 'Load', sourceName: 'Load', lotId: results?.[0]?.id ?? '' }
  const { id } = await call(session, inboundAddresses.add, input)
  const { adfPath, mailPath } = await call(session, inboundAddresses.renewUrls, { id })
  urls = { adf: `${product.address}${adfPath}`, mail: `${product.address}${mailPath}` }
})
afterAll(async () => {
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

/** Calls `/healthz` all the time and answers each message with the longest response time since the last one. */
const POLLER = `
const { parentPort, workerData } = require('node:worker_threads')
let longest = 0
parentPort.on('message', () => { parentPort.postMessage(longest); longest = 0 })
const poll = async () => {
  for (;;) {
    const startedAt = performance.now()
    await (await fetch(workerData.url)).text()
    longest = Math.max(longest, performance.now() - startedAt)
    await new Promise((done) => setTimeout(done, workerData.pauseMs))
  }
}
void poll()`

/** In a thread of its own, because this one is busy with sending. */
function startPolling(): { longest: () => Promise<number>; stop: () => Promise<unknown> } {
  const workerData = { url: `${product.address}/healthz`, pauseMs: POLL_MS }
  const poller = new Worker(POLLER, { eval: true, workerData })
  return {
    async longest() {
      const answer = once(poller, 'message')
      poller.postMessage('read', [])
      return Math.round(Number((await answer)[0]))
    },
    stop: () => poller.terminate(),
  }
}

/** Waits until the background work after the start is done, so that it isn't taken for the effect of a document. */
async function quiet(polling: ReturnType<typeof startPolling>): Promise<void> {
  for (let window = 0; window < MOST_QUIET_WINDOWS; window += 1) {
    await polling.longest()
    await wait(IDLE_MS)
    if ((await polling.longest()) < MOST_MS) return
  }
  throw new Error('The server was busy for a minute after its start.')
}

/** Over a new connection each time, as lead providers send. @returns the status. */
async function post(url: string, body: string, at: number): Promise<number> {
  const isMail = url === urls.mail
  // Different each time, otherwise it is recognized before it is read.
  const text = isMail ? body.replace('{', `{"At":${at},`) : `${body}<!--${at}-->`
  return new Promise((done, fail) => {
    const headers = { 'content-type': isMail ? 'application/json' : 'application/xml' }
    const sent = request(url, { method: 'POST', agent: false, headers }, (response) => {
      response.resume()
      response.on('end', () => done(response.statusCode ?? 0))
    })
    sent.on('error', fail)
    sent.end(text)
  })
}

const adf = (inner: string): string =>
  `<?xml version="1.0"?><?adf version="1.0"?><adf><prospect>${inner}</prospect></adf>`
const comments = (text: string): string =>
  adf(
    `<customer><contact><name part="full">Load Test</name></contact><comments>${text}</comments></customer>`,
  )
const person = { FromFull: { Email: 'load@mail.example', Name: 'Load' }, Headers: [] }
const mail = (more: object): string => JSON.stringify({ MessageID: 'load', ...person, ...more })

/** Just within the bounds, so that they are read as far as possible, or far beyond them. */
const DOCUMENTS: readonly (readonly [string, 'adf' | 'mail', string, number])[] = [
  ['5 MB with a million references', 'adf', comments('&#65;'.repeat(1_000_000)), 413],
  ['5 MB of comments', 'adf', adf(`<!--${'x'.repeat(5_000_000)}-->`), 413],
  ['1 MB of references', 'adf', comments('&#65;'.repeat(199_000)), 422],
  ['19,000 references in 900 KB', 'adf', comments(`${'x'.repeat(40)}&#65;`.repeat(19_000)), 200],
  ['1 MB of comments', 'adf', adf(`<!--${'x'.repeat(990_000)}-->`), 422],
  ['19,000 elements', 'adf', adf('<a/>'.repeat(19_000)), 422],
  ['30 levels, many times', 'adf', adf(`${'<a>'.repeat(28)}${'</a>'.repeat(28)}`.repeat(330)), 422],
  ['1 MB of escaped markup', 'adf', '&lt;adf&gt;'.repeat(90_000), 422],
  ['1 MB of JSON brackets', 'adf', '['.repeat(990_000), 422],
  [
    'an email with 45 MB of attachments',
    'mail',
    mail({ Attachments: [{ Name: 'a.jpg', ContentType: 'image/jpeg', Content: 'A'.repeat(45_000_000) }] }),
    200,
  ],
  ['an email with 5 MB of HTML', 'mail', mail({ TextBody: '', HtmlBody: '<div>x'.repeat(800_000) }), 200],
]

test('the worst documents hardly delay other requests', async () => {
  await post(urls.adf, comments('warm'), 0)
  await post(urls.mail, mail({ TextBody: 'warm' }), 0)
  const rss = await product.rssMb()
  const polling = startPolling()
  await quiet(polling)
  const waits: Record<string, { idle: number; posting: number }> = {}
  const statuses: Record<string, number[]> = {}
  try {
    for (const [name, to, body] of DOCUMENTS) {
      await polling.longest()
      await wait(IDLE_MS)
      const idle = await polling.longest()
      const seen = new Set<number>()
      for (let at = 1; at <= TIMES_EACH; at += 1) seen.add(await post(urls[to], body, at))
      waits[name] = { idle, posting: await polling.longest() }
      statuses[name] = [...seen]
    }
  } finally {
    await polling.stop()
  }
  console.log(JSON.stringify(waits))
  expect(statuses).toEqual(Object.fromEntries(DOCUMENTS.map(([name, , , status]) => [name, [status]])))
  const all = Object.values(waits)
  const idle = Math.max(...all.map((one) => one.idle))
  const posting = Math.max(...all.map((one) => one.posting))
  const more = Math.round((await product.rssMb()) - rss)
  console.log(
    `figure: longest wait for /healthz, idle and with the worst ADF documents = ${idle} and ${posting} ms`,
  )
  console.log(`figure: memory of the worst ADF documents and emails = ${more} MB`)
  expect(posting - idle).toBeLessThan(MOST_MS)
}, 600_000)
