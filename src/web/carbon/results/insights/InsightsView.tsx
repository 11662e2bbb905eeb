import { getRouteApi } from '@tanstack/react-router'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { InsightsBoard } from './InsightsBoard.tsx'

const route = getRouteApi('/shell/carbon/insights')

/** The insights of an inventory. What is open is in the URL. */
export function InsightsView({ inventory }: { inventory: Inventory }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <InsightsBoard
      inventoryId={inventory.id}
      search={search}
      onShow={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  )
}
