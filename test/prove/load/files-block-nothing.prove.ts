import { rm, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { multipart } from '#test/harness/multipart.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'

type Answer = { status: number; message: string }
const home = resolve('.forecourt-test', `files-${process.pid}`)
const POLL_MS = 20
const IDLE_MS = 6_000
/** The tolerance for timers and scheduling on a busy machine. */
const NOISE_MS = 100
const MOST_TIMES = 3
const MOST_MB_MORE = 900

let product: Product
let token: string
beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  product = await startProduct(home)
  token = await signIn(product.address, 'harbor.admin')
})
afterAll(async () => {
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

/** The longest response time of `/healthz` during `work`. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const done = new AbortController()
  let longest = 0
  const polling = (async () => {
    while (!done.signal.aborted) {
      const startedAt = performance.now()
      await (await fetch(`${product.address}/healthz`)).text()
      longest = Math.max(longest, performance.now() - startedAt)
      await wait(POLL_MS)
    }
  })()
  await work()
  done.abort()
  await polling
  return Math.round(longest)
}

async function send(bytes: Buffer): Promise<Answer> {
  const { payload, headers } = multipart({}, [{ name: 'file', bytes }])
  const answer = await fetch(`${product.address}${factorEditions.read.path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(payload),
  })
  return { status: answer.status, message: await answer.text() }
}

async function longWorkbook(): Promise<Buffer> {
  const rows = Array.from({ length: 700_000 }, () => [1])
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Bills', rows }] }))
}

test('the most expensive files hardly delay other requests', async () => {
  const book = await longWorkbook()
  const files: [string, () => Promise<Answer | Answer[]>][] = [
    ['one line of a million cells, 2 MB', () => send(Buffer.from('a,'.repeat(1_000_000)))],
    ['one line of 4.5 million cells, 9 MB', () => send(Buffer.from('a,'.repeat(4_500_000)))],
    ['one line of 14.9 million cells, 30 MB', () => send(Buffer.from('a,'.repeat(14_900_000)))],
    ['2.4 million lines, 9.6 MB', () => send(Buffer.from('a,b\n'.repeat(2_400_000)))],
    ['a workbook of 700,000 lines', () => send(book)],
    ['six such workbooks at once', () => Promise.all(Array.from({ length: 6 }, () => send(book)))],
  ]
  await send(Buffer.from('a,b\n1,2\n'))
  let idle = 0
  const rss = await product.rssMb()
  const waits: Record<string, number> = {}
  for (const [name, work] of files) {
    const answers: Answer[] = []
    // Measured before each file, because the load from other programs changes.
    idle = Math.max(idle, await longestWait(() => wait(IDLE_MS)))
    waits[name] = await longestWait(async () => {
      answers.push(...[await work()].flat())
    })
    for (const { status } of answers) expect([400, 429]).toContain(status)
  }
  const more = Math.round((await product.rssMb()) - rss)
  const worst = Math.max(...Object.values(waits))
  console.log(JSON.stringify(waits))
  console.log(
    `figure: longest wait for /healthz, idle and with the worst of six files = ${idle} and ${worst} ms`,
  )
  console.log(`figure: memory of the worst files = ${more} MB`)
  expect(worst / (idle + NOISE_MS)).toBeLessThan(MOST_TIMES)
  expect(more).toBeLessThan(MOST_MB_MORE)
}, 300_000)
