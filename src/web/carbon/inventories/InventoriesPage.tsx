import { IconBuildings, IconPlant2, IconPlus, IconScale } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { carbonGroup } from '#contract/carbon/results/group.ts'
import { carbonInventories, type ListedInventory } from '#contract/carbon/inventories/inventories.ts'
import { INVENTORY_LIST } from '#contract/carbon/inventories/inventory-list.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { OpenRequests } from '../activity/requests/OpenRequests.tsx'
import { CELLS, InventoryBlock, WIDTHS } from './inventory-columns.tsx'

const route = getRouteApi('/shell/carbon')

/** The list of carbon inventories with their status and totals. */
export function InventoriesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const add = (
    <Action
      for={carbonInventories.add}
      onClick={() => void navigate({ to: '/carbon/start', search: { inventory: 'new' } })}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add inventory
    </Action>
  )
  return (
    <ListPage
      list={INVENTORY_LIST}
      endpoint={carbonInventories.list}
      search={search}
      onShow={(change, { replaces }) =>
        void navigate({ search: (before) => ({ ...before, ...change }), replace: replaces })
      }
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      searches="Name, organization"
      note={showOpenRequests}
      actions={
        <>
          <Action
            for={carbonGroup.get}
            variant="default"
            onClick={() => void navigate({ to: '/carbon/group' })}
            leftSection={<IconBuildings size={16} aria-hidden="true" />}
          >
            Group
          </Action>
          <Action
            for={carbonComparison.compare}
            variant="default"
            onClick={() => void navigate({ to: '/carbon/compare' })}
            leftSection={<IconScale size={16} aria-hidden="true" />}
          >
            Compare
          </Action>
          {add}
        </>
      }
      empty={
        <EmptyState
          tone="brand"
          icon={<IconPlant2 size={18} />}
          title="No inventories yet"
          text="An inventory covers one period of one organization: its facilities, emission sources, data owners and results."
        >
          {add}
        </EmptyState>
      }
    />
  )
}

function showOpenRequests() {
  return <OpenRequests />
}

function showBlock(row: ListedInventory) {
  return <InventoryBlock row={row} />
}
