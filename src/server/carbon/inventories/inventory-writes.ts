import { sql } from 'kysely'
import { findInventoryMismatches } from '#contract/carbon/inventories/inventory-schema.ts'
import type { carbonInventories, Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import { conflict, refused } from '#server/http/failure.ts'
import { findStrangers } from './carbon-people.ts'
import { readInventory } from './inventory-rows.ts'

type New = Omit<Received<typeof carbonInventories.add>, 'organizationId' | 'version'> & {
  organizationId: string
}
type Change = Omit<Received<typeof carbonInventories.update>, 'id' | 'version'>

const NOT_RIGHT = 'Some fields are not right.'

/**
 * Adds an inventory to an organization that is reached.
 * @throws Failure 400 for what does not fit together, 409 for a period that overlaps or a second base year.
 */
export async function addInventory(
  db: Database,
  { scope3 = [], denominators = [], ...columns }: New,
): Promise<Inventory> {
  await refuseMismatches(db, columns)
  const { id } = await explainRefusal(
    db.insertInto('carbonInventories').values(columns).returning('id').executeTakeFirstOrThrow(),
  )
  await writeParts(db, { id, organizationId: columns.organizationId }, { scope3, denominators })
  return readInventory(db, id)
}

/** Changes what was sent of an inventory that is held and open. @throws as `addInventory` */
export async function changeInventory(db: Database, current: Inventory, change: Change): Promise<Inventory> {
  const { scope3, denominators, ...columns } = change
  await refuseMismatches(db, { ...current, ...columns }, columns)
  await explainRefusal(
    db
      .updateTable('carbonInventories')
      // Touched even where only its categories are others: they are a part of it.
      .set({ ...columns, updatedAt: sql`app_clock_timestamp()` })
      .where('id', '=', current.id)
      .execute(),
  )
  await writeParts(db, current, { scope3, denominators })
  return readInventory(db, current.id)
}

type Whole = Parameters<typeof findInventoryMismatches>[0] & { organizationId: string }
const PEOPLE = ['ownerId', 'reviewerId', 'approverId'] as const

/** @param sent what is written: people who left since are no reason to refuse what has nothing to do with them. */
async function refuseMismatches(
  db: Database,
  whole: Whole & Partial<Record<(typeof PEOPLE)[number], string | null | undefined>>,
  sent: Partial<Record<(typeof PEOPLE)[number], string | null | undefined>> = whole,
): Promise<void> {
  const chosen = PEOPLE.flatMap((field) => sent[field] ?? [])
  const strangers = await findStrangers(db, whole.organizationId, chosen)
  const fields = {
    ...Object.fromEntries(
      PEOPLE.filter((field) => strangers.includes(sent[field] ?? '')).map((field) => [
        field,
        'Choose a person of this organization.',
      ]),
    ),
    ...findInventoryMismatches(whole),
  }
  if (Object.keys(fields).length > 0) throw refused(NOT_RIGHT, fields)
}

/** Makes the categories and denominators those that are wanted; what was not sent stays. */
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

/** What the database's own rules refuse, in the words of the form. */
export async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'exclusion')) {
      throw conflict('Another inventory of this boundary has days of this period.', {
        periodStart: 'This period overlaps another one of the same boundary.',
      })
    }
    const key = brokenKey(error)
    if (key === 'carbon_inventories_base_year') {
      throw conflict('Another inventory of this boundary is the base year.', {
        isBaseYear: 'There is a base year of this boundary already.',
      })
    }
    if (key !== null) throw conflict('This inventory was restated already.')
    throw error
  }
}
