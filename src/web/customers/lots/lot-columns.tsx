import type { LOT_LIST } from '#contract/customers/lots/lot-list.ts'
import type { Lot } from '#contract/customers/lots/lots.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { LotLink } from './LotLink.tsx'
import { OpenNow } from './OpenNow.tsx'
import { showAddress, TYPE_NAMES } from './lot-form.ts'

/** Custom cells. */
export const CELLS: Cells<Lot, keyof typeof LOT_LIST.fields> = {
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
  hours: (lot) => <OpenNow lot={lot} />,
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

export const WIDTHS = { code: 88, address: 224, hours: 176 }

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
        <span className="fc-row">
          <Visibility lot={lot} />
          <OpenNow lot={lot} />
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
