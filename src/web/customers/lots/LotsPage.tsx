import { IconMapPin, IconEye, IconEyeOff } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type Lot, LOT_LIST, LOT_TYPES, lots } from '#contract/customers/lots/lots.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import type { RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { OpenNow } from '#web/ui/record/opening-hours/OpenNow.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { UnmatchedDealers } from '../dealer-ids/UnmatchedDealers.tsx'
import { showAddress } from './lot-form.ts'
import { send } from '#web/api/query.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'

const changeLots = send(lots.change)

/** Bulk actions for lots. */
const LOT_ACTIONS: readonly BulkAction[] = [
  {
    id: 'show',
    label: 'Show',
    icon: <IconEye size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: lots.change,
    start: (selection) => changeLots({ selection, change: { isPublic: true } }),
  },
  {
    id: 'hide',
    label: 'Hide',
    icon: <IconEyeOff size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: lots.change,
    start: (selection) => changeLots({ selection, change: { isPublic: false } }),
  },
]

/** The lots within the user's reach; one opens in a drawer with its own URL. */
export function LotsPage({ Drawer }: { Drawer: ComponentType<RecordDrawerProps> }) {
  return (
    <RecordList
      list={LOT_LIST}
      calls={lots}
      param="lot"
      Drawer={Drawer}
      roles={ROLES}
      cells={CELLS}
      second={showMakes}
      widths={WIDTHS}
      searches="Code, name, address, make"
      note={showUnmatched}
      bulk={LOT_ACTIONS}
      removeText="They will be removed from all lists. Lots with vehicles aren't deleted, and are listed afterward."
      icon={<IconMapPin size={18} />}
      purpose="A lot is a location where you keep vehicles. Inventory, leads and pages refer to lots."
    />
  )
}

function showUnmatched() {
  return <UnmatchedDealers />
}

const showMakes = ({ makes }: Lot) => <bdi>{makes.length === 0 ? 'All makes' : makes.join(', ')}</bdi>

/** The card of a lot on a narrow screen. */
const ROLES = {
  code: 'code',
  line: (lot: Lot) => (
    <>
      {labelOf(LOT_TYPES, lot.type)} · <bdi>{showAddress(lot) || 'No address'}</bdi>
    </>
  ),
  marks: ['isPublic', 'hours'],
} as const

/** Custom cells. */
const CELLS: Cells<Lot, keyof typeof LOT_LIST.fields> = {
  code: (lot) => <bdi className="fc-number">{lot.code}</bdi>,
  address: (lot) => <Address lot={lot} />,
  phone: (lot) => <bdi className="fc-number">{lot.phone}</bdi>,
  timeZone: (lot) => <bdi>{lot.timeZone ?? 'Same as organization'}</bdi>,
  makes: showMakes,
  hours: (lot) => <OpenNow times={lot} />,
  isPublic: (lot) => <Visibility lot={lot} />,
}

const WIDTHS = { code: 88, address: 224, hours: 176 }

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
  if (lot.isPublic && !lot.isVisible) {
    return (
      <Status tone="mute" mark="dash">
        Hidden: organization archived
      </Status>
    )
  }
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
