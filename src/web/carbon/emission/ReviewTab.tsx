import type { Inventory } from '#contract/carbon/inventories.ts'
import { isFrozen } from '#contract/carbon/inventory-fields.ts'
import { ReviewBoard } from '../review/ReviewBoard.tsx'

/** Where figures that were handed in are looked at. */
export function ReviewTab({ inventory }: { inventory: Inventory }) {
  return <ReviewBoard inventoryId={inventory.id} isFrozen={isFrozen(inventory.status)} />
}
