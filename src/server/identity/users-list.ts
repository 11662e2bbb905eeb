import { sql, type SqlBool } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { User, users } from '#contract/identity/users.ts'
import { contains, orderBy } from '#server/database/paging.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { lockPeople } from './ceiling.ts'
import { personState } from './person-state.ts'

const sorts = {
  name: sql`lower(u.last_name || ' ' || u.first_name)`,
  userName: sql`u.user_name_key`,
  email: sql`u.email_key`,
  userTypeName: sql`t.name_key`,
  state: personState,
  lastSignInAt: sql`a.last_sign_in_at`,
  updatedAt: sql`u.updated_at`,
}

const searched = [
  sql`u.first_name || ' ' || u.last_name`,
  ...['u.user_name', 'u.email', 'u.job_title', 't.name'].map((column) => sql.ref(column)),
]

/** One page of the people in reach. The customer is named again, beside row level security, so that the index serves. */
export async function listUsers(db: Database, actor: Member, input: Received<typeof users.list>) {
  const { page, pageSize, search, sort = [{ field: 'name', descending: false }] } = input
  const isMatch = sql.join<SqlBool>(
    [
      sql`true`,
      ...(input.userTypeId === undefined ? [] : [sql`u.user_type_id = ${input.userTypeId}`]),
      ...(input.state === undefined ? [] : [sql`${personState} = ${input.state}`]),
      ...(input.organizationId === undefined
        ? []
        : [
            sql`exists (select from memberships m where m.customer_id = u.customer_id and m.user_id = u.id
              and m.organization_id = ${input.organizationId})`,
          ]),
      ...(search ? [contains(searched, search)] : []),
    ],
    sql` and `,
  )
  const [rows, counts] = await Promise.all([
    selectUsers(db, actor)
      .where(isMatch)
      .orderBy(orderBy(sort, sorts, sql`u.id`))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    usersOf(db, actor)
      .select((eb) => [eb.fn.countAll().filterWhere(isMatch).as('filtered'), eb.fn.countAll().as('total')])
      .executeTakeFirstOrThrow(),
  ])
  const locks = await lockPeople(db, actor, rows)
  return {
    filteredRows: Number(counts.filtered),
    totalRows: Number(counts.total),
    results: rows.map((row) => ({ ...row, lock: locks.get(row.id) ?? null })),
  }
}

/** @throws Failure 404 when the person is not there or out of reach. */
export async function readUser(db: Database, actor: Member, id: string): Promise<User> {
  const found = await selectUsers(db, actor).where('u.id', '=', id).executeTakeFirst()
  if (found === undefined) throw notFound('Person')
  return { ...found, lock: (await lockPeople(db, actor, [found])).get(id) ?? null }
}

function usersOf(db: Database, actor: Member) {
  return db
    .selectFrom('users as u')
    .innerJoin('userTypes as t', (join) =>
      join.onRef('t.customerId', '=', 'u.customerId').onRef('t.id', '=', 'u.userTypeId'),
    )
    .leftJoin('userAccess as a', (join) =>
      join.onRef('a.customerId', '=', 'u.customerId').onRef('a.userId', '=', 'u.id'),
    )
    .where('u.customerId', '=', actor.customerId)
}

function selectUsers(db: Database, actor: Member) {
  return usersOf(db, actor).select([
    'u.id',
    'u.userName',
    'u.firstName',
    'u.lastName',
    'u.email',
    'u.phone',
    'u.jobTitle',
    'u.userTypeId',
    't.name as userTypeName',
    't.reach',
    'u.isActive',
    'u.isSuper',
    personState.as('state'),
    sql<User['organizations']>`coalesce((
      select json_agg(json_build_object('id', o.id::text, 'name', o.name) order by o.name_key)
      from memberships m
      join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
      where m.customer_id = u.customer_id and m.user_id = u.id), '[]')`.as('organizations'),
    sql<number>`(select count(*)::int from user_permissions p
      where p.customer_id = u.customer_id and p.user_id = u.id)`.as('differences'),
    'a.lastSignInAt',
    'a.passwordMailAt',
    'u.version',
    'u.updatedAt',
    'u.updatedBy',
  ])
}
