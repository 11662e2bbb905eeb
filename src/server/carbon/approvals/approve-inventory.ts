import type { ApprovalCheck } from '#contract/carbon/inventories/approval.ts'
import type { InventoryStatus } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { changeStatus } from '../inventories/change-status.ts'
import { storeApproval } from './store-approval.ts'

type Inventory = { id: string; organizationId: string; status: InventoryStatus }
type Approval = { reason: string | null; approved: Omit<ApprovalCheck, 'refusal'> }

/** Approves an inventory that is locked for update, and stores what was approved. */
export async function approveInventory(
  db: Database,
  inventory: Inventory,
  { reason, approved }: Approval,
): Promise<void> {
  const { eventId } = await changeStatus(db, inventory, { status: 'approved', reason, approved })
  await storeApproval(db, { ...inventory, eventId })
}
