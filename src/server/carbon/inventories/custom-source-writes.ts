import { sql } from 'kysely'
import type { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { customSourceType } from '#contract/carbon/inventories/source-names.ts'
import { SOURCE_TYPES } from '#contract/carbon/inventories/source-types.ts'
import { readUnit, type ReadUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { readUnitTable } from '../factors/measures.ts'
import { OPEN_USES, readCustomSource } from './custom-source-rows.ts'
import { saveAssignments } from './save-assignments.ts'
import { isKnownActivity } from './source-activities.ts'

type NewSource = Omit<Received<typeof customSources.add>, 'inventoryId'>
type Change = Received<typeof customSources.update>
type Described = Pick<NewSource, 'name' | 'activity' | 'unit'>

/**
 * Adds a custom source and assigns it to facilities of an open inventory that is locked for update.
 * @throws Failure 400 for an unknown unit, activity or facility, 409 if the name is in use.
 */
export async function addCustomSource(
  db: Database,
  inventory: { id: string; organizationId: string },
  { facilityIds, label, frequency, method, factorId, name, scope, activity, unit: typed }: NewSource,
): Promise<string> {
  const unit = await checkFields(db, { name, activity, unit: typed })
  const { id } = await db
    .insertInto('customSources')
    .values({ organizationId: inventory.organizationId, name, scope, activity, unit })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(explainName(name))
  const cell = {
    sourceType: customSourceType(id),
    isAssigned: true as const,
    label,
    frequency,
    method,
    factorId,
  }
  const changes = facilityIds.map((facilityId) => ({ ...cell, facilityId }))
  if (changes.length > 0) await saveAssignments(db, inventory, changes)
  return id
}

/**
 * Changes a custom source and its sources in all open inventories, which are then recalculated. Other inventories keep it as
 * it was.
 * @throws Failure 404, 400 as for adding, 409 for a stale version, a name in use, or data that depends on the change.
 */
export async function changeCustomSource(
  db: Database,
  { id, version, name, scope, activity, unit: typed }: Change,
): Promise<void> {
  await lockOpenInventories(db, id)
  const current = await readCustomSource(db, id)
  if (version !== undefined && version !== current.version) throw stale('This source', current)
  const unit = await checkFields(db, { name, activity, unit: typed })
  const uses = await readUses(db, id)
  if (scope !== current.scope || activity !== current.activity) {
    if (uses.approved > 0)
      throw conflict(
        `${countOf(uses.approved, 'approved record')} would change. Reopen or return them first, or add another source.`,
      )
    if (uses.instruments > 0 && scope !== '2')
      throw conflict('Certificates or contracts cover this source. Remove them first.')
  }
  if (uses.records > 0 && !(await areComparable(db, current.unit, unit)))
    throw refused(INVALID, {
      unit: `Its ${countOf(uses.records, 'record')} can't be converted to ${unit}. Choose a unit that ${current.unit} can be converted to.`,
    })
  await db
    .updateTable('customSources')
    .set({ name, scope, activity, unit })
    .where('id', '=', id)
    .execute()
    .catch(explainName(name))
  await sql`update emission_sources t set name = ${name}, scope = ${scope}, activity = ${activity}, unit = ${unit}
    from custom_sources d where d.id = ${id} and t.customer_id = d.customer_id
      and t.id in (select s.id from ${OPEN_USES})`.execute(db)
}

/**
 * Removes a custom source and closes its assignments in open inventories. Other inventories keep theirs.
 * @throws Failure 404, 409 if it has records, imported totals or certificates in an open inventory, or if the version is stale.
 */
export async function removeCustomSource(
  db: Database,
  input: Received<typeof customSources.remove>,
): Promise<void> {
  const { id } = input
  await lockOpenInventories(db, id)
  const { name } = await readCustomSource(db, id)
  await requireSeen(db, input, { table: 'customSources', noun: 'source', read: readCustomSource })
  const { records, totals, instruments } = await readUses(db, id)
  const data = [
    ...(records > 0 ? [countOf(records, 'activity record')] : []),
    ...(totals > 0 ? [countOf(totals, 'imported total')] : []),
    ...(instruments > 0
      ? [countOf(instruments, 'certificate or contract', 'certificates or contracts')]
      : []),
  ]
  if (data.length > 0)
    throw conflict(`${name} has ${data.join(', ')} in open inventories. Delete them first, or unassign it.`)
  await sql`with closing as (
      update emission_sources t set closed = true from custom_sources d
      where d.id = ${id} and t.customer_id = d.customer_id and not t.closed and t.id in (select s.id from ${OPEN_USES})
      returning t.id)
    update custom_sources set removed_at = app_now(), closed_sources = (select coalesce(array_agg(id), '{}') from closing)
    where id = ${id}`.execute(db)
}

/** Undoes the removal. @throws Failure 404, 409 if another source has its name now. */
export async function restoreCustomSource(db: Database, id: string): Promise<void> {
  await lockOpenInventories(db, id)
  const { rows } = await sql<{ name: string }>`select name from custom_sources where id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Custom source')
  await db
    .updateTable('customSources')
    .set({ removedAt: null })
    .where('id', '=', id)
    .execute()
    .catch(explainName(found.name))
  await sql`with restored as (
      update emission_sources t set closed = false, name = d.name from custom_sources d
      where d.id = ${id} and t.customer_id = d.customer_id and t.id = any(d.closed_sources)
        and t.id in (select s.id from ${OPEN_USES}))
    update custom_sources set closed_sources = '{}' where id = ${id}`.execute(db)
}

const INVALID = 'Some fields are invalid.'
const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Locks the open inventories of its organization, so that nothing is assigned or entered meanwhile. */
async function lockOpenInventories(db: Database, id: string): Promise<void> {
  await sql`select from carbon_inventories i where i.status in ('draft', 'collecting', 'in_review')
    and i.organization_id = (select organization_id from custom_sources where id = ${id}) order by i.id for update`.execute(
    db,
  )
}

/** @returns the code of the unit. @throws Failure 400 with the wrong fields. */
async function checkFields(db: Database, { name, activity, unit: typed }: Described): Promise<string> {
  const unit: ReadUnit | { problem: string } = readUnit(await readUnitTable(db), typed)
  const problems: Record<string, string> = {}
  const normalized = name.toLowerCase()
  if (SOURCE_TYPES.some(({ id, title }) => id === normalized || title.toLowerCase() === normalized))
    problems['name'] = 'A standard source has this name. Choose one that tells them apart.'
  if (!activity.startsWith('own/') && !(await isKnownActivity(db, activity)))
    problems['activity'] =
      'No factor has this activity. Choose one from the list, or start it with own/ and add a custom factor.'
  if ('problem' in unit) problems['unit'] = unit.problem
  if ('problem' in unit || Object.keys(problems).length > 0) throw refused(INVALID, problems)
  return unit.unit.code
}

/** Units of one dimension; for money, the same currency. */
async function areComparable(db: Database, one: string, other: string): Promise<boolean> {
  const { byCode } = await readUnitTable(db)
  const [first, second] = [byCode.get(one)?.dimension, byCode.get(other)?.dimension]
  return one === other || (first !== undefined && first === second)
}

type Uses = { records: number; approved: number; totals: number; instruments: number }

/** What depends on a custom source in open inventories. */
async function readUses(db: Database, id: string): Promise<Uses> {
  const { rows } = await sql<Uses>`
    with uses as (select s.customer_id, s.id from custom_sources d cross join lateral (select s.* from ${OPEN_USES}) s
      where d.id = ${id})
    select (select count(*)::int from uses u join activity_records r on r.customer_id = u.customer_id and r.source_id = u.id
        and r.replaced_at is null) as records,
      (select count(*)::int from uses u join activity_records r on r.customer_id = u.customer_id and r.source_id = u.id
        and r.replaced_at is null and r.status = 'approved') as approved,
      (select count(*)::int from uses u join imported_totals t on t.customer_id = u.customer_id and t.source_id = u.id
        and t.removed_at is null) as totals,
      (select count(*)::int from uses u join instrument_allocations a on a.customer_id = u.customer_id
        and a.source_id = u.id) as instruments`.execute(db)
  return rows[0] ?? { records: 0, approved: 0, totals: 0, instruments: 0 }
}

const explainName =
  (name: string) =>
  (error: unknown): never => {
    if (!isViolation(error, 'unique')) throw error
    throw conflict(`Another source is named ${name}.`, { name: 'This name is already in use.' })
  }
