import { sql } from 'kysely'
import {
  isFrozen,
  type InventoryStatus,
  STATUS_NAMES,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'

/** Why an inventory can't be changed. */
function describeFrozen(name: string, status: InventoryStatus): string {
  const how = {
    approved: 'Reopen it to make changes.',
    locked: 'Unlock or restate it to make changes.',
    restated: 'Make changes in its restatement.',
  }
  const advice = status === 'approved' || status === 'locked' || status === 'restated' ? how[status] : ''
  return `${name} is ${STATUS_NAMES[status].toLowerCase()}. ${advice}`
}

/**
 * An inventory, locked for update until the end of the transaction, so that its status can't change in the meantime.
 * @throws Failure 404 if it isn't accessible.
 */
export async function lockInventoryRow(db: Database, id: string) {
  const found = await db
    .selectFrom('carbonInventories')
    .select([
      'id',
      'organizationId',
      'name',
      'status',
      'boundary',
      'periodStart',
      'periodEnd',
      'ownerId',
      'approverId',
      'twoPersonApproval',
      'restatesId',
      'version',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw notFound('Inventory')
  return found
}

/** The same for writing to the inventory. @throws Failure 404, or 409 if it is frozen. */
export async function lockOpenInventoryRow(db: Database, id: string) {
  const inventory = await lockInventoryRow(db, id)
  if (isFrozen(inventory.status)) throw conflict(describeFrozen(inventory.name, inventory.status))
  return inventory
}

/**
 * An inventory that can be changed, read without a lock, so its status may change in the meantime.
 * @throws Failure 404, or 409 if it is frozen.
 */
export async function readOpenInventory(db: Database, id: string) {
  const found = await db
    .selectFrom('carbonInventories')
    .select(['id', 'organizationId', 'name', 'status', 'periodStart', 'periodEnd'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Inventory')
  if (isFrozen(found.status)) throw conflict(describeFrozen(found.name, found.status))
  return found
}

/**
 * Locks all open inventories that are accessible: waits for running calculations and blocks new ones. This way, all sources
 * affected by a new factor are known, and no calculation uses the factor it replaces.
 */
export async function lockAllOpenInventoryRows(db: Database): Promise<void> {
  await sql`select from carbon_inventories where status in ('draft', 'collecting', 'in_review') order by id for share`.execute(
    db,
  )
}
