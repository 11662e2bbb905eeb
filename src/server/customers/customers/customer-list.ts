import { sql } from 'kysely'
import { CUSTOMER_LIST } from '#contract/customers/customers/customer-list.ts'
import { customers, type Customer } from '#contract/customers/customers/customers.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { contains } from '#server/lists/contains.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, readPage } from '#server/lists/read-list.ts'

/** The columns of a customer, from `customers c` and its figures `f`. */
export const shown = sql`
  c.id, c.name, c.status, c.status_reason, c.status_changed_at, c.is_platform, c.time_zone, c.created_at, c.version,
  f.organizations, f.people, f.lots, f.last_sign_in_at,
  coalesce((select array_agg(w.domain order by w.domain) from white_labels w where w.customer_id = c.id), '{}') as domains`

const domains = sql`array(select w.domain from white_labels w where w.customer_id = c.id order by w.domain)`

/** All customers with their figures, for identity's connection: tenants can't see each other. */
export const customerSource: ListSource<keyof typeof CUSTOMER_LIST.fields> = {
  list: CUSTOMER_LIST,
  isAcrossCustomers: true,
  from: sql`customers c left join customer_totals() f on f.customer_id = c.id`,
  // Without figures, only the customers on the page are counted.
  table: sql`customers c`,
  within: () => sql`true`,
  id: sql`c.id`,
  title: sql`c.name`,
  fields: {
    name: { value: sql`c.name`, isNeverNull: true },
    status: { value: sql`c.status` },
    domains: { value: domains },
    people: { value: sql`f.people`, joins: 'value' },
    lots: { value: sql`f.lots`, joins: 'value' },
    organizations: { value: sql`f.organizations`, joins: 'value' },
    lastSignInAt: { value: sql`f.last_sign_in_at`, joins: 'value' },
    createdAt: { value: sql`c.created_at`, isNeverNull: true },
  },
  search: (text) => contains([sql`c.name`, sql`c.legal_name`, sql`array_to_string(${domains}, ' ')`], text),
}

/** Searched by name and legal name, on identity's connection. */
export const findableCustomers: FoundKind = {
  kind: 'customer',
  permission: customers.list.allow,
  source: { ...customerSource, from: sql`customers c` },
  about: sql`concat_ws(', ', nullif(c.status, 'active'), array_to_string(${domains}, ', '))`,
  path: (id) => `/customers?customer=${id}`,
}

/** One page of the platform's customers. */
export async function listCustomers(iam: Database, actor: Member, input: Received<typeof customers.list>) {
  const { ids, ...counts } = await readPage(iam, actor, customerSource, input)
  const { rows } = await sql<Customer>`select ${shown}
    from customer_figures(${ids}::bigint[]) f join customers c on c.id = f.customer_id`.execute(iam)
  return { ...counts, results: inOrder(ids, rows) }
}
