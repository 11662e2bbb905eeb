import { expect, test } from 'vitest'
import { openOwner } from '#server/database/connect.ts'
import { testApp } from '#test/app.ts'
import { freshDatabase } from '#test/engine/database.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

test('replacing twenty thousand records reads each one once, even with a plan cached for one record', async () => {
  const database = await freshDatabase()
  const forecourt = await testApp({}, { database })
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const { sourceId } = await ford.addRecord()
  const superuser = openOwner(database.superuser)
  await superuser.connect()
  const plans: string[] = []
  superuser.on('notice', ({ message = '' }) => plans.push(message))
  try {
    // The audit trigger runs once per row and isn't tested here.
    await superuser.query('alter table activity_records disable trigger audit')
    await superuser.query(
      `insert into activity_records (customer_id, organization_id, source_id, kind, quantity, unit, period_start, period_end)
      select customer_id, organization_id, source_id, kind, quantity, unit, period_start, period_end
      from activity_records, generate_series(1, 20000) where source_id = $1`,
      [sourceId],
    )
    await superuser.query('delete from stale_sources')
    await superuser.query(`load 'auto_explain'`)
    for (const [name, value] of [
      ['auto_explain.log_min_duration', '0'],
      ['auto_explain.log_analyze', 'on'],
      ['auto_explain.log_timing', 'off'],
      ['auto_explain.log_nested_statements', 'on'],
    ])
      await superuser.query('select set_config($1, $2, false)', [name, value])
    const replace = (limit: number) =>
      superuser.query(
        `update activity_records set replaced_at = app_now(), replaced_how = 'deleted' where (customer_id, id) in (
          select customer_id, id from activity_records where source_id = $1 and replaced_at is null limit $2)`,
        [sourceId, limit],
      )
    await replace(1)
    await superuser.query('set client_min_messages = log')
    await replace(20_000)
    await superuser.query('reset client_min_messages')
    const scans = plans.join('\n').match(/Named Tuplestore Scan .*/g) ?? []
    // Two scans for stale sources (old and new versions) and one for locked periods.
    expect(scans.length).toBeGreaterThanOrEqual(3)
    expect(scans.filter((line) => !line.includes('loops=1)'))).toEqual([])
    const { rows } = await superuser.query('select source_id from stale_sources')
    expect(rows).toEqual([{ source_id: sourceId }])
  } finally {
    await superuser.end()
    await forecourt.close()
  }
}, 120_000)
