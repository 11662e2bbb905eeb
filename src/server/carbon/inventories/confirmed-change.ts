import { sql } from 'kysely'
import type { carbonInventories, Inventory } from '#contract/carbon/inventories/inventories.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import { effectOf, findChangedRecords, requireConfirmed } from '../calculation/change-effect.ts'
import { MOST_AT_ONCE, recalculateStale } from '../calculation/recalculate.ts'

/** The settings that results are calculated from. */
const CALCULATED_FROM = [
  'periodStart',
  'periodEnd',
  'boundary',
  'gwpSet',
  'gwpEdition',
  'yearRule',
  'datasets',
] as const

type Change = Omit<Received<typeof carbonInventories.update>, 'id' | 'version' | 'affected'>

/**
 * Changes the settings of an inventory that is locked for update, if the caller has confirmed how many records get another result.
 * More records than are calculated at once are changed without that, in the background.
 * @param write saves the change in this transaction.
 * @throws Failure 409 with the effect if it isn't confirmed, or while other changes wait for their calculation; and what `write` throws
 */
export async function confirmedChange(
  db: Database,
  { current, change, affected }: { current: Inventory; change: Change; affected: number },
  write: () => Promise<Inventory>,
): Promise<Inventory> {
  const isSame = CALCULATED_FROM.every(
    (setting) => change[setting] === undefined || String(change[setting]) === String(current[setting]),
  )
  if (isSame) return write()
  const { rows } = await sql<{ sourceId: string; records: number }>`
    select s.id::text as source_id, count(r.id)::int as records from emission_sources s
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    where s.inventory_id = ${current.id} group by s.id order by s.id`.execute(db)
  if (rows.reduce((sum, { records }) => sum + records, 0) > MOST_AT_ONCE) return write()
  // Otherwise what another change of a moment ago moves would be counted as moved by this one.
  if ((await recalculateStale(db, current.id)) > 0)
    throw conflict(`${current.name} is being calculated right now. Try again in a minute.`)
  const saved = await write()
  const sourceIds = rows.map(({ sourceId }) => sourceId)
  const changed = await findChangedRecords(db, { inventoryId: current.id, sourceIds })
  requireConfirmed('Changing these settings', effectOf(changed), affected)
  return saved
}
