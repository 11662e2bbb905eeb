import { sql } from 'kysely'
import type { customers, FoundPerson } from '#contract/customers/customers.ts'
import type { Received } from '#contract/endpoint.ts'
import { contains, orderBy } from '#server/database/paging.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { personState } from '#server/identity/index.ts'

const sorts = {
  fullName: sql`lower(u.last_name || ' ' || u.first_name)`,
  customerName: sql`lower(c.name)`,
  email: sql`u.email_key`,
  lastSignInAt: sql`a.last_sign_in_at`,
}

const searched = [sql`u.first_name`, sql`u.last_name`, sql`u.user_name`, sql`u.email`]

/**
 * People of every customer, for support: who they are and whether they can come in, nothing of what they work on.
 * Without a search it answers nobody, so that the whole platform is never on one screen.
 */
export async function findPeople(iam: Database, input: Received<typeof customers.findPeople>) {
  const { page, pageSize, sort = [{ field: 'fullName', descending: false }] } = input
  const search = input.search?.trim() ?? ''
  const isMatch = search === '' ? sql`false` : contains(searched, search)
  const [{ rows: results }, { rows: counts }] = await Promise.all([
    sql<FoundPerson>`
      select u.id, c.id as customer_id, c.name as customer_name, u.first_name || ' ' || u.last_name as full_name,
        u.user_name, u.email, a.last_sign_in_at,
        ${personState} as state
      from users u join customers c on c.id = u.customer_id
      left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id
      where ${isMatch} order by ${orderBy(sort, sorts, sql`u.id`)}
      limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(iam),
    sql<{ filtered: number; total: number }>`
      select (count(*) filter (where ${isMatch}))::int as filtered, count(*)::int as total from users u`.execute(
      iam,
    ),
  ])
  return { filteredRows: counts[0]?.filtered ?? 0, totalRows: counts[0]?.total ?? 0, results }
}
