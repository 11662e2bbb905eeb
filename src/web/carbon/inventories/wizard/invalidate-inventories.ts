import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Stores an inventory in the cache for the steps, and refetches the list. */
export async function setInventoryInCache(inventory: Inventory): Promise<void> {
  queryClient.setQueryData([...keyOf(carbonInventories.get), { id: inventory.id }], inventory)
  await queryClient.invalidateQueries({ queryKey: keyOf(carbonInventories.list) })
}

/** Call after facilities changed: the step status and the assignments depend on them. */
export async function invalidateInventory(): Promise<void> {
  const { get, list } = carbonInventories
  await Promise.all(
    [get, list, carbonAssignments.facilities, carbonAssignments.sources].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
