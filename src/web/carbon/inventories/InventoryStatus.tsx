import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import type { InventoryRow } from '#contract/carbon/inventories/inventories.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  collecting: { tone: 'info', mark: 'quarter' },
  in_review: { tone: 'info', mark: 'half' },
  approved: { tone: 'good', mark: 'check' },
  locked: { tone: 'good', mark: 'pause' },
  restated: { tone: 'mute', mark: 'dash' },
} as const

/** The status of an inventory, as an icon and a word. */
export function InventoryStatus({
  status,
  isPill = false,
}: Pick<InventoryRow, 'status'> & { isPill?: boolean }) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {STATUS_NAMES[status]}
    </Status>
  )
}
