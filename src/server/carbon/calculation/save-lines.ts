import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { GROUPS, lineRows } from './result-rows.ts'
import type { FactorApplication } from './calculation-line.ts'

/**
 * Saves calculation lines, each once per inventory. The inventory must be locked.
 * @returns their IDs, in the same order.
 */
export async function saveCalculationLines(
  db: Database,
  inventoryId: string,
  lines: readonly FactorApplication[],
): Promise<string[]> {
  if (lines.length === 0) return []
  const digests = lines.map((line) => createHash('sha256').update(JSON.stringify(line)).digest('hex'))
  const numbered = lines.map((line, at) => ({ id: String(at + 1), line, keys: [] }))
  await sql`insert into calculation_lines (organization_id, inventory_id, digest, part, scope, method, factor_id, multiplier, co2e,
      ${GROUPS}, biogenic, other, conversion, formula, problem, flags)
    select i.organization_id, i.id, d.digest, w.part, w.scope, w.method, w.factor_id, w.multiplier, w.co2e,
      ${GROUPS}, w.biogenic, w.other, w.conversion, w.formula, w.problem, w.flags
    from (${lineRows(numbered)}) w
    join unnest(${digests}::text[]) with ordinality d(digest, id) on d.id = w.id
    join carbon_inventories i on i.id = ${inventoryId}
    on conflict (customer_id, inventory_id, digest) do nothing`.execute(db)
  const { rows } = await sql<{ id: string; digest: string }>`
    select id::text, digest from calculation_lines where inventory_id = ${inventoryId} and digest = any(${digests})`.execute(
    db,
  )
  const idOf = new Map(rows.map(({ id, digest }) => [digest, id]))
  return digests.map((digest) => {
    const id = idOf.get(digest)
    if (id === undefined) throw new Error('A calculation line was not saved.')
    return id
  })
}

/** Deletes the calculation lines among these that no result uses anymore. */
export async function deleteCalculationLines(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from calculation_lines w where w.id = any(${[...ids]}::bigint[]) and not exists (
    select from calculation_results x where x.customer_id = w.customer_id and x.line_id = w.id)`.execute(db)
}
