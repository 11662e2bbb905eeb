import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'

/** @throws Failure 404 if it isn't accessible. */
export async function findInventory(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from carbon_inventories where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound('Inventory')
}
