import type { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import type { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readApprovalFacts } from './approval-check.ts'
import { readStatusHistory } from '../inventories/change-status.ts'
import { readInventory } from '../inventories/inventory-rows.ts'
import { lockInventoryRow } from '../staleness/lock-inventory-row.ts'
import { approvalRefusal, setStatus } from './set-status.ts'

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
