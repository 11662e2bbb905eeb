import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { files } from '#contract/files/files.ts'
import type { Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { call, tryCall } from '../calling.ts'
import { startSharing } from '../several-processes.ts'
import { startBalancer, type Balancer, type Slot } from './balancer.ts'

type Results = { requests: number; failures: unknown[]; lots: string[]; files: string[] }

const READERS = 5
const WRITERS = 2

let folder = ''
let database: TestDatabase
let balancer: Balancer
let products: Product[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-rolling-'))
  await mkdir(join(folder, 'files'))
  database = await freshDatabase()
  balancer = await startBalancer(2)
})
afterAll(async () => {
  for (const product of products) await product.stop()
  await balancer.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process, and waits until the balancer sends it requests. */
async function start(slot: Slot, name: string): Promise<Product> {
  const product = await startSharing(folder, name, database)
  slot.address = product.address
  while (!slot.isReady) await wait(50)
  return product
}

test('a rolling restart of two processes behind a load balancer loses no requests and no files', async () => {
  const [first, second] = balancer.slots
  if (first === undefined || second === undefined) throw new Error('The balancer must have two slots.')
  products = [await start(first, 'a'), await start(second, 'b')]
  const token = await signIn(balancer.address, 'harbor.admin')
  const session = { product: { address: balancer.address }, token }
  const results: Results = { requests: 0, failures: [], lots: [], files: [] }
  const over = new AbortController()
  const note = (answer: { status: number; body: unknown } | null): boolean => {
    results.requests += 1
    if (answer?.status === 200) return true
    results.failures.push(answer)
    return false
  }

  async function read(): Promise<void> {
    while (!over.signal.aborted) note(await tryCall(session, lots.list, {}))
  }
  async function write(writer: number): Promise<void> {
    for (let one = 0; !over.signal.aborted; one += 1) {
      const code = `R${writer}-${one}`
      if (note(await tryCall(session, lots.add, { name: `Rolling ${code}`, code }))) results.lots.push(code)
    }
  }
  async function upload(): Promise<void> {
    for (let one = 0; !over.signal.aborted; one += 1) {
      const name = `rolling-${one}.txt`
      const body = new FormData()
      body.set('container', 'media')
      body.set('files', new Blob([`file ${one}\n`.repeat(10_000)]), name)
      const response = await fetch(`${balancer.address}${files.upload.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (note(response === null ? null : { status: response.status, body: text })) results.files.push(name)
      await wait(100)
    }
  }
  const clients = [
    ...Array.from({ length: READERS }, read),
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    upload(),
  ]
  await wait(2_000)
  for (const [at, slot] of [first, second].entries()) {
    await products[at]?.stop()
    slot.address = null
    slot.isReady = false
    products = products.with(at, await start(slot, at === 0 ? 'a' : 'b'))
    await wait(1_000)
  }
  over.abort()
  await Promise.all(clients)

  expect(results.failures).toEqual([])
  expect(balancer.lost()).toBe(0)
  const found = await Promise.all(
    products.map(async (product) => {
      const own = { product, token }
      const { filteredRows } = await call(own, lots.list, { search: 'Rolling R' })
      let readable = 0
      for (const path of results.files) {
        const query = new URLSearchParams({ container: 'media', path })
        const response = await fetch(`${product.address}${files.download.path}?${query}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        if (response.status === 200 && (await response.text()).startsWith('file ')) readable += 1
      }
      return { lots: filteredRows, files: readable }
    }),
  )
  const expected = { lots: results.lots.length, files: results.files.length }
  expect(found).toEqual([expected, expected])
  expect(expected.lots * expected.files).toBeGreaterThan(0)
  console.log(
    `figure: rolling restart of two processes = ${results.requests} requests, ${expected.lots} lots and ${expected.files} files, 0 lost`,
  )
})
