import { sql, type SqlBool } from 'kysely'
import type { carbonAssignments, InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { Received } from '#contract/endpoint.ts'
import { chainOf } from '#contract/organizations/chain.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { inclusionOver } from '#contract/organizations/facilities/inclusion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound, refused, stale } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import { readFacilities } from '#server/organizations/index.ts'
import { type FacilitySnapshot, readFacilitySnapshots } from './facility-snapshots.ts'

type FacilityChoice = {
  facilityId: string
  excluded: boolean
  reason: string | null
  version: number
  sources: number
}

/**
 * The facilities of an inventory's organization by code, with their choices and inclusion percentages; of a frozen
 * inventory, as they were when it was approved. Groups and entities are left out, because they only structure the tree.
 * @throws Failure 404 if the inventory isn't accessible.
 */
export async function readInventoryFacilities(
  db: Database,
  inventoryId: string,
): Promise<InventoryFacility[]> {
  const snapshots = await readFacilitySnapshots(db, inventoryId)
  const facilities = snapshots.length > 0 ? snapshots : await readCurrentFacilities(db, inventoryId)
  const chosen = await readChosen(db, inventoryId)
  return facilities.map((facility): InventoryFacility => {
    const own = chosen.get(facility.id)
    return {
      ...facility,
      choice: choiceOf(own),
      reason: own?.reason ?? null,
      sources: own?.sources ?? 0,
      version: own?.version ?? null,
    }
  })
}

/**
 * The facilities of an inventory's organization with their inclusion percentages by today's ownership and control.
 * @throws Failure 404 if the inventory isn't accessible.
 */
export async function readCurrentFacilities(db: Database, inventoryId: string): Promise<FacilitySnapshot[]> {
  const inventory = await db
    .selectFrom('carbonInventories')
    .select(['customerId', 'organizationId', 'boundary', 'periodStart', 'periodEnd'])
    .where('id', '=', inventoryId)
    .executeTakeFirst()
  if (inventory === undefined) throw notFound('Inventory')
  const { customerId, organizationId, boundary, periodStart: from, periodEnd: to } = inventory
  const all = await readFacilities(
    db,
    sql<SqlBool>`f.customer_id = ${customerId} and f.organization_id = ${organizationId}`,
  )
  return all
    .filter(({ level }) => level !== 'group' && level !== 'entity')
    .map(({ id, code, name, level, type, country }) => ({
      id,
      code,
      name,
      level,
      type,
      country,
      spans: inclusionOver(chainOf(all, id), { from, to }, boundary),
    }))
}

function choiceOf(chosen: FacilityChoice | undefined): InventoryFacility['choice'] {
  if (chosen === undefined) return null
  return chosen.excluded ? 'excluded' : 'included'
}

async function readChosen(db: Database, inventoryId: string): Promise<Map<string, FacilityChoice>> {
  const { rows } = await sql<FacilityChoice>`
    select i.facility_id::text as "facilityId", i.excluded, i.reason, i.version,
      (select count(*)::int from emission_sources s where s.customer_id = i.customer_id and s.inventory_id = i.inventory_id
        and s.facility_id = i.facility_id and not s.closed) as sources
    from inventory_facilities i where i.inventory_id = ${inventoryId}`.execute(db)
  return new Map(rows.map((row) => [row.facilityId, row]))
}

/**
 * Includes facilities in an open inventory that is locked for update, or excludes them. The assignments of an excluded
 * facility are kept, and count again once it is included.
 * Choosing for the first time is creating, changing the choice updating.
 * @throws Failure 400 for unknown facilities or a missing reason, 403 without the permission, 409 for a stale version.
 */
export async function chooseFacilities(
  db: Database,
  { id: inventoryId, organizationId }: { id: string; organizationId: string },
  choices: Received<typeof carbonAssignments.choose>['choices'],
  actor: Pick<Member, 'may' | 'organizationId'>,
): Promise<void> {
  const problems = await findProblems(db, organizationId, choices)
  if (Object.keys(problems).length > 0) throw refused('Some fields are invalid.', problems)
  const chosen = await readChosen(db, inventoryId)
  for (const { facilityId } of choices) {
    requirePermission(actor, can(Func.carbonFacility, chosen.has(facilityId) ? Opr.update : Opr.create))
  }
  const isStale = ({ facilityId, version }: (typeof choices)[number]) =>
    version !== undefined && version !== chosen.get(facilityId)?.version
  if (choices.some(isStale)) {
    throw stale('This facility', await readInventoryFacilities(db, inventoryId))
  }
  const rows = choices.map(({ facilityId, choice, reason }) => {
    const excluded = choice === 'excluded'
    return { inventoryId, organizationId, facilityId, excluded, reason: excluded ? reason : null }
  })
  await db
    .insertInto('inventoryFacilities')
    .values(rows)
    .onConflict((on) =>
      on.columns(['customerId', 'inventoryId', 'facilityId']).doUpdateSet((eb) => ({
        excluded: eb.ref('excluded.excluded'),
        reason: eb.ref('excluded.reason'),
      })),
    )
    .execute()
}

async function findProblems(
  db: Database,
  organizationId: string,
  choices: Received<typeof carbonAssignments.choose>['choices'],
): Promise<Record<string, string>> {
  const ids = choices.map(({ facilityId }) => facilityId)
  const there = await db
    .selectFrom('facilities')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('level', 'not in', ['group', 'entity'])
    .where('id', 'in', ids)
    .execute()
  const known = new Set(there.map(({ id }) => id))
  const problems: Record<string, string> = {}
  for (const [at, { facilityId, choice, reason }] of choices.entries()) {
    if (!known.has(facilityId)) {
      problems[`choices.${at}.facilityId`] = 'Choose a site, building or meter of this organization.'
    }
    if (ids.indexOf(facilityId) !== at) {
      problems[`choices.${at}.facilityId`] = 'Each facility can be listed only once.'
    }
    if (choice === 'excluded' && reason === null) {
      problems[`choices.${at}.reason`] = 'Enter why it is excluded.'
    }
  }
  return problems
}
