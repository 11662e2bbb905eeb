import {
  isFrozen,
  type InventoryStatus,
  STATUS_NAMES,
  STATUS_STEPS,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { Member } from '#server/http/actor.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import { recalculateStale } from '../calculation/recalculate.ts'
import type { lockInventoryRow } from './lock-inventory-row.ts'

type StoredInventory = Awaited<ReturnType<typeof lockInventoryRow>>

/**
 * Changes the status of an inventory that is locked for update. Before it is frozen, stale sources are recalculated, because
 * later they never would be.
 * @throws Failure 409 for a status that can't follow or too many stale sources, 400 for a missing reason, 403 if someone other
 * than the owner must approve.
 */
export async function setStatus(
  db: Database,
  actor: Member,
  inventory: StoredInventory,
  { status, reason }: { status: InventoryStatus; reason: string | null },
): Promise<void> {
  const step = STATUS_STEPS[inventory.status].find(({ to }) => to === status)
  if (step === undefined) {
    throw conflict(
      `The status of ${inventory.name} can't change from ${STATUS_NAMES[inventory.status].toLowerCase()} to ${STATUS_NAMES[status].toLowerCase()}.`,
    )
  }
  if (step.needsReason && reason === null)
    throw refused('Some fields are invalid.', { reason: 'Enter a reason.' })
  if (status === 'approved' && inventory.status === 'in_review') requireApprover(actor, inventory)
  if (isFrozen(status) && !isFrozen(inventory.status)) await recalculateInventory(db, inventory)
  await db
    .updateTable('carbonInventories')
    .set({ status, statusReason: reason })
    .where('id', '=', inventory.id)
    .execute()
}

/** @throws Failure 409 if there are too many stale sources to recalculate in a request. */
async function recalculateInventory(db: Database, { id, name }: StoredInventory): Promise<void> {
  const waiting = await recalculateStale(db, id)
  if (waiting === 0) return
  throw conflict(`${name} is being recalculated. Review the totals in a few minutes and approve it then.`)
}

/** While impersonating, neither the real user nor the effective user may be the owner. */
function requireApprover(actor: Member, { name, ownerId, approverId, fourEyes }: StoredInventory): void {
  const isOwner = ownerId !== null && (ownerId === actor.userId || ownerId === actor.effectiveUserId)
  if (fourEyes && isOwner) {
    throw forbidden(`${name} requires two-person approval: its owner can't approve it.`)
  }
  if (approverId !== null && approverId !== actor.effectiveUserId) {
    throw forbidden(`Only the approver of ${name} can approve it.`)
  }
}
