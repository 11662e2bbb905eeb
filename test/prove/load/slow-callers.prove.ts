import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { asOwner } from '../../../bench/generate.ts'
import { load, median } from '../../../bench/load.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { addVehicles, withoutIndexes } from '../../../bench/vehicles.ts'
import type { Session } from '../calling.ts'
import { readGauges } from './gauges.ts'
import { sendFile } from './sending.ts'
import { parkUploads, readExportSlowly, readFileSlowly, type Callers } from './slow-callers.ts'

const ROUNDS = 5
const UPLOADS = 50
const DOWNLOADS = 48
/** As many as one customer may have at once. */
const EXPORTS = 2
const VEHICLES = 9_000
const FILE_BYTES = 64 * 1_048_576
/** The typical difference between two quiet runs. */
const NOISE_MS = 5
const SETTLE_MS = 2_000
const MOST_MB_MORE = 150
const home = resolve('.forecourt-test', `slow-${process.pid}`)
const incoming = () => readdir(join(home, 'files', 'incoming'))

let product: Product
let session: Session
beforeAll(async () => {
  await mkdir(home, { recursive: true, mode: 0o700 })
  product = await startProduct(home)
  session = { product, token: await signIn(product.address) }
})
afterAll(async () => {
  await product.stop()
  await rm(home, { recursive: true, force: true })
})

function loadLots() {
  return load({
    url: `${product.address}${lots.list.path}?sort=code`,
    token: session.token,
    connections: 8,
    seconds: 4,
  })
}

async function callSlowly(): Promise<Callers[]> {
  const all = await Promise.all([
    parkUploads(session, UPLOADS),
    readFileSlowly(session, 'long.bin', DOWNLOADS),
    readExportSlowly(session, EXPORTS),
  ])
  await expect.poll(incoming, { timeout: 20_000 }).toHaveLength(UPLOADS)
  expect((await readGauges(product)).exports).toBe(EXPORTS)
  return all
}

/** Nothing is left over: no incoming files, no connections in use, no more open files than before. */
async function expectReleased(openFiles: number): Promise<void> {
  await expect.poll(incoming, { timeout: 20_000 }).toEqual([])
  await expect
    .poll(
      async () => {
        const { openFiles: open, ...held } = await readGauges(product)
        // The pools may have opened connections in the meantime, which stay open.
        return { ...held, isMore: open > openFiles + 10 }
      },
      { timeout: 20_000 },
    )
    .toEqual({ requests: 0, exports: 0, waiting: 0, isMore: false })
}

test('fifty stalled uploads and fifty slow downloads do not delay others, use little memory, and leave nothing behind', async () => {
  await asOwner(home, (client) =>
    withoutIndexes(client, 'vehicles', async () => {
      await addVehicles(
        client,
        `select l.customer_id, l.organization_id, l.id as lot_id, ${VEHICLES} as vehicles from lots l where l.code = 'NGF'`,
      )
      // 80 MB, more than fits in the buffers of both ends (up to 36 MB), so that an unread export keeps its connection.
      await client.query(`update vehicles set color = repeat('Oxford white ', 700)`)
    }),
  )
  expect(await sendFile(session, 'long.bin', FILE_BYTES)).toMatchObject({ status: 200 })
  // Warm up plans, pools and compiled code before measuring.
  await loadLots()
  const { openFiles } = await readGauges(product)

  const rounds: { quiet: number; busy: number; more: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await loadLots()
    const before = await product.rssMb()
    const slow = await callSlowly()
    // Measure the open connections, not the work of opening them.
    await wait(SETTLE_MS)
    const busy = await loadLots()
    rounds.push({ quiet: quiet.p99, busy: busy.p99, more: (await product.rssMb()) - before })
    expect(quiet.failed + busy.failed).toBe(0)
    // Response times only count if requests are still served.
    expect(busy.perSecond).toBeGreaterThan(quiet.perSecond / 10)
    // All were still open: uploads without a response, downloads with the beginning of one.
    expect(slow.map((callers) => callers.answered())).toEqual([0, DOWNLOADS, EXPORTS])
    expect(slow.map((callers) => callers.hungUp())).toEqual([0, 0, 0])
    expect(await incoming()).toHaveLength(UPLOADS)
    for (const callers of slow) callers.leave()
    await expectReleased(openFiles)
  }
  const middle = (key: 'quiet' | 'busy' | 'more'): string =>
    median(rounds.map((round) => round[key])).toFixed(0)
  console.log(
    `figure: p99 with and without a hundred slow clients = ${middle('busy')} and ${middle('quiet')} ms`,
  )
  console.log(`figure: memory of a hundred slow clients = ${middle('more')} MB`)
  expect(median(rounds.map(({ quiet, busy }) => busy / (quiet + NOISE_MS)))).toBeLessThan(2)
  expect(Math.max(...rounds.map(({ more }) => more))).toBeLessThan(MOST_MB_MORE)
})

test('closes connections that are silent for two minutes and releases their resources', async () => {
  const { openFiles } = await readGauges(product)
  const silent = await parkUploads(session, UPLOADS)
  await expect.poll(incoming, { timeout: 20_000 }).toHaveLength(UPLOADS)
  await expect.poll(() => silent.hungUp(), { timeout: 150_000, interval: 1_000 }).toBe(UPLOADS)
  await expectReleased(openFiles)
})
