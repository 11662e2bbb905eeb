import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Puts an inventory where the steps read it, and lets everything that shows it be read anew. */
export async function setInventoryInCache(inventory: Inventory): Promise<void> {
  queryClient.setQueryData([...keyOf(carbonInventories.get), { id: inventory.id }], inventory)
  await queryClient.invalidateQueries({ queryKey: keyOf(carbonInventories.list) })
}

/** After its facilities changed: how far the steps are, and what is assigned, follow from them. */
export async function invalidateInventory(): Promise<void> {
  const { get, list } = carbonInventories
  await Promise.all(
    [get, list, carbonAssignments.facilities, carbonAssignments.sources].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
