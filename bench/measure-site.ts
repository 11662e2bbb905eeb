import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import Fastify from 'fastify'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { launchBrowser } from '#e2e/harness/browser.ts'
import { largestPaint } from '#e2e/harness/largest-paint.ts'
import { proven } from '#test/factories/marketing/visitor.ts'
import { freePort } from './free-port.ts'
import { measurePhotos } from './measure-photos.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'

const HOST = 'northgate.localhost'
const CONNECTIONS = 16
const SECONDS = 5
const PAGE_GOAL = 10_000
const FORMS = 200
/** More than a large group gets on its busiest day. */
const FORMS_GOAL = 50

type Answered = { perSecond: number; failed: number }

/** The public pages of the demo world, next to the same server framework with a fixed answer of the same size. */
export async function measureSite(product: Product): Promise<Row[]> {
  const home = await textOf(`${product.address}/`)
  const path = /href="(\/v\/[^"]+)"/.exec(home)?.[1]
  if (path === undefined) throw new Error('The public site lists no vehicle.')
  const page = await textOf(`${product.address}${path}`)
  const peer = await measurePeer(page)
  const vehicle = await run({ url: `${product.address}${path}` })
  const list = await run({ url: `${product.address}/` })
  const sent = await measureSubmissions(product)
  const paints = await measurePaints(product, path)
  const compared = (what: string, { perSecond, failed }: Answered): Row => ({
    what: `${what}${failed > 0 ? `, ${failed} failed` : ''}`,
    measured: `${perSecond.toFixed(0)}/s`,
    comparison: `Fastify with a fixed page of ${(page.length / 1_000).toFixed(0)} kB: ${peer.toFixed(0)}/s; goal ${PAGE_GOAL}/s`,
    ratio: (perSecond / peer).toFixed(2),
  })
  return [
    compared('public vehicle page with its form, over HTTP', vehicle),
    compared('public vehicle list, 24 of 358 vehicles with facets, over HTTP', list),
    {
      what: `form received, checked, stored, audited and routed as a lead, over HTTP${sent.failed > 0 ? `, ${sent.failed} failed` : ''}`,
      measured: `${sent.perSecond.toFixed(0)}/s, with ${FORMS} forms from 250 addresses`,
      comparison: `goal ${FORMS_GOAL}/s`,
      ratio: (sent.perSecond / FORMS_GOAL).toFixed(2),
    },
    ...paints,
    ...(await measurePhotos(product)),
  ]
}

const GOOD_MS = 2_500

/** The largest contentful paint of the list and of a vehicle, on a slow phone with an empty cache. */
async function measurePaints(product: Product, vehicle: string): Promise<Row[]> {
  const address = new URL(product.address)
  address.hostname = HOST
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ baseURL: address.origin })
    const page = await context.newPage()
    const row = (what: string, time: number): Row => ({
      what: `largest contentful paint of the public ${what}, slow phone (4x CPU, 1.6 Mbit/s, 150 ms), empty cache`,
      measured: `${time.toFixed(0)} ms`,
      comparison: `limit ${GOOD_MS} ms ("good")`,
      ratio: (time / GOOD_MS).toFixed(2),
    })
    return [
      row('vehicle list', await largestPaint(page, '/')),
      row('vehicle page', await largestPaint(page, vehicle)),
    ]
  } finally {
    await browser.close()
  }
}

async function textOf(url: string): Promise<string> {
  const { body } = await inject(url)
  return body
}

/** `fetch` sets the host itself, so autocannon reads the page, too. */
async function inject(url: string): Promise<{ body: string }> {
  let body = ''
  await autocannon({
    url,
    connections: 1,
    amount: 1,
    headers: { host: HOST },
    setupClient: (client) => client.on('body', (text) => (body += text.toString())),
  })
  return { body }
}

async function run(options: { url: string; host?: string }): Promise<Answered> {
  const { url, host = HOST } = options
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { host } })
  return { perSecond: result['2xx'] / result.duration, failed: result.non2xx + result.errors }
}

/** The limit: the framework without any work. */
async function measurePeer(page: string): Promise<number> {
  const peer = Fastify()
  peer.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  const url = await peer.listen({ host: '127.0.0.1', port: await freePort() })
  try {
    return (await run({ url })).perSecond
  } finally {
    await peer.close()
  }
}

/** Each form has a page of its own, a proof of work and other answers, so that each is stored, is no spam, and becomes a lead. */
async function measureSubmissions(product: Product): Promise<Answered> {
  const url = `${product.address}/f/contact`
  const bodies: string[] = []
  while (bodies.length < FORMS) {
    const at = bodies.length
    const page = await textOf(url)
    const token = new RegExp(`name="${FIELD_NAMES.token}"\\s+value="([^"]+)"`).exec(page)?.[1] ?? ''
    const fields = {
      ...(await proven({ text: page, hidden: { [FIELD_NAMES.token]: token } })),
      topic: 'sales',
      firstName: `Visitor ${at}`,
      email: `visitor${at}@mail.example`,
      message: 'Is it still available?',
    }
    bodies.push(new URLSearchParams(fields).toString())
  }
  // Faster than people are looks like spam.
  await wait(2_500)
  const next = (): { body: string; headers: Record<string, string> } => ({
    body: bodies.shift() ?? '',
    headers: {
      host: HOST,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.0.${bodies.length % 250}.1`,
    },
  })
  const startedAt = performance.now()
  const result = await autocannon({
    url,
    connections: 8,
    amount: FORMS,
    method: 'POST',
    headers: { host: HOST },
    requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, ...next() }) }],
  })
  const stored = result['3xx']
  return { perSecond: stored / ((performance.now() - startedAt) / 1_000), failed: FORMS - stored }
}
