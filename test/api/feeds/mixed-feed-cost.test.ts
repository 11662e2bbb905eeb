// @module-tag release
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/tenant-transaction.ts'
import { applyRun } from '#server/feeds/runs/apply-run.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'

/** New rows that precede the known ones in the file: many more than a batch reads. */
const NEW_ROWS = 6_000
const KNOWN_ROWS = 200

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A run being applied: first its new rows, then unchanged rows of known vehicles. */
async function mixedRun(): Promise<string> {
  const lot = await ford.addLot()
  // A run that is halfway applied: with SQL, like its thousands of rows.
  const run = await ford.insert(
    `insert into feed_runs (customer_id, organization_id, file_name, status, row_count)
    values ($1, $2, 'feed.csv', 'applying', 1) returning id`,
    [ford.customerId, ford.organizationId],
  )
  const ofRun = [ford.customerId, ford.organizationId, run, lot]
  await forecourt.owner.query(
    `insert into feed_run_rows (customer_id, organization_id, run_id, lot_id, kind, line)
      select $1, $2, $3, $4, 'new', n from generate_series(1, ${NEW_ROWS}) n`,
    ofRun,
  )
  await forecourt.owner.query(
    `insert into feed_run_rows (customer_id, organization_id, run_id, lot_id, kind, line, vehicle_id)
      select $1, $2, $3, $4, 'same', 7, v.id from vehicles v where v.customer_id = $1 and v.organization_id = $2 and v.status = 'live'
      order by v.id limit ${KNOWN_ROWS}`,
    ofRun,
  )
  return run
}

/** Index entries and table rows of staged rows that this connection has read. */
async function readsSoFar(db: Database): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as reads from (
      select 'feed_run_rows'::regclass::oid as oid
      union all select indexrelid from pg_index where indrelid = 'feed_run_rows'::regclass) r`.execute(db)
  return rows[0]?.reads ?? 0
}

test('writes known vehicles without scanning the new rows', async () => {
  const run = await mixedRun()
  const reads: number[] = []
  const applying = applyRun(
    {
      actor: { ...ford, reach: 'customer', may: () => true, timeZone: 'UTC', fullName: 'Test' },
      tell: async () => {},
      step: async (work) => {
        // Three steps: read the run, count its rows, write the first batch.
        if (reads.length === 3) throw new Error('Stop after three steps.')
        return inTenantOf(forecourt, ford, async (db) => {
          const before = await readsSoFar(db)
          const result = await work(db)
          reads.push((await readsSoFar(db)) - before)
          return result
        })
      },
    },
    run,
  )
  await expect(applying).rejects.toThrow('Stop after three steps.')
  const { rows } = await forecourt.owner.query<{ kind: string; rows: number }>(
    `select kind, count(*)::int as rows from feed_run_rows where run_id = $1 and state = 'applied' group by kind`,
    [run],
  )
  expect(rows).toEqual([{ kind: 'same', rows: KNOWN_ROWS }])
  expect(reads[2]).toBeLessThan(NEW_ROWS / 2)
})
