import { getRouteApi } from '@tanstack/react-router'
import type { Inventory } from '#contract/carbon/inventories.ts'
import { isFrozen } from '#contract/carbon/inventory-fields.ts'
import { ActivityBoard } from '../activity/ActivityBoard.tsx'

const route = getRouteApi('/shell/carbon/emission')

/** Where the figures of the sources stand; which of them is open stands in the URL. */
export function ActivityTab({ inventory }: { inventory: Inventory }) {
  const { source, drawer } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ActivityBoard
      inventoryId={inventory.id}
      isFrozen={isFrozen(inventory.status)}
      source={source}
      // What is not saved of a source stays in the browser until it is opened again.
      isImporting={drawer === 'import'}
      onImport={(isOpen) =>
        void navigate({
          search: (before) => ({ ...before, drawer: isOpen ? ('import' as const) : undefined }),
          ignoreBlocker: true,
        })
      }
      onSource={(id) =>
        void navigate({ search: (before) => ({ ...before, source: id }), ignoreBlocker: true })
      }
    />
  )
}
