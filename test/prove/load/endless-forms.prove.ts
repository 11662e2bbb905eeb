import { request } from 'node:http'
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { call, signInTo } from '../calling.ts'

const home = resolve('.forecourt-test', `endless-${process.pid}`)
const PARTS = 900
const PART_BYTES = 250_000
const MOST_MB_MORE = 150

let product: Product
let path: string
beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  product = await startProduct(home)
  const session = await signInTo(product, { userName: 'northgate.admin', organization: 'Northgate Ford' })
  const { results } = await call(session, forms.list, {})
  path = `/f/${results.find(({ status }) => status === 'published')?.key ?? ''}`
})
afterAll(async () => {
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

/** Sends a form without a page of ours, as anyone can. @returns the status */
async function sendForm(partHead: string, content: string): Promise<number> {
  const { hostname, port } = new URL(product.address)
  function* parts(): Generator<string> {
    for (let part = 0; part < PARTS; part += 1)
      yield `--x\r\n${partHead.replace('#', String(part))}\r\n\r\n${content}\r\n`
    yield '--x--\r\n'
  }
  const sent = request({
    hostname,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { host: 'northgate.localhost', 'content-type': 'multipart/form-data; boundary=x' },
  })
  const answered = new Promise<number>((done) => {
    sent.once('response', (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    sent.once('error', () => done(0))
  })
  // The server ends the connection of a sender that never stops.
  await pipeline(Readable.from(parts()), sent).catch(() => {})
  return answered
}

test.for([
  [
    'JSON',
    'Content-Disposition: form-data; name="f#"\r\nContent-Type: application/json',
    `[${'[],'.repeat(PART_BYTES / 3)}0]`,
  ],
  ['text', 'Content-Disposition: form-data; name="f#"', 'x'.repeat(PART_BYTES)],
  ['files', 'Content-Disposition: form-data; name="f#"; filename="a"', 'x'.repeat(PART_BYTES)],
] as const)('a form of hundreds of parts with %s needs little memory', async ([name, head, content]) => {
  await sendForm(head, 'x')
  const before = await product.rssMb()
  let most = before
  const watching = setInterval(() => {
    void product.rssMb().then((mb) => {
      most = Math.max(most, mb)
    })
  }, 50)
  const status = await sendForm(head, content)
  clearInterval(watching)
  console.log(
    `figure: memory of a form with ${PARTS} parts of ${name}, ${Math.round((PARTS * PART_BYTES) / 1e6)} MB = ${most - before} MB`,
  )
  expect(status).not.toBe(500)
  expect(most - before).toBeLessThan(MOST_MB_MORE)
})
