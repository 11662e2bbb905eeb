import { sql } from 'kysely'
import { AUDIT_LIST } from '#contract/administration/audit-list.ts'
import type { AuditEntry, auditLog } from '#contract/administration/audit-log.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { changesOf, type Image } from './audit-changes.ts'

const image = sql`coalesce(a.after, a.before)`
/** The event, or the row's name at the time. */
const what = sql<string>`coalesce(a.after ->> 'event', ${image} ->> 'name',
  nullif(concat_ws(' ', ${image} ->> 'first_name', ${image} ->> 'last_name'), ''), ${image} ->> 'title',
  ${image} ->> 'subject', nullif(concat_ws(' ', ${image} ->> 'year', ${image} ->> 'make', ${image} ->> 'model'), ''),
  ${image} ->> 'domain', ${image} ->> 'key', ${image} ->> 'email', a.row_id)`

/** The audit log without row values, which are read one entry at a time. */
export const auditSource: ListSource<keyof typeof AUDIT_LIST.fields> = {
  list: AUDIT_LIST,
  from: sql`audit_log a`,
  within: (actor) => sql`a.customer_id = ${actor.customerId}`,
  id: sql`a.id`,
  title: what,
  fields: {
    what: { value: what, isNeverNull: true },
    at: { value: sql`a.at`, isNeverNull: true },
    actor: { value: sql`a.actor_name` },
    effective: { value: sql`a.effective_name` },
    operation: { value: sql`a.operation`, isNeverNull: true },
    kind: { value: sql`a.table_name`, isNeverNull: true },
    rowId: { value: sql`a.row_id`, isNeverNull: true },
    call: { value: sql`a.endpoint` },
  },
  search: (text) =>
    contains([sql`a.actor_name`, sql`a.effective_name`, what, sql`a.row_id`, sql`a.endpoint`], text),
}

const shown = sql`a.id, a.at, a.actor_name as actor, a.effective_name as effective, a.operation, a.table_name as kind,
  a.row_id, ${what} as what, a.endpoint as call`

type OpenRow = AuditEntry & { before: Image; after: Image; organizationName: string | null }

/** Audit log entries within the caller's reach. */
export const auditHandlers: Handlers<typeof auditLog> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, auditSource, input)
    const { rows } = await sql<AuditEntry>`
      select ${shown} from audit_log a
      where a.customer_id = ${actor.customerId} and ${isOneOf(auditSource, ids)}`.execute(db)
    return { ...counts, results: inOrder(ids, rows) }
  },

  async get({ db, actor, input }) {
    const { before, after, ...entry } = await readEntry(db, actor, input.id)
    return { ...entry, changes: changesOf({ table: entry.kind, before, after, may: actor.may }) }
  },
}

async function readEntry(db: Database, actor: Member, id: string): Promise<OpenRow> {
  const { rows } = await sql<OpenRow>`
    select ${shown}, a.before, a.after, o.name as organization_name
    from audit_log a left join organizations o on o.customer_id = a.customer_id and o.id = a.organization_id
    where a.customer_id = ${actor.customerId} and a.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Entry')
  return found
}
