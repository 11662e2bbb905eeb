import { sql } from 'kysely'
import type { Change } from '#contract/home/dashboard.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

const MAX_CHANGES = 10

type Kind = { label: string; permission: Permission; url: ((id: string) => string) | null }

/** The tables whose changes the dashboard shows, each with the permission to list them. */
const kinds: Readonly<Record<string, Kind>> = {
  lots: { label: 'lot', permission: lots.list.allow, url: (id) => `/customers/lots?lot=${id}` },
  organizations: { label: 'organization', permission: organizations.list.allow, url: null },
  users: { label: 'user', permission: users.list.allow, url: (id) => `/administration/users/${id}` },
  user_types: {
    label: 'user type',
    permission: userTypes.list.allow,
    url: (id) => `/administration/user-types?type=${id}`,
  },
  customers: {
    label: 'customer details',
    permission: customerDetails.get.allow,
    url: () => '/customers/details',
  },
}
const actions = { insert: 'added', update: 'changed', delete: 'deleted' } as const

type Row = {
  id: string
  at: string
  actorName: string | null
  effectiveName: string | null
  operation: keyof typeof actions
  tableName: string
  rowId: string
  subject: string | null
  isThere: boolean
}

/** The newest audit entries within the caller's reach, which row-level security enforces. */
export async function latestChanges(db: Database, actor: Member): Promise<Change[]> {
  const visible = Object.entries(kinds).flatMap(([table, { permission }]) =>
    actor.may(permission) ? [table] : [],
  )
  if (visible.length === 0) return []
  const { rows } = await sql<Row>`
    select a.id, a.at, a.actor_name, a.effective_name, a.operation, a.table_name, a.row_id,
      coalesce(a.after ->> 'name', a.before ->> 'name', a.after ->> 'user_name', a.before ->> 'user_name') as subject,
      not exists (select from audit_log d where d.customer_id = a.customer_id and d.table_name = a.table_name
        and d.row_id = a.row_id and d.operation = 'delete') as is_there
    from audit_log a
    where a.customer_id = ${actor.customerId} and a.operation <> 'event' and a.table_name = any(${visible})
    order by a.at desc, a.id desc limit ${MAX_CHANGES}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    actor: row.actorName,
    onBehalfOf: row.effectiveName,
    action: actions[row.operation],
    kind: kinds[row.tableName]?.label ?? row.tableName,
    subject: row.subject ?? row.rowId,
    url: row.isThere ? (kinds[row.tableName]?.url?.(row.rowId) ?? null) : null,
  }))
}
