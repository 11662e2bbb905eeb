import type {
  ApprovalCheck,
  ApprovalTotal,
  inventoryApproval,
} from '#contract/carbon/inventories/approval.ts'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import {
  type InventoryStatus,
  STATUS_NAMES,
  STATUS_STEPS,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import type { Member } from '#server/http/actor.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, Failure, forbidden, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { recalculateStale } from '../calculation/recalculate.ts'
import { changeStatus, readStatusHistory, readSubmitter } from '../inventories/change-status.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readInventory } from '../inventories/inventory-rows.ts'
import { lockInventoryRow } from '../staleness/lock-inventory-row.ts'
import { readApprovalFacts } from './approval-check.ts'
import { approveInventory } from './approve-inventory.ts'

/** What an approver has to know, and the history of an inventory's status. */
export const inventoryApprovalHandlers: Handlers<typeof inventoryApproval> = {
  async check({ db, actor, input }) {
    const inventory = await readInventory(db, input.inventory)
    const facts = await readApprovalFacts(db, input.inventory)
    return { ...facts, refusal: await approvalRefusal(db, actor, inventory) }
  },

  async history({ db, input }) {
    await findInventory(db, input.inventory)
    return readStatusHistory(db, input.inventory)
  },
}

/** The one change of an inventory that can be an approval. */
export const setStatusHandler: Pick<Handlers<typeof carbonInventories>, 'setStatus'> = {
  async setStatus({ db, actor, input: { id, version, ...change } }) {
    const inventory = await lockInventoryRow(db, id)
    if (version !== undefined && version !== inventory.version) {
      throw stale('This inventory', await readInventory(db, id))
    }
    await setStatus(db, actor, inventory, change)
    return readInventory(db, id)
  },
}

type StoredInventory = Awaited<ReturnType<typeof lockInventoryRow>>
type Request = { status: InventoryStatus; reason: string | null; seen?: ApprovalTotal | undefined }

/**
 * Changes the status of an inventory that is locked for update. An approval freezes the figures, so stale sources are
 * recalculated first, and the total has to be the one that the approver saw. What two people approved is unlocked and reopened by
 * two people (`reopenings.ts`).
 * @throws Failure 409 for a status that can't follow, too many stale sources or another total, 400 for a missing reason, 403
 * if someone else must approve.
 */
async function setStatus(
  db: Database,
  actor: Member,
  inventory: StoredInventory,
  { status, reason, seen }: Request,
): Promise<void> {
  const step = STATUS_STEPS[inventory.status].find(({ to }) => to === status)
  if (step === undefined) {
    throw conflict(
      `The status of ${inventory.name} can't change from ${STATUS_NAMES[inventory.status].toLowerCase()} to ${STATUS_NAMES[status].toLowerCase()}.`,
    )
  }
  if (step.needsReason && reason === null)
    throw refused('Some fields are invalid.', { reason: 'Enter a reason.' })
  if (status === 'approved' && inventory.status === 'in_review') {
    const approved = await checkApproval(db, actor, inventory, { reason, seen })
    await approveInventory(db, inventory, { reason, approved })
    return
  }
  if (inventory.twoPersonApproval && isOpening(inventory.status, status))
    throw conflict(
      `${inventory.name} was approved by two people, so a second person must confirm this. Request it with the reason.`,
    )
  await changeStatus(db, inventory, { status, reason })
}

/** Unlocking a locked inventory, and reopening an approved one. */
const isOpening = (former: InventoryStatus, status: InventoryStatus): boolean =>
  (former === 'locked' && status === 'approved') || (former === 'approved' && status === 'collecting')

/** @returns the approved total and what is missing. */
async function checkApproval(
  db: Database,
  actor: Member,
  inventory: StoredInventory,
  { reason, seen }: Pick<Request, 'reason' | 'seen'>,
): Promise<Omit<ApprovalCheck, 'refusal'>> {
  const { id, name } = inventory
  const refusal = await approvalRefusal(db, actor, inventory)
  if (refusal !== null) throw forbidden(refusal)
  if (seen === undefined)
    throw refused('Some fields are invalid.', {
      seen: 'Enter the total you approve, as get-approval-check returns it.',
    })
  if ((await recalculateStale(db, id)) > 0)
    throw conflict(`${name} is being recalculated. Review the totals in a few minutes and approve it then.`)
  const facts = await readApprovalFacts(db, id)
  if (!isSame(facts, seen)) throw await otherTotal(db, inventory, facts)
  if (facts.gaps.length > 0 && reason === null) {
    const missing = facts.gaps.map(({ sentence }) => sentence).join(' ')
    throw refused(`${name} is not complete. ${missing} Enter why you approve it anyway.`, {
      reason: 'Enter why you approve it although data is missing.',
    })
  }
  return facts
}

const isSame = (one: ApprovalTotal, other: ApprovalTotal): boolean =>
  new Figure(one.location).equals(other.location) && new Figure(one.market).equals(other.market)

/** States the current total, so that the approver can look at it and decide again. */
async function otherTotal(
  db: Database,
  { id, name }: StoredInventory,
  { location, market }: ApprovalTotal,
): Promise<Failure> {
  return new Failure(
    409,
    `The total of ${name} is now ${showFigure(location, 9)} kg CO2e (location-based) and ${showFigure(market, 9)} kg CO2e (market-based), which is not what you saw. Review it before you approve it.`,
    { current: await readInventory(db, id) },
  )
}

/**
 * Why a user can't approve an inventory; null if they can. With two-person approval, it must be someone other than the owner
 * and the person who submitted it. While impersonating, neither the real user nor the effective user may be one of them.
 */
async function approvalRefusal(
  db: Database,
  actor: Pick<Member, 'userId' | 'effectiveUserId'>,
  {
    id,
    name,
    ownerId,
    approverId,
    twoPersonApproval,
  }: Pick<StoredInventory, 'id' | 'name' | 'ownerId' | 'approverId' | 'twoPersonApproval'>,
): Promise<string | null> {
  const isMe = (userId: string | null) =>
    userId !== null && (userId === actor.userId || userId === actor.effectiveUserId)
  if (twoPersonApproval) {
    if (isMe(ownerId)) return `${name} requires two-person approval: its owner can't approve it.`
    const submitter = await readSubmitter(db, id)
    if (submitter === null)
      return `${name} requires two-person approval, and it is not recorded who submitted it. Return it to collecting and submit it again.`
    if (isMe(submitter.userId) || isMe(submitter.effectiveUserId))
      return `${name} requires two-person approval: you submitted it for review, so someone else must approve it.`
  }
  if (approverId !== null && approverId !== actor.effectiveUserId)
    return `Only the approver of ${name} can approve it.`
  return null
}
