import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { USER_TYPE_LIST } from '#contract/identity/user-types/user-type-list.ts'
import type { UserType, userTypes } from '#contract/identity/user-types/user-types.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { grantsAbove, isInPlatform, reachesCustomer } from './grant-limits.ts'
import { holdable, nameSome } from './permission-sets.ts'
import { readManagedTypes } from './read-tree.ts'

type Row = Omit<UserType, 'lock'>

const column = (name: string) => ({ value: sql.ref(name) })
const people = sql<number>`(select count(*)::int from users u
  where u.customer_id = t.customer_id and u.user_type_id = t.id)`
const permissions = sql<number>`(select count(*)::int from user_type_permissions p
  where p.customer_id = t.customer_id and p.user_type_id = t.id)`

/** User types with their parent types. */
export const userTypeSource: ListSource<keyof typeof USER_TYPE_LIST.fields> = {
  list: USER_TYPE_LIST,
  from: sql`user_types t left join user_types parent
    on parent.customer_id = t.customer_id and parent.id = t.parent_id`,
  table: sql`user_types t`,
  within: (actor) => sql`t.customer_id = ${actor.customerId}`,
  id: sql`t.id`,
  title: sql`t.name`,
  fields: {
    name: { ...column('t.name'), order: sql`t.name_key`, isNeverNull: true },
    parentId: {
      ...column('t.parent_id'),
      shown: sql`parent.name`,
      order: sql`parent.name_key`,
      joins: 'order',
    },
    reach: column('t.reach'),
    people: { value: people },
    permissions: { value: permissions },
    updatedAt: { ...column('t.updated_at'), isNeverNull: true },
    updatedBy: column('t.updated_by'),
  },
  searchJoins: true,
  search: (text) => contains([sql.ref('t.name'), sql.ref('parent.name')], text),
}

/** One page of the customer's user types. */
export async function listUserTypes(db: Database, actor: Member, input: Received<typeof userTypes.list>) {
  const { ids, ...counts } = await readPage(db, actor, userTypeSource, input)
  const rows = inOrder(ids, await selectTypes(db, actor).where(isOneOf(userTypeSource, ids)).execute())
  return { ...counts, results: await withLocks(db, actor, rows) }
}

/** @throws Failure 404 if the customer has no such type. */
export async function readUserType(db: Database, actor: Member, id: string): Promise<UserType> {
  const rows = await selectTypes(db, actor).where('t.id', '=', id).execute()
  const [type] = await withLocks(db, actor, rows)
  if (type === undefined) throw notFound('User type')
  return type
}

/** All types of the customer. There are only dozens, so the tree is walked here and not in SQL. */
export async function readAllTypes(db: Database, actor: Member): Promise<UserType[]> {
  return withLocks(db, actor, await selectTypes(db, actor).execute())
}

/** The permissions a type grants, without those that users there can't have. */
export async function readGrants(db: Database, actor: Member, typeId: string): Promise<Permission[]> {
  const rows = await db
    .selectFrom('userTypePermissions')
    .select(['func', 'opr'])
    .where('customerId', '=', actor.customerId)
    .where('userTypeId', '=', typeId)
    .orderBy('func')
    .orderBy('opr')
    .execute()
  return holdable(rows, isInPlatform(actor))
}

function selectTypes(db: Database, actor: Member) {
  return db
    .selectFrom('userTypes as t')
    .leftJoin('userTypes as parent', (join) =>
      join.onRef('parent.customerId', '=', 't.customerId').onRef('parent.id', '=', 't.parentId'),
    )
    .where('t.customerId', '=', actor.customerId)
    .select([
      't.id',
      't.name',
      't.parentId',
      'parent.name as parentName',
      't.reach',
      't.requiresSecondFactor',
      people.as('people'),
      permissions.as('permissions'),
      sql<string[]>`array(select v.name from list_views v
        where v.customer_id = t.customer_id and v.user_type_id = t.id order by v.name)`.as('sharedViews'),
      't.version',
      't.updatedAt',
      't.updatedBy',
    ])
}

async function withLocks(db: Database, actor: Member, rows: readonly Row[]): Promise<UserType[]> {
  if (rows.length === 0) return []
  const [below, above] = await Promise.all([readManagedTypes(db, actor), grantsAbove(db, actor)])
  return rows.map((row) => ({ ...row, lock: reasonToLock(actor, row, below, above.get(row.id) ?? []) }))
}

function reasonToLock(
  actor: Member,
  type: Pick<Row, 'id' | 'reach'>,
  below: ReadonlySet<string> | null,
  above: readonly Permission[],
): string | null {
  if (type.id === actor.userTypeId)
    return "You can't change your own user type. Ask someone with a higher user type."
  if (below !== null && !below.has(type.id)) return "This user type isn't below your own."
  if (type.reach === 'customer' && !reachesCustomer(actor)) {
    return 'This user type covers all organizations. Yours covers one.'
  }
  return above.length > 0 ? `This user type grants permissions you don't have: ${nameSome(above)}.` : null
}
