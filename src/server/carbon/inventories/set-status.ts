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
import type { holdInventory } from './hold-inventory.ts'

type LockedRow = Awaited<ReturnType<typeof holdInventory>>

/**
 * Takes an inventory that is held to another status. Before it is frozen, what waits is reckoned: later it would never be.
 * @throws Failure 409 where that status does not follow or too much waits, 400 without a reason that is needed, 403 where four eyes are
 * required and the caller is the owner.
 */
export async function setStatus(
  db: Database,
  actor: Member,
  held: LockedRow,
  { status, reason }: { status: InventoryStatus; reason: string | null },
): Promise<void> {
  const step = STATUS_STEPS[held.status].find(({ to }) => to === status)
  if (step === undefined) {
    throw conflict(
      `${held.name} is ${STATUS_NAMES[held.status].toLowerCase()} and cannot become ${STATUS_NAMES[status].toLowerCase()} from there.`,
    )
  }
  if (step.needsReason && reason === null) throw refused('Some fields are not right.', { reason: 'Say why.' })
  if (status === 'approved' && held.status === 'in_review') refuseApproval(actor, held)
  if (isFrozen(status) && !isFrozen(held.status)) await recalculateInventory(db, held)
  await db
    .updateTable('carbonInventories')
    .set({ status, statusReason: reason })
    .where('id', '=', held.id)
    .execute()
}

/** @throws Failure 409 where more waits than one person is held up for. */
async function recalculateInventory(db: Database, { id, name }: LockedRow): Promise<void> {
  const waiting = await recalculateStale(db, id)
  if (waiting === 0) return
  throw conflict(
    `Figures of ${name} are reckoned anew at this moment. Look at them in a few minutes, and approve it then.`,
  )
}

/** Whoever acts in another's skin is both: neither of the two may be the owner. */
function refuseApproval(actor: Member, { name, ownerId, approverId, fourEyes }: LockedRow): void {
  const isOwner = ownerId !== null && (ownerId === actor.userId || ownerId === actor.effectiveUserId)
  if (fourEyes && isOwner) {
    throw forbidden(`${name} needs four eyes: its owner cannot approve it.`)
  }
  if (approverId !== null && approverId !== actor.effectiveUserId) {
    throw forbidden(`Only the approver of ${name} may approve it.`)
  }
}
