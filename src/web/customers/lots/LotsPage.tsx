import { IconMapPin, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LOT_LIST } from '#contract/customers/lots/lot-list.ts'
import { type Lot, lots } from '#contract/customers/lots/lots.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { LOT_ACTIONS } from './lot-actions.tsx'
import { UnmatchedDealers } from './UnmatchedDealers.tsx'
import { CELLS, LotBlock, WIDTHS } from './lot-columns.tsx'

const route = getRouteApi('/shell/customers/lots')

/** Loaded when a lot is opened: saves 30 kB for the list. */
const LotDrawer = lazy(async () => ({ default: (await import('./LotDrawer.tsx')).LotDrawer }))

/** The lots within the user's reach; one opens in a drawer with its own URL. */
export function LotsPage() {
  const search = route.useSearch()
  const { lot } = search
  const { onShow, open, close, onCreated } = useListRoute('lot')
  const add = (
    <Action
      for={lots.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add lot
    </Action>
  )
  return (
    <>
      <ListPage
        list={LOT_LIST}
        endpoint={lots.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={lot}
        searches="Code, name, address, make"
        actions={add}
        note={showUnmatched}
        bulk={LOT_ACTIONS}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconMapPin size={18} />}
            title="No lots yet"
            text="A lot is a location where you keep vehicles. Inventory, leads and pages refer to lots."
          >
            {add}
          </EmptyState>
        }
      />
      {lot !== undefined && (
        <Suspense>
          <LotDrawer key={lot} id={lot} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showUnmatched() {
  return <UnmatchedDealers />
}

function showBlock(lot: Lot) {
  return <LotBlock lot={lot} />
}
