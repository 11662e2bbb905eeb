// @module-tag release
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { receiveLead } from '#server/leads/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const STORED = 4_000

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** The rows of each table that are read for one new lead of someone new. It is stored. */
async function readsOfNewLead(visitor: string): Promise<Map<string, number>> {
  return inTenant(forecourt.appPool, systemScope(ford.customerId, 'leads.test'), async (db) => {
    const before = await readsSoFar(db)
    await receiveLead(db, {
      organizationId: ford.organizationId,
      type: 'general',
      sourceKind: 'manual',
      sourceName: 'Phone',
      person: { name: visitor, email: `${visitor}@people.example`, phone: '+12025550143' },
    })
    const after = await readsSoFar(db)
    return new Map([...after].map(([name, reads]) => [name, reads - (before.get(name) ?? 0)]))
  })
}

/** The rows this transaction has read, by table, with its indexes. */
async function readsSoFar(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; reads: number }>`
    select t.relname as name, sum(pg_stat_get_xact_tuples_returned(r.oid))::int as reads from pg_class t
    cross join lateral (select t.oid union all select i.indexrelid from pg_index i where i.indrelid = t.oid) r (oid)
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace group by t.oid, t.relname`.execute(db)
  return new Map(rows.map(({ name, reads }) => [name, reads]))
}

async function addLeads(): Promise<void> {
  await forecourt.owner.query(
    `with buyers as (insert into people (customer_id, organization_id, name, email, phone)
      select $1, $2, 'Many Person ' || n, 'many' || n || '@people.example', '+1202556' || n from generate_series(1, $3::int) n returning id, email),
    contacts as (insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key)
      select $1, $2, id, 'email', email, email from buyers),
    sources as (insert into lead_sources (customer_id, organization_id, content_type, raw, from_email)
      select $1, $2, 'text/plain', 'Hello', 'portal@people.example' from generate_series(1, $3::int) returning id)
    insert into leads (customer_id, organization_id, person_id, type, source_kind, source_name, status, source_id)
      select $1, $2, b.id, 'general', 'manual', 'Phone', 'routed', s.id from (select id, row_number() over () as n from buyers) b
      join (select id, row_number() over () as n from sources) s using (n)`,
    [ford.customerId, ford.organizationId, STORED],
  )
}

test('a new lead reads no more rows where many leads are stored, before and after PostgreSQL has statistics', async () => {
  await readsOfNewLead('Ann')
  const few = await readsOfNewLead('Bob')
  await addLeads()
  const unknown = await readsOfNewLead('Cid')
  await forecourt.owner.query('analyze')
  const known = await readsOfNewLead('Dot')
  const grown = (reads: Map<string, number>) =>
    [...reads].filter(([name, count]) => count > (few.get(name) ?? 0) + 100)
  expect({ unknown: grown(unknown), known: grown(known) }).toEqual({ unknown: [], known: [] })
})
