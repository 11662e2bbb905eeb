import { mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { openAsBlob } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { asOwner } from '../../../bench/generate.ts'
import { writeFeed } from '../../../bench/feed-file.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, tryCall, type Session } from '../calling.ts'

const ROWS = 20_000
/** 14% of the rows have a different price in the second version of the file. */
const CHANGED = (ROWS * 14) / 100
const home = resolve('.forecourt-test', `imports-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

/** The running product, replaced after each kill and restart. */
type World = { product: Product; session: Session }

async function startWorld(): Promise<World> {
  const product = await startProduct(home)
  return { product, session: { product, token: await signIn(product.address) } }
}

async function killAndStart({ product }: World): Promise<World> {
  await product.kill()
  return startWorld()
}

/** Makes partial uploads inspect hours old, so that the next start removes them. */
async function ageIncoming(): Promise<void> {
  const folder = join(home, 'files', 'incoming')
  for (const name of await readdir(folder)) await utimes(join(folder, name), 0, 0)
}

async function send({ product, session }: World, lotId: string, path: string): Promise<string> {
  const body = new FormData()
  body.set('lotId', lotId)
  body.set('files', await openAsBlob(path), 'feed.csv')
  const response = await fetch(`${product.address}${feedRuns.add.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}` },
    body,
  })
  return z.object({ data: FeedRun }).parse(await response.json()).data.id
}

/** Waits until the job of a run has processed this many rows or the run has finished. */
async function untilDone({ session }: World, id: string, rows: number): Promise<FeedRun> {
  for (;;) {
    // While the product starts, a first call may time out waiting for a database connection.
    if ((await tryCall(session, feedRuns.get, { id }))?.status === 503) {
      await wait(500)
      continue
    }
    const run = await call(session, feedRuns.get, { id })
    const isOver = run.status !== 'reading' && run.status !== 'applying' && run.status !== 'undoing'
    if (isOver || run.jobId === null) return run
    const job = await call(session, jobs.get, { id: run.jobId })
    if (job.done >= rows) return run
    await wait(30)
  }
}

const untilOver = (world: World, id: string): Promise<FeedRun> =>
  untilDone(world, id, Number.POSITIVE_INFINITY)

/** The database state of one lot and one run. */
async function inspect(lotId: string, runId: string) {
  return asOwner(home, async (client) => {
    const { rows: stock } = await client.query(
      `select count(*)::int as vehicles, count(distinct vin)::int as vins, max(version) as version from vehicles where lot_id = $1`,
      [lotId],
    )
    const { rows: states } = await client.query<{ state: string; rows: number; vehicles: number }>(
      `select state, count(*)::int as rows, count(distinct vehicle_id)::int as vehicles from feed_run_rows
      where run_id = $1 group by 1 order by 1`,
      [runId],
    )
    const { rows: history } = await client.query<{ most: number }>(
      `select max(h.rows)::int as most from (select count(*) as rows from vehicle_history h
        join vehicles v on v.customer_id = h.customer_id and v.id = h.vehicle_id where v.lot_id = $1 group by v.id) h`,
      [lotId],
    )
    return { stock: stock[0], states, history: history[0]?.most }
  })
}

/** All stored files and partial uploads. */
async function storedFiles(): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['kept', 'incoming']) {
    const entries = await readdir(join(home, 'files', folder), { withFileTypes: true, recursive: true })
    found.push(...entries.flatMap((one) => (one.isFile() && !one.name.includes('.') ? [one.name] : [])))
  }
  return found
}

test('completes a run without duplicates or losses when the server is killed while it reads, applies and undoes', async () => {
  const [first, second] = [join(home, 'first.csv'), join(home, 'second.csv')]
  await writeFeed(first, { first: 0, rows: ROWS, edition: 0 })
  await writeFeed(second, { first: 0, rows: ROWS, edition: 1 })
  let world = await startWorld()
  try {
    const { id: lotId } = await call(world.session, lots.add, { name: 'Killed', code: 'KIL', type: 'used' })
    const before = await storedFiles()

    const added = await send(world, lotId, first)
    expect((await untilDone(world, added, ROWS / 3)).status).toBe('reading')
    world = await killAndStart(world)
    expect(await untilOver(world, added)).toMatchObject({
      status: 'ready',
      rows: ROWS,
      new: ROWS,
      refused: 0,
    })
    expect((await inspect(lotId, added)).states).toEqual([{ state: 'staged', rows: ROWS, vehicles: 0 }])

    await call(world.session, feedRuns.apply, { id: added })
    for (const share of [4, 2]) {
      expect((await untilDone(world, added, ROWS / share)).status).toBe('applying')
      world = await killAndStart(world)
    }
    expect(await untilOver(world, added)).toMatchObject({ status: 'applied', skipped: 0, error: null })
    expect(await inspect(lotId, added)).toEqual({
      stock: { vehicles: ROWS, vins: ROWS, version: 1 },
      states: [{ state: 'applied', rows: ROWS, vehicles: ROWS }],
      history: 1,
    })

    const changed = await send(world, lotId, second)
    expect(await untilOver(world, changed)).toMatchObject({ changed: CHANGED, unchanged: ROWS - CHANGED })
    await call(world.session, feedRuns.apply, { id: changed })
    expect((await untilDone(world, changed, CHANGED / 3)).status).toBe('applying')
    world = await killAndStart(world)
    expect(await untilOver(world, changed)).toMatchObject({ status: 'applied', skipped: 0 })
    // A vehicle written twice would have version 3 and a duplicate price in its history.
    expect(await inspect(lotId, changed)).toEqual({
      stock: { vehicles: ROWS, vins: ROWS, version: 2 },
      states: [{ state: 'applied', rows: CHANGED, vehicles: CHANGED }],
      history: 2,
    })

    await call(world.session, feedRuns.undo, { id: changed })
    expect((await untilDone(world, changed, CHANGED / 3)).status).toBe('undoing')
    world = await killAndStart(world)
    expect(await untilOver(world, changed)).toMatchObject({ status: 'undone', notUndone: 0 })
    const third = await send(world, lotId, first)
    expect(await untilOver(world, third)).toMatchObject({ new: 0, changed: 0, unchanged: ROWS })
    // Its file is stored until then, because it could be read again with a different mapping.
    await call(world.session, feedRuns.cancel, { id: third })
    expect(await storedFiles()).toEqual(before)
  } finally {
    await world.product.stop()
  }
})

test('an upload interrupted by a killed server leaves no run and no file behind', async () => {
  const path = join(home, 'large.csv')
  await writeFeed(path, { first: 0, rows: 300_000, edition: 0 })
  let world = await startWorld()
  try {
    const { id: lotId } = await call(world.session, lots.add, { name: 'Cut off', code: 'CUT', type: 'used' })
    const [before, runs] = [await storedFiles(), await call(world.session, feedRuns.list, {})]
    const sent = send(world, lotId, path).then(
      () => 'answered',
      () => 'broken',
    )
    while ((await storedFiles()).length === before.length) await wait(5)
    await world.product.kill()
    expect(await sent).toBe('broken')
    await ageIncoming()
    world = await startWorld()
    expect(await storedFiles()).toEqual(before)
    expect((await call(world.session, feedRuns.list, {})).totalRows).toBe(runs.totalRows)
  } finally {
    await world.product.stop()
  }
})
