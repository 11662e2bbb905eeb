import { sql } from 'kysely'
import type { carbonAssignments, EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused, stale } from '#server/http/failure.ts'
import { findNonMembers } from './carbon-users.ts'
import { readSources } from './emission-sources.ts'
import { readInventory } from './inventory-rows.ts'
import { type FindDefaults, readSourceDefaults } from './source-defaults.ts'

type Change = Received<typeof carbonAssignments.save>['changes'][number]
type Assigned = Extract<Change, { isAssigned: true }>
type Cell = { id: string; organizationId: string }

const keyOf = ({ facilityId, sourceType }: { facilityId: string; sourceType: string }) =>
  `${facilityId}/${sourceType}`

/**
 * Saves cells of the assignment matrix of an open inventory that is locked for update, all or none. Unassigning a cell closes
 * its source but keeps the data; assigning it again reopens it.
 * @throws Failure 409 with the current sources if someone else changed a cell, 400 for an invalid value.
 */
export async function saveAssignments(
  db: Database,
  inventory: Cell,
  changes: readonly Change[],
): Promise<void> {
  const sources = await readSources(db, inventory.id)
  const open = new Map(sources.map((source) => [keyOf(source), source]))
  const isStale = (change: Change) =>
    change.version !== undefined && change.version !== (open.get(keyOf(change))?.version ?? 0)
  if (changes.some(isStale)) {
    throw stale('An assignment', { sources, inventory: await readInventory(db, inventory.id) })
  }
  const countries = await readCountries(db, inventory)
  const findDefaults = await readSourceDefaults(db, inventory.organizationId)
  const problems = await findProblems(db, inventory, changes, countries)
  for (const [at, change] of changes.entries())
    if (change.isAssigned && !open.has(keyOf(change)) && !findDefaults(change.sourceType, null))
      problems[`changes.${at}.sourceType`] = 'This source was removed. Choose another one.'
  if (Object.keys(problems).length > 0) throw refused('Some fields are invalid.', problems)

  const assigned = changes.filter((change): change is Assigned => change.isAssigned)
  const rows = assigned.flatMap(
    (change) => rowOf(change, open.get(keyOf(change)), { countries, findDefaults }) ?? [],
  )
  await writeOpen(db, inventory, rows)
  for (const change of changes) {
    const source = change.isAssigned ? undefined : open.get(keyOf(change))
    if (source) {
      await db.updateTable('emissionSources').set({ closed: true }).where('id', '=', source.id).execute()
    }
  }
}

type Row = Pick<
  EmissionSource,
  | 'facilityId'
  | 'sourceType'
  | 'activity'
  | 'scope'
  | 'unit'
  | 'dataOwnerId'
  | 'dueOn'
  | 'frequency'
  | 'method'
  | 'factorId'
> & { name: string | null; label: string | null }

/** Fields that weren't sent keep their value, or get the default for a new source. */
function rowOf(
  { facilityId, sourceType, dataOwnerId, dueOn, frequency, method, factorId, label }: Assigned,
  source: EmissionSource | undefined,
  { countries, findDefaults }: { countries: ReadonlyMap<string, string | null>; findDefaults: FindDefaults },
): Row | null {
  const usual = findDefaults(sourceType, countries.get(facilityId) ?? null)
  const { activity, unit, scope } = source ?? usual ?? {}
  if (activity === undefined || unit === undefined || scope === undefined) return null
  return {
    facilityId,
    sourceType,
    name: usual?.name ?? source?.sourceName ?? null,
    label: label === undefined ? (source?.sourceLabel ?? null) : label,
    activity,
    unit,
    scope: usual?.scope ?? scope,
    dataOwnerId: dataOwnerId === undefined ? (source?.dataOwnerId ?? null) : dataOwnerId,
    dueOn: dueOn === undefined ? (source?.dueOn ?? null) : dueOn,
    frequency: frequency ?? source?.frequency ?? 'month',
    method: method ?? source?.method ?? usual?.method ?? 'calculated',
    factorId: factorId === undefined ? (source?.factorId ?? null) : factorId,
  }
}

async function writeOpen(
  db: Database,
  { id: inventoryId, organizationId }: Cell,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('emissionSources')
    .values(rows.map((row) => ({ ...row, inventoryId, organizationId })))
    .onConflict((on) =>
      on.columns(['customerId', 'inventoryId', 'facilityId', 'sourceType']).doUpdateSet((eb) => ({
        dataOwnerId: eb.ref('excluded.dataOwnerId'),
        dueOn: eb.ref('excluded.dueOn'),
        frequency: eb.ref('excluded.frequency'),
        method: eb.ref('excluded.method'),
        factorId: eb.ref('excluded.factorId'),
        name: eb.ref('excluded.name'),
        label: eb.ref('excluded.label'),
        closed: false,
      })),
    )
    .execute()
}

/** The included facilities of an inventory, with their country or else that of the organization. */
export async function readCountries(
  db: Database,
  { id, organizationId }: Cell,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ id: string; country: string | null }>`
    select f.id::text, coalesce(f.country, p.country) as country from inventory_facilities i
    join facilities f on f.customer_id = i.customer_id and f.id = i.facility_id
    left join organization_profiles p on p.customer_id = i.customer_id and p.organization_id = i.organization_id
    where i.inventory_id = ${id} and i.organization_id = ${organizationId} and not i.excluded`.execute(db)
  return new Map(rows.map((row) => [row.id, row.country]))
}

async function findProblems(
  db: Database,
  { organizationId }: Cell,
  changes: readonly Change[],
  countries: ReadonlyMap<string, string | null>,
): Promise<Record<string, string>> {
  const people = changes.flatMap((change) => (change.isAssigned ? (change.dataOwnerId ?? []) : []))
  const nonMembers = await findNonMembers(db, organizationId, people)
  const factors = changes.flatMap((change) => (change.isAssigned ? (change.factorId ?? []) : []))
  const missing = await findMissingFactors(db, organizationId, factors)
  const problems: Record<string, string> = {}
  for (const [at, change] of changes.entries()) {
    if (!countries.has(change.facilityId)) {
      problems[`changes.${at}.facilityId`] = "This facility isn't in the inventory."
    }
    if (!change.isAssigned) continue
    if (nonMembers.includes(change.dataOwnerId ?? '')) {
      problems[`changes.${at}.dataOwnerId`] = 'Choose a person of this organization.'
    }
    if (missing.has(change.factorId ?? '')) {
      problems[`changes.${at}.factorId`] =
        'This factor was deleted or belongs to another organization. Choose another one.'
    }
  }
  return problems
}

/** Those that were deleted, aren't for inventories, or belong to another organization of the customer. */
async function findMissingFactors(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id::text from library.factors where id = any(${ids}::bigint[]) and use = 'inventory'
      and (organization_id is null or organization_id = ${organizationId})`.execute(db)
  const found = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !found.has(id)))
}
