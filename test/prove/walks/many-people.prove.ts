import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { kyselyOver } from '#server/database/tenant-transaction.ts'
import { readSession } from '#server/identity/sessions/sessions.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { sessionIdOf } from '#test/factories/identity/sessions.ts'

const MANY = 5_000

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
  const { owner } = forecourt
  await owner.query(
    `with place as (select o.customer_id, o.id, t.id as type from organizations o
        join user_types t on t.customer_id = o.customer_id and t.name = 'Dealer user' where o.name = 'Northgate Ford'),
      made as (
        insert into users (customer_id, user_type_id, user_name, email, first_name, last_name)
        select customer_id, type, 'many.' || n, 'many.' || n || '@northgate.example', 'Many', 'Person ' || n
        from place, generate_series(1, ${MANY}) n returning customer_id, id)
    insert into memberships (customer_id, user_id, organization_id)
    select made.customer_id, made.id, place.id from made, place`,
  )
  await owner.query('analyze')
}, 60_000)
afterAll(() => forecourt.close())

type Plan = { 'Rows Removed by Filter'?: number; 'Rows Removed by Join Filter'?: number; Plans?: Plan[] }

/** How many rows a plan read and discarded, over all loops. */
function wasted(plan: Plan): number {
  const own = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)
  return (plan.Plans ?? []).reduce((sum, below) => sum + wasted(below), own)
}

test('every index on memberships identifies a single row', async () => {
  const { rows } = await forecourt.owner.query<{ columns: string[] }>(
    `select array(select a.attname::text from unnest(i.indkey::int[]) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by place) as columns
      from pg_index i where i.indrelid = 'memberships'::regclass`,
  )
  const whole = ['customer_id', 'organization_id', 'user_id']
  expect(rows.map(({ columns }) => columns.toSorted())).toEqual(rows.map(() => whole))
})

test('reading the session does not get slower with the number of members', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const plans: Plan[] = []
  const explaining = kyselyOver(async ({ sql, parameters }) => {
    const answer = await forecourt.owner.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    )
    plans.push(...(answer.rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan: plan }) => plan))
    return { ...answer, rows: [] }
  })
  await readSession(explaining, sessionIdOf(dealer))
  expect(plans).toHaveLength(1)
  expect(plans.reduce((sum, plan) => sum + wasted(plan), 0)).toBeLessThan(100)
})

test('lists thousands of users with their statuses, locks and counts', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { filteredRows, totalRows, results } = await admin.call(users.list, { search: 'Person 49', page: 2 })
  expect([filteredRows, results.length]).toEqual([111, 50])
  expect(totalRows).toBeGreaterThan(MANY)
})
