import { sql } from 'kysely'
import {
  isFrozen,
  type InventoryStatus,
  STATUS_NAMES,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'

/** Why nothing of an inventory may be written. */
function frozenSentence(name: string, status: InventoryStatus): string {
  const how = {
    approved: 'Reopen it first.',
    locked: 'Unlock it, or restate it, to change anything.',
    restated: 'Its figures stay beside those that correct them.',
  }
  const advice = status === 'approved' || status === 'locked' || status === 'restated' ? how[status] : ''
  return `${name} is ${STATUS_NAMES[status].toLowerCase()}. ${advice}`
}

/**
 * An inventory, held until the transaction ends: its status cannot change while something of it is written.
 * @throws Failure 404 where it is out of reach.
 */
export async function holdInventory(db: Database, id: string) {
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
      'fourEyes',
      'restatesId',
      'version',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw notFound('Inventory')
  return found
}

/** The same, where something of it is to be written. @throws Failure 404, 409 where it is frozen. */
export async function holdOpenInventory(db: Database, id: string) {
  const held = await holdInventory(db, id)
  if (isFrozen(held.status)) throw conflict(frozenSentence(held.name, held.status))
  return held
}

/**
 * An inventory that can be written, read without holding it: what is found may be another thing a moment later.
 * @throws Failure 404, 409 where it is frozen.
 */
export async function readOpenInventory(db: Database, id: string) {
  const found = await db
    .selectFrom('carbonInventories')
    .select(['id', 'organizationId', 'name', 'status', 'periodStart', 'periodEnd'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Inventory')
  if (isFrozen(found.status)) throw conflict(frozenSentence(found.name, found.status))
  return found
}

/**
 * Holds every open inventory that is reached: whoever reckons in one of them now is waited for, whoever begins later
 * waits. So what a new factor touches is known, and nobody reckons by what it replaces.
 */
export async function holdEveryOpenInventory(db: Database): Promise<void> {
  await sql`select from carbon_inventories where status in ('draft', 'collecting', 'in_review') order by id for share`.execute(
    db,
  )
}
