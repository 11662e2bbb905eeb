import { type RawBuilder, sql } from 'kysely'
import { AUDIT_KINDS, AUDIT_LIST } from '#contract/administration/audit-list.ts'
import type { AuditEntry, auditLog } from '#contract/administration/audit-log.ts'
import { readsBuyers } from '#contract/leads/people/reads-buyers.ts'
import { Func, Opr } from '#contract/permissions.ts'
import { functionTitle, RESERVED_FUNCTIONS } from '#contract/permission-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { ruleKindLabel } from '#server/database/rule-names.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { changesOf, COST } from './audit-changes.ts'
import { type Image, readNames } from './read-names.ts'

const image = sql`coalesce(a.after, a.before)`

/** Literals, because there are hundreds of them and each is used in many statements. */
const cases = (pairs: Iterable<readonly [number | string, string]>) =>
  sql.join(
    [...pairs].map(([when, then]) => sql`when ${sql.lit(when)} then ${sql.lit(then)}`),
    sql` `,
  )
const functionNamed = sql`case (${image} ->> 'func')::int ${cases([
  ...Object.values(Func).map(({ func }) => [func, functionTitle(func) ?? ''] as const),
  ...Object.entries(RESERVED_FUNCTIONS).map(([func, title]) => [Number(func), title] as const),
])} else 'Unknown function' end`
const operationName = sql`case (${image} ->> 'opr')::int ${cases(
  Object.entries(Opr).map(([name, opr]) => [opr, name] as const),
)} else 'unknown' end`
const permission = sql`${functionNamed} || ', ' || ${operationName}`
/** "lot". */
const kindName = sql`case a.table_name ${cases(
  AUDIT_KINDS.map(({ value, label }) => [value, label.charAt(0).toLowerCase() + label.slice(1)] as const),
)} else 'record' end`

const userName = sql`coalesce((select u.first_name || ' ' || u.last_name from users u
  where u.customer_id = a.customer_id and u.id = (${image} ->> 'user_id')::bigint), 'a former user')`
const typeName = sql`coalesce((select t.name from user_types t
  where t.customer_id = a.customer_id and t.id = (${image} ->> 'user_type_id')::bigint), 'a former user type')`
const organizationName = sql`coalesce((select o.name from organizations o
  where o.customer_id = a.customer_id and o.id = (${image} ->> 'organization_id')::bigint), 'a former organization')`

/** Changes of what people may do are sentences of their own, as in the user's activity. */
const sentence = sql`case a.table_name
  when 'user_permissions' then case
    when a.operation = 'delete' and ${image} ->> 'is_allowed' = 'true' then 'Removed '
    when a.operation = 'delete' then 'Restored '
    when ${image} ->> 'is_allowed' = 'true' then 'Allowed ' else 'Denied ' end || ${permission} || ' for ' || ${userName}
  when 'user_type_permissions' then case when a.operation = 'delete' then 'Removed ' || ${permission} || ' from '
    else 'Granted ' || ${permission} || ' to ' end || ${typeName}
  when 'memberships' then ${userName} || case when a.operation = 'delete' then ' left ' else ' joined ' end || ${organizationName}
  end`

/** An event in words. Repeated failures are one entry, with a count. */
const event = sql`case when a.table_name = 'sign_ins' and a.after ->> 'outcome' = 'failed' then concat(a.after ->> 'event', ' with a wrong ',
    a.after ->> 'factor', ' as ',
    a.after ->> 'person', case when (a.after ->> 'times')::int > 1 then ', ' || (a.after ->> 'times') || ' times' end)
  when a.table_name = 'refusals' then concat(a.after ->> 'event', case when a.actor_name is null then coalesce(' for ' ||
    (select u.first_name || ' ' || u.last_name from users u where u.customer_id = a.customer_id and u.id::text = a.row_id), '') end, case when (a.after ->> 'times')::int > 1
    then ' ' || (a.after ->> 'times') || ' times' end, ': ', a.after ->> 'message')
  when a.table_name = 'strangers' then concat(a.after ->> 'event', case when (a.after ->> 'times')::int > 1
    then ' ' || (a.after ->> 'times') || ' times' end, ': ', a.after ->> 'message')
  else a.after ->> 'event' end`

/** What happened, or the row's name at the time. Never a key: a row without a name is what it is, such as "emission source". */
const what = sql<string>`coalesce(${event}, ${sentence},
  case when a.table_name = 'white_labels' then ${image} ->> 'domain' end, ${image} ->> 'name',
  nullif(concat_ws(' ', ${image} ->> 'first_name', ${image} ->> 'last_name'), ''), ${image} ->> 'title',
  ${image} ->> 'subject', nullif(concat_ws(' ', ${image} ->> 'year', ${image} ->> 'make', ${image} ->> 'model'), ''),
  case when a.table_name = 'email_templates' then replace(${image} ->> 'key', '_', ' ') end,
  ${image} ->> 'email', ${kindName})`

const isImageOnCosts = (of: 'before' | 'after') => {
  const row = sql.ref(`a.${of}`)
  return sql`coalesce(${row} ->> 'is_on_costs' = 'true' or ${row} ->> 'field' in ('cost', 'invoice'), false)`
}
/** Whether an entry is about a price rule on costs, as it was then or is now. */
const isOnCosts = sql<boolean>`case a.table_name
  when 'pricing_rules' then ${isImageOnCosts('before')} or ${isImageOnCosts('after')} or exists (select from pricing_rules r
    where r.customer_id = a.customer_id and r.id = a.row_id::bigint and r.is_on_costs)
  when 'pricing_rule_requests' then exists (select from pricing_rule_requests q
    left join pricing_rules r on r.customer_id = q.customer_id and r.id = q.rule_id
    where q.customer_id = a.customer_id and q.id = a.row_id::bigint and (q.is_on_costs or r.is_on_costs))
  else false end`
