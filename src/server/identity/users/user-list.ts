import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { USER_LIST } from '#contract/identity/users/user-list.ts'
import { users, type User } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { lockUsers } from '../user-types/grant-limits.ts'
import { userStatus } from './user-status.ts'

const column = (name: string) => ({ value: sql.ref(name) })
const ownMemberships = sql`memberships m where m.customer_id = u.customer_id and m.user_id = u.id`
const differences = sql<number>`(select count(*)::int from user_permissions p
  where p.customer_id = u.customer_id and p.user_id = u.id)`

/** Users with their types and last sign-in. */
export const userSource: ListSource<keyof typeof USER_LIST.fields> = {
  list: USER_LIST,
  from: sql`users u left join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id`,
  table: sql`users u`,
  within: (actor) => sql`u.customer_id = ${actor.customerId}`,
  id: sql`u.id`,
  title: sql`u.first_name || ' ' || u.last_name`,
  fields: {
    name: {
      value: sql`u.first_name || ' ' || u.last_name`,
      // The same expression as the index.
      order: sql`lower(u.last_name || ' ' || u.first_name)`,
      isNeverNull: true,
    },
    userName: { ...column('u.user_name'), order: sql`u.user_name_key`, isNeverNull: true },
    email: { ...column('u.email'), order: sql`u.email_key`, isNeverNull: true },
    phone: column('u.phone'),
    jobTitle: column('u.job_title'),
    userTypeId: { ...column('u.user_type_id'), shown: sql`t.name`, order: sql`t.name_key`, joins: 'order' },
    organizationIds: {
      value: sql`array(select m.organization_id from ${ownMemberships})`,
      shown: sql`array(select o.name from organizations o where (o.customer_id, o.id) in
        (select m.customer_id, m.organization_id from ${ownMemberships}) order by o.name_key)`,
    },
    state: { value: userStatus, joins: 'value' },
    isSuper: column('u.is_super'),
    differences: { value: differences },
    lastSignInAt: { ...column('a.last_sign_in_at'), joins: 'value' },
    updatedAt: { ...column('u.updated_at'), isNeverNull: true },
  },
  searchJoins: true,
  search: (text) =>
    contains(
      [
        sql`u.first_name || ' ' || u.last_name`,
        ...['u.user_name', 'u.email', 'u.job_title', 't.name'].map((name) => sql.ref(name)),
      ],
      text,
    ),
}

/** Users in the global search, found by name, user name and email. */
export const findableUsers: FoundKind = {
  kind: 'person',
  permission: users.list.allow,
  source: userSource,
  about: sql`concat_ws(', ', t.name, u.email)`,
  path: (id) => `/administration/users/${id}`,
}

/** One page of the users the caller can access, each with the reason if the caller can't change them. */
export async function listUsers(db: Database, actor: Member, input: Received<typeof users.list>) {
  const { ids, ...counts } = await readPage(db, actor, userSource, input)
  const rows = inOrder(ids, await selectUsers(db, actor).where(isOneOf(userSource, ids)).execute())
  const locks = await lockUsers(db, actor, rows)
  return { ...counts, results: rows.map((row) => ({ ...row, lock: locks.get(row.id) ?? null })) }
}

/** @throws Failure 404 if the user doesn't exist or isn't accessible. */
export async function readUser(db: Database, actor: Member, id: string): Promise<User> {
  const found = await selectUsers(db, actor).where('u.id', '=', id).executeTakeFirst()
  if (found === undefined) throw notFound('User')
  return { ...found, lock: (await lockUsers(db, actor, [found])).get(id) ?? null }
}

function selectUsers(db: Database, actor: Member) {
  return db
    .selectFrom('users as u')
    .innerJoin('userTypes as t', (join) =>
      join.onRef('t.customerId', '=', 'u.customerId').onRef('t.id', '=', 'u.userTypeId'),
    )
    .leftJoin('userAccess as a', (join) =>
      join.onRef('a.customerId', '=', 'u.customerId').onRef('a.userId', '=', 'u.id'),
    )
    .where('u.customerId', '=', actor.customerId)
    .select([
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
      userStatus.as('state'),
      sql<User['organizations']>`coalesce((
      select json_agg(json_build_object('id', o.id::text, 'name', o.name) order by o.name_key)
      from memberships m
      join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
      where m.customer_id = u.customer_id and m.user_id = u.id), '[]')`.as('organizations'),
      differences.as('differences'),
      'a.lastSignInAt',
      'a.passwordMailAt',
      'a.authenticatorAt',
      'u.version',
      'u.updatedAt',
      'u.updatedBy',
    ])
}
