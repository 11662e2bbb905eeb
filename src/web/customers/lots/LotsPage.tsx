import { IconMapPin, IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Lot, LOT_LIST, LOT_TYPES, lots } from '#contract/customers/lots/lots.ts'
import { labelOf } from '#contract/record.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { OpenNow } from '#web/ui/record/opening-hours/OpenNow.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { UnmatchedDealers } from '../dealer-ids/UnmatchedDealers.tsx'
import { LOT_ACTIONS } from './lot-actions.tsx'
import { showAddress } from './lot-form.ts'

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

/** Custom cells. */
const CELLS: Cells<Lot, keyof typeof LOT_LIST.fields> = {
  name: (lot) => (
    <>
      <LotLink lot={lot} />
      <span className="fc-second">
        <bdi>{lot.makes.length === 0 ? 'All makes' : lot.makes.join(', ')}</bdi>
      </span>
    </>
  ),
  code: (lot) => <bdi className="fc-number">{lot.code}</bdi>,
  address: (lot) => <Address lot={lot} />,
  phone: (lot) => <bdi className="fc-number">{lot.phone}</bdi>,
  timeZone: (lot) => <bdi>{lot.timeZone ?? 'Same as organization'}</bdi>,
  makes: (lot) => <bdi>{lot.makes.length === 0 ? 'All makes' : lot.makes.join(', ')}</bdi>,
  hours: (lot) => <OpenNow times={lot} />,
  isPublic: (lot) => <Visibility lot={lot} />,
  updatedAt: (lot) => (
    <>
      {formatDay(lot.updatedAt)}
      {lot.updatedBy !== null && (
        <span className="fc-second">
          <bdi>{lot.updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}

const WIDTHS = { code: 88, address: 224, hours: 176 }

/** A row on a narrow screen. */
function LotBlock({ lot }: { lot: Lot }) {
  return (
    <>
      <div className="fc-block-head">
        <LotLink lot={lot} />
        <bdi className="fc-number">{lot.code}</bdi>
      </div>
      <div className="fc-small fc-faint">
        {labelOf(LOT_TYPES, lot.type)} · <bdi>{showAddress(lot) || 'No address'}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <span className="fc-row">
          <Visibility lot={lot} />
          <OpenNow times={lot} />
        </span>
        <span className="fc-soft fc-number">{formatDay(lot.updatedAt)}</span>
      </div>
    </>
  )
}

function Address({ lot }: { lot: Lot }) {
  const { address, city, region, postalCode, phone } = lot
  const place = [city, region, postalCode].filter(Boolean).join(' ')
  return (
    <>
      {address === null ? (
        <Status tone="warn" mark="alert">
          No address
        </Status>
      ) : (
        <bdi>{address}</bdi>
      )}
      <span className="fc-second">
        <bdi>{[place, phone].filter(Boolean).join(' · ')}</bdi>
      </span>
    </>
  )
}

function Visibility({ lot }: { lot: Lot }) {
  if (lot.isPublic) {
    return (
      <Status tone="good" mark="check">
        Shown
      </Status>
    )
  }
  return (
    <Status tone="mute" mark="dash">
      Hidden
    </Status>
  )
}

/** Opens a lot from its name, as a link that can be copied or opened in a new tab. */
function LotLink({ lot }: { lot: Lot }) {
  return (
    <Link
      from="/customers/lots"
      to="/customers/lots"
      search={(before) => ({ ...before, lot: lot.id })}
      className="fc-name"
    >
      <bdi>{lot.name}</bdi>
    </Link>
  )
}
