import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import type { Caller } from '#test/app.ts'

const STEPS = ['collecting', 'in_review', 'approved', 'locked'] as const

/** Approves an inventory with the total that the approver sees, although data may be missing. */
export async function approveInventory(approver: Caller, id: string) {
  const { location, market } = await approver.call(inventoryApproval.check, { inventory: id })
  const seen = { location, market }
  return approver.call(carbonInventories.setStatus, { id, status: 'approved', reason: 'As agreed', seen })
}

/** Takes a draft through the review: one user submits it, another one approves and locks it. */
export async function takeInventoryTo(
  { submitter, approver }: { submitter: Caller; approver: Caller },
  id: string,
  target: (typeof STEPS)[number],
): Promise<void> {
  for (const status of STEPS.slice(0, STEPS.indexOf(target) + 1)) {
    if (status === 'approved') await approveInventory(approver, id)
    else {
      const who = status === 'locked' ? approver : submitter
      await who.call(carbonInventories.setStatus, { id, status, reason: 'As agreed' })
    }
  }
}
