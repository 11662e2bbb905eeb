import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Stores an inventory in the cache for the steps. */
export function setInventoryInCache(inventory: Inventory): void {
  queryClient.setQueryData([...keyOf(carbonInventories.get), { id: inventory.id }], inventory)
}

/** Call after a change was rejected: someone else may have changed the inventory, its facilities or its assignments. */
export async function reloadInventory(): Promise<void> {
  const { get, list } = carbonInventories
  await Promise.all(
    [get, list, carbonAssignments.facilities, carbonAssignments.sources].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
