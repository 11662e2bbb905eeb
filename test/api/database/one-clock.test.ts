import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let began: Date
beforeAll(async () => {
  began = clock.date()
  forecourt = await testApp()
})
afterAll(async () => {
  await forecourt.close()
  clock.set(began)
})

const evaluate = async (text: string, values: string[] = []): Promise<unknown> => {
  const { rows } = await forecourt.appPool.query<{ answer: unknown }>(`select ${text} as answer`, values)
  return rows[0]?.answer
}

test.for(['2028-02-29T23:58:00Z', '2026-11-18T01:00:00Z', '2027-03-14T09:59:59Z', '2026-12-31T23:59:00Z'])(
  'at %s the server and the database agree on the time and on the date in every time zone',
  async (moment) => {
    clock.set(moment)
    for (const name of ['app_now()', 'app_clock_timestamp()']) {
      const time = Date.parse(String(await evaluate(name)))
      expect(Math.abs(time - clock.now())).toBeLessThan(30_000)
    }
    for (const zone of [
      'UTC',
      'America/Los_Angeles',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Auckland',
    ])
      expect([zone, await evaluate('today($1)', [zone])]).toEqual([zone, clock.today(zone)])
  },
)

test('open connections follow the clock when it moves, in both directions', async () => {
  const readDays = async () =>
    Promise.all([1, 2, 3, 4].map(async () => String(await evaluate('app_now()')).slice(0, 10)))
  clock.set('2026-11-18T15:00:00Z')
  expect(new Set(await readDays())).toEqual(new Set(['2026-11-18']))
  clock.set('2031-05-05T15:00:00Z')
  expect(new Set(await readDays())).toEqual(new Set(['2031-05-05']))
  clock.set('2019-01-02T15:00:00Z')
  expect(new Set(await readDays())).toEqual(new Set(['2019-01-02']))
})

test('no default, view, constraint or function of the product uses the system clock', async () => {
  const { rows } = await forecourt.owner.query<{ what: string }>(`
    with own as (select oid, nspname from pg_namespace
      where nspname not like 'pg\\_%' and nspname <> 'information_schema'),
    definitions (what, text) as (
      select c.relname || '.' || a.attname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
        join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
        where c.relnamespace in (select oid from own) and c.relname <> 'schema_migrations'
      union all select p.proname, p.prosrc from pg_proc p
        where p.pronamespace in (select oid from own) and p.proname not in ('app_now', 'app_clock_timestamp')
          and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
      union all select c.relname, pg_get_viewdef(c.oid) from pg_class c
        where c.relnamespace in (select oid from own) and c.relkind in ('v', 'm')
      union all select n.conname, pg_get_constraintdef(n.oid) from pg_constraint n
        where n.connamespace in (select oid from own)
      union all select p.polname, pg_get_expr(p.polqual, p.polrelid) from pg_policy p)
    select what from definitions
    where text ~* '(?<![a-z_.])(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\(\\)|\\m(current_date|current_time|current_timestamp|localtime|localtimestamp)\\M'`)
  expect(rows).toEqual([])
})
