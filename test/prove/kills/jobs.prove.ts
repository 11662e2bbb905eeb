import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs, type Job } from '#contract/jobs/jobs.ts'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { addVehicles, withoutIndexes } from '../../../bench/vehicles.ts'
import { call } from '../calling.ts'

const VEHICLES = 100_000
const KILLS = 3
const home = resolve('.forecourt-test', `jobs-${process.pid}`)

beforeAll(() => mkdir(home, { recursive: true, mode: 0o700 }))
afterAll(() => rm(home, { recursive: true, force: true }))

async function untilDone(product: Product, id: string, isEnough: (job: Job) => boolean): Promise<Job> {
  const session = { product, token: await signIn(product.address) }
  for (;;) {
    const job = await call(session, jobs.get, { id })
    if (isEnough(job) || !['waiting', 'running'].includes(job.state)) return job
    await wait(100)
  }
}

/** Vehicles of one lot, and a copy of what they were in `versions_before`. */
function addStock(count: number): Promise<void> {
  return asOwner(home, async (client) => {
    await withoutIndexes(client, 'vehicles', () =>
      addVehicles(
        client,
        `select l.customer_id, l.organization_id, l.id as lot_id, ${count} as vehicles from lots l where l.code = 'NGF'`,
      ),
    )
    // The vehicles of the demo data already have various versions.
    await client.query('drop table if exists versions_before')
    await client.query(
      'create table versions_before as select id, version, price_cents, locked from vehicles',
    )
  })
}

/** Kills the product while a job runs, each time after another part of its rows. @returns the product, started again */
async function killDuring(
  product: Product,
  { id, kills, rows }: { id: string; kills: number; rows: number },
): Promise<Product> {
  let running = product
  let done = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const seen = await untilDone(running, id, (job) => job.done > done + rows)
    expect(seen.state).toBe('running')
    done = seen.done
    await running.kill()
    running = await startProduct(home)
  }
  return running
}

test('a bulk change of 100,000 vehicles changes each vehicle once, despite three kills with SIGKILL', async () => {
  let product = await startProduct(home)
  try {
    await addStock(VEHICLES)
    const dealer = { product, token: await signIn(product.address) }
    const filter = 'year >= 2014'
    const { id } = await call(dealer, vehicles.change, {
      selection: { all: true, filter },
      change: { status: 'hold', statusReason: 'Recall' },
    })
    product = await killDuring(product, { id, kills: KILLS, rows: VEHICLES / 10 })
    const job = await untilDone(product, id, () => false)
    expect(job).toMatchObject({ state: 'done', failures: 0, error: null })
    expect(job.done).toBe(job.total)
    expect(job.total).toBeGreaterThan(VEHICLES / 2)
    await asOwner(home, async (client) => {
      const { rows } = await client.query(
        `select count(*)::int as rows, count(*) filter (where v.status = 'hold' and v.status_reason = 'Recall')::int as held,
          count(distinct r.row_id)::int as vehicles, max(v.version - b.version) as changes
        from job_rows r join vehicles v on v.customer_id = r.customer_id and v.id = r.row_id
        join versions_before b on b.id = v.id where r.job_id = $1`,
        [id],
      )
      // Processing a vehicle twice would have changed it twice.
      expect(rows).toEqual([{ rows: job.total, held: job.total, vehicles: job.total, changes: 1 }])
    })
  } finally {
    await product.stop()
  }
})

test('10,000 prices are lowered once and restored once, despite kills of both', async () => {
  let product = await startProduct(home)
  try {
    await addStock(40_000)
    const selection = { all: true, filter: 'status == "live" && price > 9000' } as const
    const price = { action: 'lower', cents: 12_300 } as const
    const changed = (job: string) =>
      asOwner(home, async (client) => {
        const { rows } = await client.query(
          `select count(*)::int as vehicles, count(*) filter (where v.price_cents = b.price_cents - 12300)::int as lower,
            count(*) filter (where v.price_cents = b.price_cents and v.locked = b.locked)::int as same
          from job_rows r join vehicles v on v.customer_id = r.customer_id and v.id = r.row_id
          join versions_before b on b.id = v.id where r.job_id = $1`,
          [job],
        )
        return rows[0]
      })
    const dealer = { product, token: await signIn(product.address) }
    const preview = await call(dealer, vehicles.previewPrices, { selection, price })
    const { selected, lowered, seen } = preview
    expect(lowered).toBeGreaterThan(10_000)
    const failures = selected - lowered
    const { id } = await call(dealer, vehicles.change, {
      selection,
      change: { price, seen },
      confirmPrices: true,
    })
    product = await killDuring(product, { id, kills: 2, rows: selected / 10 })
    const done = await untilDone(product, id, () => false)
    expect(done).toMatchObject({ state: 'done', failures, total: selected })
    expect(await changed(id)).toEqual({ vehicles: selected, lower: lowered, same: failures })
    const session = { product, token: await signIn(product.address) }
    const undo = await call(session, jobs.undo, { id })
    product = await killDuring(product, { id: undo.id, kills: 1, rows: lowered / 10 })
    expect(await untilDone(product, undo.id, () => false)).toMatchObject({ state: 'done', failures: 0 })
    expect(await changed(id)).toEqual({ vehicles: selected, lower: 0, same: selected })
  } finally {
    await product.stop()
  }
})
