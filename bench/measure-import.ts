import { createReadStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { FeedRun, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { call, type Session } from '#test/prove/calling.ts'
import { FEED_COLUMNS, writeFeed } from './feed-file.ts'
import { asOwner } from './generate.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

/** The cost of importing one file: the duration of its two jobs and the peak memory of the server during each. */
type Brought = { run: FeedRun; readMs: number; applyMs: number; readMb: number; applyMb: number }

/**
 * Imports rows, then an edition with 14% different prices, then the same again. Compared with COPY of the same file into a
 * bare table, and with COPY plus an insert into a table with the indexes of vehicles.
 */
export async function measureImport(product: Product, home: string, rows: number): Promise<Row[]> {
  const session: Dealer = { product, token: await signIn(product.address) }
  const lotId = await addLot(session, 'BIM')
  const [first, second] = await Promise.all(
    [0, 1].map(async (edition) => {
      const path = join(home, `feed-${rows}-${edition}.csv`)
      await writeFeed(path, rows, edition)
      return path
    }),
  )
  try {
    const added = await bring({ home, session, lotId }, first ?? '')
    await asOwner(home, (client) => client.query('vacuum analyze vehicles'))
    const baseline = await asOwner(home, (client) => copyNextTo(client, second ?? ''))
    const changed = await bring({ home, session, lotId }, second ?? '')
    const same = await bring({ home, session, lotId }, second ?? '')
    refuseOther(rows, added.run, changed.run, same.run)
    const many = rows.toLocaleString('en')
    const row = (what: string, { readMs, applyMs }: Brought, goal: number | null): Row => ({
      what: `import of ${many} CSV rows, ${what}, with mapping, VINs, all indexes, search words and history`,
      measured: `${seconds(readMs + applyMs)} (read ${seconds(readMs)}, apply ${seconds(applyMs)})`,
      comparison: `bare COPY ${seconds(baseline.copyMs)}, COPY + indexed insert ${seconds(baseline.insertMs)}${goal === null ? '' : `; goal ${goal} times the latter`}`,
      ratio: `${((readMs + applyMs) / baseline.insertMs).toFixed(2)}; of bare COPY ${((readMs + applyMs) / baseline.copyMs).toFixed(1)}`,
    })
    return [
      row('all new', added, null),
      row('14% with a different price', changed, 4),
      row('unchanged', same, 2.5),
    ]
  } finally {
    for (const path of [first, second]) await rm(path ?? '', { force: true })
  }
}

/** The peak memory of the server while it reads and applies new rows. */
export async function measureImportMemory(product: Product, home: string, rows: number): Promise<Row> {
  const session: Dealer = { product, token: await signIn(product.address) }
  const lotId = await addLot(session, 'BIH')
  const path = join(home, `feed-${rows}.csv`)
  await writeFeed(path, rows, 0)
  try {
    const { run, readMs, applyMs, readMb, applyMb } = await bring({ home, session, lotId }, path)
    if (run.new !== rows) throw new Error(`${run.new} of ${rows} rows were imported.`)
    return {
      what: `peak resident memory of the server during an import of ${rows.toLocaleString('en')} new rows`,
      measured: `${readMb} MB while reading (${seconds(readMs)}), ${applyMb} MB while applying (${seconds(applyMs)})`,
      comparison: 'goal 400 MB',
      ratio: (Math.max(readMb, applyMb) / 400).toFixed(2),
    }
  } finally {
    await rm(path, { force: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

async function addLot(session: Session, code: string): Promise<string> {
  const { id } = await call(session, lots.add, { name: `Imports ${code}`, code, type: 'used' })
  return id
}

function refuseOther(rows: number, added: FeedRun, changed: FeedRun, same: FeedRun): void {
  const isRight = added.new === rows && changed.changed > rows / 10 && same.unchanged === rows
  if (!isRight) throw new Error(`Unexpected import result: ${JSON.stringify({ added, changed, same })}`)
}

type Dealer = Session & { product: Product }
type Place = { home: string; session: Dealer; lotId: string }

/** Uploads a file, waits until it is read, and applies it. */
async function bring({ home, session, lotId }: Place, path: string): Promise<Brought> {
  const { product, token } = session
  const body = new FormData()
  body.set('lotId', lotId)
  body.set('files', await openAsBlob(path), 'feed.csv')
  let mostMb = 0
  const watch = setInterval(() => void product.rssMb().then((mb) => (mostMb = Math.max(mostMb, mb))), 50)
  try {
    const sent = await fetch(`${product.address}${feedRuns.add.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    const answer = z
      .object({ data: FeedRun.nullable(), message: z.string().nullable() })
      .parse(await sent.json())
    if (answer.data === null) throw new Error(answer.message ?? 'Refused.')
    const { id } = answer.data
    const run = await until(session, id, ['ready', 'held'])
    const read = { run, readMs: await workOf(home, run), readMb: mostMb }
    if (run.new + run.changed + run.missing === 0) return { ...read, applyMs: 0, applyMb: 0 }
    mostMb = 0
    await call(session, feedRuns.apply, { id, confirm: true })
    const applied = await until(session, id, ['applied'])
    return { ...read, run: applied, applyMs: await workOf(home, applied), applyMb: mostMb }
  } finally {
    clearInterval(watch)
  }
}

/** Polls until the run has one of the statuses. Signs in again when the session expires. */
async function until(session: Dealer, id: string, statuses: readonly string[]): Promise<FeedRun> {
  for (;;) {
    const run = await call(session, feedRuns.get, { id }).catch(async () => {
      session.token = await signIn(session.product.address)
      return call(session, feedRuns.get, { id })
    })
    if (statuses.includes(run.status)) return run
    if (run.error !== null) throw new Error(run.error)
    await wait(100)
  }
}

/** The duration of a run's job. */
async function workOf(home: string, { jobId }: FeedRun): Promise<number> {
  return asOwner(home, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select extract(epoch from ended_at - started_at)::float8 * 1000 as ms from jobs where id = $1`,
        [jobId],
      )
      const ms = rows[0]?.ms ?? null
      if (ms !== null) return ms
      await wait(20)
    }
  })
}

/** Loads the same file with COPY into a bare table, and from there into one with all indexes of vehicles. */
async function copyNextTo(client: pg.Client, path: string): Promise<{ copyMs: number; insertMs: number }> {
  const columns = FEED_COLUMNS.map((name) => `"${name}" text`)
  await client.query(`create table bench_copied (${columns.join(', ')})`)
  await client.query('create table bench_vehicles (like vehicles including all)')
  try {
    const begun = performance.now()
    const copy = copyFrom(`copy bench_copied from stdin (format csv, header)`)
    await pipeline(createReadStream(path), client.query(copy))
    const copyMs = performance.now() - begun
    await client.query(`insert into bench_vehicles (customer_id, organization_id, lot_id, vin, stock, year, make, model, trim,
        body, colour, mileage, price_cents, msrp_cents, fuel, transmission, drivetrain, description, photos)
      select 1, 1, 1, "VIN", "Stock Number", "Year"::int, "Make", "Model", "Trim", "Body", "Exterior Color", "Mileage"::int,
        "Price"::int * 100, "MSRP"::int * 100, "Fuel Type", "Transmission", "Drivetrain", "Description",
        to_jsonb(string_to_array("Photo URLs", '|'))
      from bench_copied`)
    return { copyMs, insertMs: performance.now() - begun }
  } finally {
    await client.query('drop table bench_copied, bench_vehicles')
  }
}
