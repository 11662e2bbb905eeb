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

test('a bulk change of 100,000 vehicles changes each vehicle once, despite three kills with SIGKILL', async () => {
  let product = await startProduct(home)
  try {
    await asOwner(home, async (client) => {
      await withoutIndexes(client, 'vehicles', () =>
        addVehicles(
          client,
          `select l.customer_id, l.organization_id, l.id as lot_id, ${VEHICLES} as vehicles from lots l where l.code = 'NGF'`,
        ),
      )
      // The vehicles of the demo data already have various versions.
      await client.query('create table versions_before as select id, version from vehicles')
    })
    const dealer = { product, token: await signIn(product.address) }
    const filter = 'year >= 2014'
    const { id } = await call(dealer, vehicles.change, {
      selection: { all: true, filter },
      change: { status: 'hold', statusReason: 'Recall' },
    })
    let done = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const seen = await untilDone(product, id, (job) => job.done > done + VEHICLES / 10)
      expect(seen.state).toBe('running')
      done = seen.done
      await product.kill()
      product = await startProduct(home)
    }
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
