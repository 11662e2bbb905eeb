import { sql } from 'kysely'
import type { customers, FoundUser } from '#contract/customers/customers/customers.ts'
import { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { userStatus } from '#server/identity/index.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

const fullName = sql<string>`u.first_name || ' ' || u.last_name`

/** Users of all customers, for identity's connection. */
export const foundSource: ListSource<keyof typeof FOUND_LIST.fields> = {
  list: FOUND_LIST,
  isAcrossCustomers: true,
  from: sql`users u left join customers c on c.id = u.customer_id
    left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id`,
  table: sql`users u`,
  within: () => sql`true`,
  id: sql`u.id`,
  title: fullName,
  fields: {
    fullName: { value: fullName, order: sql`lower(u.last_name || ' ' || u.first_name)`, isNeverNull: true },
    customerName: { value: sql`c.name`, joins: 'value' },
    email: { value: sql`u.email`, order: sql`u.email_key`, isNeverNull: true },
    state: { value: userStatus, joins: 'value' },
    lastSignInAt: { value: sql`a.last_sign_in_at`, joins: 'value' },
  },
  search: (text) => contains([sql`u.first_name`, sql`u.last_name`, sql`u.user_name`, sql`u.email`], text),
}
/**
 * Finds users for support: who they are and whether they can sign in, nothing about their work. Returns no users without a
 * search, so that the whole platform is never listed.
 */
export async function findUsers(iam: Database, actor: Member, input: Received<typeof customers.findUsers>) {
  const isSearched = Boolean(input.search?.trim())
  const page = isSearched ? input : { ...input, page: 1, pageSize: 1 }
  const { ids, ...counts } = await readPage(iam, actor, foundSource, page)
  if (!isSearched) return { ...counts, filteredRows: 0, results: [] }
  const { rows } = await sql<FoundUser>`
    select u.id, c.id as customer_id, c.name as customer_name, ${fullName} as full_name, u.user_name, u.email,
      a.last_sign_in_at, ${userStatus} as state
    from ${foundSource.from} where ${isOneOf(foundSource, ids)}`.execute(iam)
  return { ...counts, results: inOrder(ids, rows) }
}
