import type { Lot } from '#contract/customers/lots.ts'
import type { Column } from '#web/ui/DataTable.tsx'
import { formatDay } from '#web/ui/moment.ts'
import { Status } from '#web/ui/Status.tsx'
import { LotLink } from './LotLink.tsx'
import { showAddress, TYPE_NAMES } from './lot-fields.ts'

/** The columns of the list; sortable ones carry the names the contract sorts by. */
export const columns: readonly Column<Lot>[] = [
  { id: 'code', title: 'Code', isSortable: true, cell: (lot) => <bdi className="fc-number">{lot.code}</bdi> },
  {
    id: 'name',
    title: 'Lot',
    isSortable: true,
    cell: (lot) => (
      <>
        <LotLink lot={lot} />
        <span className="fc-second">
          <bdi>{lot.makes.length === 0 ? 'All makes' : lot.makes.join(', ')}</bdi>
        </span>
      </>
    ),
  },
  { id: 'type', title: 'Type', isSortable: true, cell: (lot) => TYPE_NAMES[lot.type] },
  {
    id: 'city',
    title: 'Address',
    isSortable: true,
    cell: (lot) => <Address lot={lot} />,
  },
  {
    id: 'organizationName',
    title: 'Organization',
    isSortable: true,
    cell: (lot) => <bdi>{lot.organizationName}</bdi>,
  },
  { id: 'isPublic', title: 'Public pages', cell: (lot) => <Visibility lot={lot} /> },
  {
    id: 'updatedAt',
    title: 'Changed',
    isSortable: true,
    isNumber: true,
    cell: (lot) => (
      <>
        {formatDay(lot.updatedAt)}
        {lot.updatedBy !== null && (
          <span className="fc-second">
            <bdi>{lot.updatedBy}</bdi>
          </span>
        )}
      </>
    ),
  },
]

/** A row on a narrow screen. */
export function LotBlock({ lot }: { lot: Lot }) {
  return (
    <>
      <div className="fc-block-head">
        <LotLink lot={lot} />
        <bdi className="fc-number">{lot.code}</bdi>
      </div>
      <div className="fc-small fc-faint">
        {TYPE_NAMES[lot.type]} · <bdi>{showAddress(lot) || 'No address'}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <Visibility lot={lot} />
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