/** Rows that name buyers, or say what they wrote. */
const isOfBuyer = sql<boolean>`case
  when a.table_name in ('leads', 'lead_moves', 'people', 'person_contacts', 'person_distinctions', 'person_merges',
    'form_submissions', 'form_files') then true
  -- Emails before this column was there are shown to no one who reads no leads, unless they are to users.
  when a.table_name = 'outbox_mails' then coalesce((${image} ->> 'is_about_buyer')::boolean, ${image} ->> 'user_id' is null)
  else false end`

/**
 * What a user reads of an entry. Without permission for costs, a rule on costs has no name but its kind, because users write
 * amounts into names; without permission for leads, what is about buyers is only named by its kind.
 */
function whatFor(actor: Member): RawBuilder<string> {
  const priced = actor.may(COST)
    ? what
    : sql<string>`case when not ${isOnCosts} then ${what}
  when a.table_name = 'pricing_rules' then ${ruleKindLabel(sql`${image} ->> 'kind'`)} else ${kindName} end`
  return readsBuyers(actor) ? priced : sql<string>`case when ${isOfBuyer} then ${kindName} else ${priced} end`
}

/** By what users know a vehicle, before and after the change. Rows about a vehicle have those that it has now. */
const vehicleNumbers = sql`case
  when a.table_name = 'vehicles' then concat_ws(' ', a.before ->> 'stock', a.after ->> 'stock', a.before ->> 'vin', a.after ->> 'vin')
  when ${image} ? 'vehicle_id' then (select concat_ws(' ', v.stock, v.vin) from vehicles v
    where v.customer_id = a.customer_id and v.id = (${image} ->> 'vehicle_id')::bigint) end`

/** Columns that prices of many vehicles depend on. */
const differs = (columns: readonly string[]) =>
  sql.join(
    columns.map(
      (column) => sql`a.before -> ${sql.lit(column)} is distinct from a.after -> ${sql.lit(column)}`,
    ),
    sql` or `,
  )
/** "price" for whatever changed a price, or what prices are calculated from. */
const priceWord = sql`case when a.table_name in ('pricing_rules', 'pricing_rule_requests', 'vehicle_special_prices')
  or (a.table_name = 'vehicles' and a.before ->> 'price_cents' is distinct from a.after ->> 'price_cents')
  or (a.table_name = 'customers' and a.operation = 'update'
    and (${differs(['price_law', 'price_profiles', 'price_limits', 'fees', 'fee_caps'])}))
  or (a.table_name = 'lots' and a.operation = 'update' and (${differs(['price_law', 'region'])}))
  then concat('price, ', ${kindName}) end`

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
    address: { value: sql`a.address` },
    device: { value: sql`a.device` },
  },
  search: (text) => contains(searchedIn(what), text),
  // Nothing is found, filtered or exported by what the user doesn't read.
  widen: async (_, actor, source) => {
    const [seesCost, seesBuyers] = [actor.may(COST), readsBuyers(actor)]
    if (seesCost && seesBuyers) return source
    const shown = whatFor(actor)
    return {
      ...source,
      title: shown,
      shape: `covered ${seesCost} ${seesBuyers}`,
      fields: { ...source.fields, what: { value: shown, isNeverNull: true } },
      search: (text) => contains(searchedIn(shown), text),
    }
  },
}

function searchedIn(named: RawBuilder<string>): RawBuilder<unknown>[] {
  const who = [sql`a.actor_name`, sql`a.effective_name`]
  return [...who, named, sql`a.row_id`, sql`a.endpoint`, vehicleNumbers, priceWord]
}

const shownTo = (
  actor: Member,
) => sql`a.id, a.at, a.actor_name as actor, a.effective_name as effective, a.operation, a.table_name as kind,
  a.row_id, ${whatFor(actor)} as what, a.endpoint as call, a.address, a.device`

type OpenRow = AuditEntry & {
  before: Image
  after: Image
  organizationName: string | null
  isOnCosts: boolean
  isOfBuyer: boolean
}

/** Audit log entries within the caller's reach. */
export const auditHandlers: Handlers<typeof auditLog> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, await widened(db, actor, auditSource), input)
    const { rows } = await sql<AuditEntry>`
      select ${shownTo(actor)} from audit_log a
      where a.customer_id = ${actor.customerId} and ${isOneOf(auditSource, ids)}`.execute(db)
    return { ...counts, results: inOrder(ids, rows) }
  },

  async get({ db, actor, input }) {
    const {
      before,
      after,
      isOnCosts: isNow,
      isOfBuyer: isBuyers,
      ...entry
    } = await readEntry(db, actor, input.id)
    if (isBuyers && !readsBuyers(actor)) return { ...entry, changes: [] }
    const names = await readNames(db, {
      customerId: actor.customerId,
      table: entry.kind,
      images: [before, after],
      seesCost: actor.may(COST),
    })
    const changes = changesOf({ table: entry.kind, before, after, names, may: actor.may, isOnCosts: isNow })
    return { ...entry, changes }
  },
}

async function readEntry(db: Database, actor: Member, id: string): Promise<OpenRow> {
  const { rows } = await sql<OpenRow>`
    select ${shownTo(actor)}, ${isOnCosts} as is_on_costs, ${isOfBuyer} as is_of_buyer, a.before, a.after, o.name as organization_name
    from audit_log a left join organizations o on o.customer_id = a.customer_id and o.id = a.organization_id
    where a.customer_id = ${actor.customerId} and a.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Entry')
  return found
}
