import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { type User, USER_LIST, userRecord, users } from '#contract/identity/users/users.ts'
import type { UserType } from '#contract/identity/user-types/user-types.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { lockUsers } from '../user-types/grant-limits.ts'
import { userStatus } from './user-status.ts'

const ownMemberships = sql`memberships m where m.customer_id = u.customer_id and m.user_id = u.id`
const differences = sql<number>`(select count(*)::int from user_permissions p
  where p.customer_id = u.customer_id and p.user_id = u.id)`

/** Over `users u` with `user_types t` and `user_access a`. */
const userColumns = columnMap(
  userRecord,
  'users',
  {
    id: 'id',
    userTypeId: 'id',
    userTypeName: sql`t.name`,
    state: userStatus,
    organizations: sql`coalesce((
      select json_agg(json_build_object('id', o.id::text, 'name', o.name) order by o.name_key)
      from memberships m
      join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
      where m.customer_id = u.customer_id and m.user_id = u.id), '[]')`,
    differences,
    lastSignInAt: sql`a.last_sign_in_at`,
    passwordMailAt: sql`a.password_mail_at`,
    authenticatorAt: sql`a.authenticator_at`,
    // Depends on the actor's permissions: `readUsers` adds it.
    lock: sql`null`,
  },
  'u',
)

/** Users with their types and last sign-in. */
export const userSource: ListSource<keyof typeof USER_LIST.fields> = {
  list: USER_LIST,
  from: sql`users u left join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id`,
  table: sql`users u`,
  within: (actor) => sql`u.customer_id = ${actor.customerId}`,
  id: sql`u.id`,
  title: sql`u.first_name || ' ' || u.last_name`,
  fields: userColumns.listFields(USER_LIST, {
    name: {
      value: sql`u.first_name || ' ' || u.last_name`,
      // The same expression as the index.
      order: sql`lower(u.last_name || ' ' || u.first_name)`,
      isNeverNull: true,
    },
    userName: { order: sql`u.user_name_key`, isNeverNull: true },
    email: { order: sql`u.email_key`, isNeverNull: true },
    userTypeId: { shown: sql`t.name`, order: sql`t.name_key`, joins: 'order' },
    organizationIds: {
      value: sql`array(select m.organization_id from ${ownMemberships})`,
      shown: sql`array(select o.name from organizations o where (o.customer_id, o.id) in
        (select m.customer_id, m.organization_id from ${ownMemberships}) order by o.name_key)`,
    },
    state: { value: userStatus, joins: 'value' },
    differences: { value: differences },
    lastSignInAt: { value: sql`a.last_sign_in_at`, joins: 'value' },
    updatedAt: { isNeverNull: true },
  }),
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
  return { ...counts, results: await readUsers(db, actor, ids) }
}

/** @throws Failure 404 if the user doesn't exist or isn't accessible. */
export async function readUser(db: Database, actor: Member, id: string): Promise<User> {
  const [user] = await readUsers(db, actor, [id])
  if (user === undefined) throw notFound('User')
  return user
}

async function readUsers(db: Database, actor: Member, ids: readonly string[]): Promise<User[]> {
  const { rows } = await sql<User & { reach: UserType['reach'] }>`
    select ${userColumns.select}, t.reach from ${userSource.from}
    where ${userSource.within(actor)} and ${isOneOf(userSource, ids)}`.execute(db)
  const locks = await lockUsers(db, actor, rows)
  return inOrder(ids, rows).map((row) => ({ ...row, lock: locks.get(row.id) ?? null }))
}
