import { capitalize } from '#contract/capitalize.ts'
import { sql } from 'kysely'
import type { Activity } from '#contract/identity/users/users.ts'
import { permissionText } from '#contract/permission-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

const MOST = 50
/** One save may write many rows, which are shown as one. */
const MAX_ROWS = 1_000

const FIELD_NAMES: Readonly<Record<string, string>> = {
  user_name: 'user name',
  first_name: 'first name',
  last_name: 'last name',
  email: 'email',
  phone: 'phone',
  job_title: 'job title',
  user_type_id: 'user type',
}

type Image = Record<string, unknown> | null
type Row = {
  at: string
  by: string | null
  operation: 'insert' | 'update' | 'delete' | 'event'
  tableName: string
  before: Image
  after: Image
  organizationName: string | null
}

/** A user's changes as sentences, newest first. Row level security leaves out those the actor may not see. */
export async function readActivity(db: Database, actor: Member, userId: string): Promise<Activity[]> {
  // Keys that start with the user's ID and a slash, as a range of the index in byte order.
  const isBelow = sql`row_id ~>=~ ${`${userId}/`} and row_id ~<~ ${`${userId}0`}`
  const { rows } = await sql<Row>`
    select a.at, concat_ws(' as ', a.actor_name, a.effective_name) as by, a.operation, a.table_name, a.before, a.after,
      o.name as organization_name
    from (
      select * from audit_log where customer_id = ${actor.customerId} and table_name = 'users' and row_id = ${userId}
      union all
      select * from audit_log where customer_id = ${actor.customerId} and table_name = 'user_permissions' and ${isBelow}
      union all
      select * from audit_log where customer_id = ${actor.customerId} and table_name = 'memberships' and ${isBelow}
    ) a
    left join organizations o on a.table_name = 'memberships' and o.customer_id = a.customer_id
      and o.id = (coalesce(a.after, a.before) ->> 'organization_id')::bigint
    order by a.at desc, a.id desc limit ${MAX_ROWS}`.execute(db)
  const saves = Map.groupBy(rows, ({ at, by }) => `${at} ${by}`)
  return [...saves.values()].flatMap(describeSave).slice(0, MOST)
}

/** The sentences of one save: everything at the same moment by the same user. */
function describeSave(rows: readonly Row[]): Activity[] {
  const [first] = rows
  if (first === undefined) return []
  const isNew = rows.some(({ tableName, operation }) => tableName === 'users' && operation === 'insert')
  const kinds = Map.groupBy(
    rows.flatMap((row) => describeRow(row)),
    ({ verb }) => verb,
  )
  const sentences = [...kinds].map(([verb, lines]) =>
    sentenceOf(
      verb,
      lines.flatMap(({ what }) => what),
    ),
  )
  // The initial memberships are part of being added.
  const shown = isNew ? sentences.filter((sentence) => !sentence.startsWith('Joined ')) : sentences
  return shown.map((what) => ({ at: first.at, by: first.by, what }))
}

type ActivityLine = { verb: string; what: string[] }

function describeRow(row: Row): ActivityLine[] {
  if (row.tableName === 'memberships') {
    const name = row.organizationName ?? 'an organization'
    return [{ verb: row.operation === 'insert' ? 'Joined' : 'Left', what: [name] }]
  }
  if (row.tableName === 'user_permissions') return [describeOverride(row)]
  if (row.operation === 'event') return [{ verb: capitalize(textOf(row.after?.event)), what: [] }]
  if (row.operation === 'insert') return [{ verb: 'Added', what: [] }]
  return describeChange(row.before, row.after)
}

function describeOverride({ operation, before, after }: Row): ActivityLine {
  const image = after ?? before
  const what = [permissionText({ func: Number(image?.func), opr: Number(image?.opr) })]
  const isAllowed = image?.is_allowed === true
  if (operation === 'delete') return { verb: isAllowed ? 'Removed' : 'Restored', what }
  return { verb: isAllowed ? 'Allowed' : 'Denied', what }
}

function describeChange(before: Image, after: Image): ActivityLine[] {
  const isChanged = (field: string) => before?.[field] !== after?.[field]
  const changed = Object.entries(FIELD_NAMES).flatMap(([field, word]) => (isChanged(field) ? [word] : []))
  return [
    ...(changed.length > 0 ? [{ verb: 'Changed', what: changed }] : []),
    ...(isChanged('is_active')
      ? [{ verb: after?.is_active === true ? 'Activated' : 'Deactivated', what: [] }]
      : []),
    ...(isChanged('is_super')
      ? [{ verb: after?.is_super === true ? 'Made a super user' : 'Removed as super user', what: [] }]
      : []),
  ]
}

const MOST_NAMED = 3

/** "Changed email and phone", "Allowed Lots, delete; Lots, export and 4 more". */
function sentenceOf(verb: string, what: readonly string[]): string {
  if (what.length === 0) return verb
  if (verb === 'Changed') return `${verb} ${listed(what)}`
  const named = what.slice(0, MOST_NAMED).join('; ')
  return what.length > MOST_NAMED
    ? `${verb} ${named} and ${what.length - MOST_NAMED} more`
    : `${verb} ${named}`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
