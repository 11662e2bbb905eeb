import { sql } from 'kysely'
import type { ApprovalGap, StatusEvent } from '#contract/carbon/inventories/approval.ts'
import { isFrozen, type InventoryStatus } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { deleteFacilitySnapshots, saveFacilitySnapshots } from './facility-snapshots.ts'
import { readCurrentFacilities } from './inventory-facilities.ts'

type Changed = { id: string; organizationId: string; status: InventoryStatus }
type Change = {
  status: InventoryStatus
  reason: string | null
  /** Only for an approval: the approved total in kg CO2e, and what was missing. */
  approved?: { location: string; market: string; gaps: readonly ApprovalGap[] } | null
  /** The request that a second person confirmed. */
  reopeningId?: string
}

/**
 * Sets the status of an inventory that is locked for update, and records who did it, when and why. Before it is frozen, its
 * facilities and the names of its people are stored as they are.
 */
export async function changeStatus(
  db: Database,
  { id, organizationId, status: former }: Changed,
  { status, reason, approved = null, reopeningId }: Change,
): Promise<{ eventId: string }> {
  const isFreezing = isFrozen(status) && !isFrozen(former)
  if (isFreezing) await saveFacilitySnapshots(db, { id, organizationId }, await readCurrentFacilities(db, id))
  const isOpening = !isFrozen(status) && isFrozen(former)
  await db
    .updateTable('carbonInventories')
    .set({ status, statusReason: reason, ...(isFreezing && NAMES), ...(isOpening && NO_NAMES) })
    .where('id', '=', id)
    .execute()
  if (isOpening) await deleteFacilitySnapshots(db, id)
  // A base year is compared with the boundary of the latest approved inventory.
  if (isFreezing) await checkBaseYearLater(db, id)
  const event = await db
    .insertInto('inventoryStatusEvents')
    .values({
      organizationId,
      inventoryId: id,
      formerStatus: former,
      status,
      reason,
      location: approved?.location ?? null,
      market: approved?.market ?? null,
      gaps: JSON.stringify(approved?.gaps ?? []),
      ...(reopeningId !== undefined && { reopeningId }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { eventId: event.id }
}

async function checkBaseYearLater(db: Database, inventoryId: string): Promise<void> {
  await sql`insert into base_year_checks (inventory_id, organization_id)
    select b.id, b.organization_id from carbon_inventories i join carbon_inventories b on b.customer_id = i.customer_id
      and b.organization_id = i.organization_id and b.boundary = i.boundary
    where i.id = ${inventoryId} and b.is_base_year and b.status in ('approved', 'locked')
    on conflict (customer_id, inventory_id) do update set since = app_clock_timestamp()`.execute(db)
}

const nameOf = (column: string) => sql<string | null>`(select u.first_name || ' ' || u.last_name from users u
  where u.customer_id = carbon_inventories.customer_id and u.id = ${sql.ref(`carbon_inventories.${column}`)})`
const NAMES = {
  ownerName: nameOf('owner_id'),
  reviewerName: nameOf('reviewer_id'),
  approverName: nameOf('approver_id'),
}
const NO_NAMES = { ownerName: null, reviewerName: null, approverName: null }

/** The status changes of an inventory, newest first. */
export async function readStatusHistory(db: Database, inventoryId: string): Promise<StatusEvent[]> {
  const { rows } = await sql<StatusEvent>`
    select e.id::text, e.former_status, e.status, e.reason, trim_scale(e.location)::text as location,
      trim_scale(e.market)::text as market, e.gaps, e.user_name, ${instant(sql`e.created_at`)} as created_at,
      case when o.id is not null then json_build_object('requestedBy', o.requested_by,
        'requestedAt', ${instant(sql`o.requested_at`)}, 'reason', o.reason) end as reopening
    from inventory_status_events e
    left join inventory_reopenings o on o.customer_id = e.customer_id and o.id = e.reopening_id
    where e.inventory_id = ${inventoryId} order by e.id desc`.execute(db)
  return rows
}

/** Whether an inventory was ever approved. Then it stays, with its history; a trigger keeps it as well. */
export async function wasApproved(db: Database, inventoryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from inventory_status_events where inventory_id = ${inventoryId} and status in ('approved', 'locked') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Who submitted an inventory for review last, and as whom; null if it never was. */
export async function readSubmitter(
  db: Database,
  inventoryId: string,
): Promise<{ userId: string | null; effectiveUserId: string | null } | null> {
  const found = await db
    .selectFrom('inventoryStatusEvents')
    .select(['userId', 'effectiveUserId'])
    .where('inventoryId', '=', inventoryId)
    .where('status', '=', 'in_review')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** Who approved and locked an inventory, and as whom. */
export async function readApprovers(db: Database, inventoryId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ userId: string | null; effectiveUserId: string | null }>`
    select e.user_id::text, e.effective_user_id::text from inventory_status_events e
    where e.inventory_id = ${inventoryId} and e.status in ('approved', 'locked') order by e.id desc limit 5`.execute(
    db,
  )
  return [...new Set(rows.flatMap(({ userId, effectiveUserId }) => [userId, effectiveUserId]))]
}
