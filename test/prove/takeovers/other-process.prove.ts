import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { writeFeed } from '../../../bench/feed-file.ts'
import type { Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, type Session } from '../calling.ts'
import { startSharing } from '../several-processes.ts'

const ROWS = 60_000
/** The lease of a job, and ten seconds. */
const MOST_SECONDS = 30 + 10

let folder = ''
let database: TestDatabase
let owner: pg.Client
const products: Product[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-takeover-'))
  await mkdir(join(folder, 'files'))
  database = await freshDatabase()
  owner = new pg.Client(database.connection)
  await owner.connect()
})
afterAll(async () => {
  for (const product of products) await product.stop()
  await owner.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<Product> {
  const product = await startSharing(folder, name, database)
  products.push(product)
  return product
}

async function leaseOf(jobId: string): Promise<{ lease: string | null; done: number }> {
  const { rows } = await owner.query<{ lease: string | null; done: number }>(
    'select lease::text, done::int from jobs where id = $1',
    [jobId],
  )
  return rows[0] ?? { lease: null, done: 0 }
}

async function upload({ product, token }: Session, lotId: string): Promise<string> {
  const path = join(folder, 'feed.csv')
  await writeFeed(path, { first: 0, rows: ROWS, edition: 0 })
  const body = new FormData()
  body.set('lotId', lotId)
  body.set('files', await openAsBlob(path), 'feed.csv')
  const answer = await fetch(`${product.address}${feedRuns.add.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  return z.object({ data: FeedRun }).parse(await answer.json()).data.id
}

async function untilOver(session: Session, id: string): Promise<FeedRun> {
  for (;;) {
    const run = await call(session, feedRuns.get, { id })
    if (run.status !== 'reading' && run.status !== 'applying') return run
    await wait(200)
  }
}

test('another process takes over the job of a killed one within the lease and ten seconds, and completes it', async () => {
  const first = await start('a')
  const token = await signIn(first.address)
  const atFirst = { product: first, token }
  const { id: lotId } = await call(atFirst, lots.add, { name: 'Taken over', code: 'TKO', type: 'used' })
  const id = await upload(atFirst, lotId)
  expect(await untilOver(atFirst, id)).toMatchObject({ status: 'ready', new: ROWS })
  const { jobId } = await call(atFirst, feedRuns.apply, { id })
  if (jobId === null) throw new Error('The run has no job.')
  // Only the first process can have the job.
  while ((await leaseOf(jobId)).lease === null) await wait(10)
  const second = await start('b')
  const { lease, done } = await leaseOf(jobId)
  expect(done).toBeLessThan(ROWS)
  await first.kill()
  const killedAt = performance.now()
  let taken = await leaseOf(jobId)
  for (; taken.lease === lease || taken.lease === null; taken = await leaseOf(jobId)) await wait(100)
  const seconds = (performance.now() - killedAt) / 1_000
  console.log(`figure: a killed process's job taken over by another one after = ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThanOrEqual(MOST_SECONDS)

  const atSecond = { product: second, token }
  expect(await untilOver(atSecond, id)).toMatchObject({ status: 'applied', skipped: 0, error: null })
  expect(await call(atSecond, jobs.get, { id: jobId })).toMatchObject({ done: ROWS, total: ROWS })
  const { rows } = await owner.query(
    'select count(*)::int as vehicles, count(distinct vin)::int as vins, max(version) as version from vehicles where lot_id = $1',
    [lotId],
  )
  expect(rows).toEqual([{ vehicles: ROWS, vins: ROWS, version: 1 }])
})
