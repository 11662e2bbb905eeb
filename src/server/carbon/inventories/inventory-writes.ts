import { sql } from 'kysely'
import { findInventoryMismatches } from '#contract/carbon/inventories/inventory-schema.ts'
import type { carbonInventories, Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import { conflict, refused } from '#server/http/failure.ts'
import { findNonMembers } from './carbon-users.ts'
import { readInventory } from './inventory-rows.ts'

type New = Omit<Received<typeof carbonInventories.add>, 'organizationId' | 'version'> & {
  organizationId: string
}
type Change = Omit<Received<typeof carbonInventories.update>, 'id' | 'version'>

const INVALID = 'Some fields are invalid.'

/**
 * Adds an inventory to an accessible organization.
 * @throws Failure 400 for inconsistent fields, 409 for an overlapping period or a second base year.
 */
export async function addInventory(
  db: Database,
  { scope3 = [], denominators = [], ...columns }: New,
): Promise<Inventory> {
  await requireConsistent(db, columns)
  await requireFreePeriod(db, columns, null)
  const { id } = await explainRefusal(
    db.insertInto('carbonInventories').values(columns).returning('id').executeTakeFirstOrThrow(),
  )
  await writeParts(db, { id, organizationId: columns.organizationId }, { scope3, denominators })
  return readInventory(db, id)
}

/** Changes an open inventory that is locked for update. @throws as `addInventory` */
export async function changeInventory(db: Database, current: Inventory, change: Change): Promise<Inventory> {
  const { scope3, denominators, ...columns } = change
  await requireConsistent(db, { ...current, ...columns }, columns)
  const {
    boundary = current.boundary,
    periodStart = current.periodStart,
    periodEnd = current.periodEnd,
  } = columns
  const { organizationId } = current
  await requireFreePeriod(db, { organizationId, boundary, periodStart, periodEnd }, current.id)
  await explainRefusal(
    db
      .updateTable('carbonInventories')
      // Updated even if only categories or denominators change, because they are part of the inventory.
      .set({ ...columns, updatedAt: sql`app_clock_timestamp()` })
      .where('id', '=', current.id)
      .execute(),
  )
  await writeParts(db, current, { scope3, denominators })
  return readInventory(db, current.id)
}

type FullInventory = Parameters<typeof findInventoryMismatches>[0] & { organizationId: string }
const PEOPLE = ['ownerId', 'reviewerId', 'approverId'] as const

/** @param sent the submitted fields: users who left the organization since don't block unrelated changes. */
async function requireConsistent(
  db: Database,
  inventory: FullInventory & Partial<Record<(typeof PEOPLE)[number], string | null | undefined>>,
  sent: Partial<Record<(typeof PEOPLE)[number], string | null | undefined>> = inventory,
): Promise<void> {
  const chosen = PEOPLE.flatMap((field) => sent[field] ?? [])
  const nonMembers = await findNonMembers(db, inventory.organizationId, chosen)
  const fields = {
    ...Object.fromEntries(
      PEOPLE.filter((field) => nonMembers.includes(sent[field] ?? '')).map((field) => [
        field,
        'Choose a person of this organization.',
      ]),
    ),
    ...findInventoryMismatches(inventory),
  }
  if (Object.keys(fields).length > 0) throw refused(INVALID, fields)
}

/** @throws Failure 409 that names the inventory with an overlapping period. The constraint decides between two at once. */
async function requireFreePeriod(
  db: Database,
  {
    organizationId,
    boundary,
    periodStart,
    periodEnd,
  }: Pick<FullInventory, 'organizationId' | 'periodStart' | 'periodEnd'> & {
    boundary: string
  },
  ownId: string | null,
): Promise<void> {
  const { rows } = await sql<{ name: string; from: string; to: string }>`
    select name, period_start::text as "from", period_end::text as "to" from carbon_inventories
    where organization_id = ${organizationId} and boundary = ${boundary} and status <> 'restated'
      and id is distinct from ${ownId}::bigint
      and daterange(period_start, period_end, '[]') && daterange(${periodStart}::date, ${periodEnd}::date, '[]')
    order by period_start limit 1`.execute(db)
  const [other] = rows
  if (other === undefined) return
  throw conflict('The period overlaps another inventory with the same consolidation approach.', {
    periodStart: `This period overlaps “${other.name}” (${other.from} to ${other.to}).`,
  })
}

/** Replaces the categories and denominators that were sent. */
async function writeParts(
  db: Database,
  { id: inventoryId, organizationId }: { id: string; organizationId: string },
  { scope3, denominators }: Pick<Change, 'scope3' | 'denominators'>,
): Promise<void> {
  if (scope3 !== undefined && scope3.length > 0) {
    await db
      .insertInto('inventoryScope3')
      .values(scope3.map((row) => ({ ...row, inventoryId, organizationId })))
      .onConflict((on) =>
        on.columns(['customerId', 'inventoryId', 'category']).doUpdateSet((eb) => ({
          relevance: eb.ref('excluded.relevance'),
          reason: eb.ref('excluded.reason'),
        })),
      )
      .execute()
  }
  if (denominators === undefined) return
  await db
    .deleteFrom('intensityDenominators')
    .where('inventoryId', '=', inventoryId)
    .where('place', '>', denominators.length)
    .execute()
  if (denominators.length === 0) return
  await db
    .insertInto('intensityDenominators')
    .values(denominators.map((row, at) => ({ ...row, place: at + 1, inventoryId, organizationId })))
    .onConflict((on) =>
      on.columns(['customerId', 'inventoryId', 'place']).doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        name: eb.ref('excluded.name'),
        amount: eb.ref('excluded.amount'),
        unit: eb.ref('excluded.unit'),
      })),
    )
    .execute()
}

/** Translates constraint violations into messages for the form. */
export async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'exclusion')) {
      throw conflict('The period overlaps another inventory with the same consolidation approach.', {
        periodStart: 'This period overlaps another inventory.',
      })
    }
    const key = brokenKey(error)
    if (key === 'carbon_inventories_base_year') {
      throw conflict('Another inventory with this consolidation approach is already the base year.', {
        isBaseYear: 'This consolidation approach already has a base year.',
      })
    }
    if (key !== null) throw conflict('This inventory was already restated.')
    throw error
  }
}
