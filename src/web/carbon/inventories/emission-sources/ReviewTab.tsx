import { getRouteApi } from '@tanstack/react-router'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import { ReviewBoard } from '#web/carbon/review/ReviewBoard.tsx'

const route = getRouteApi('/shell/carbon/emission')

/** The review of submitted records. The filter, all or flagged, is in the URL. */
export function ReviewTab({ inventory }: { inventory: Inventory }) {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ReviewBoard
      inventoryId={inventory.id}
      isFrozen={isFrozen(inventory.status)}
      isUnusualOnly={show === 'unusual'}
      onUnusualOnly={(isOnly) =>
        void navigate({
          search: (before) => ({ ...before, show: isOnly ? ('unusual' as const) : undefined }),
          ignoreBlocker: true,
        })
      }
    />
  )
}
