import { Link } from '@tanstack/react-router'
import type { ADVERTISED_LIST, AdvertisedPrice } from '#contract/inventory/pricing/advertised-prices.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatInstant } from './instant.ts'
import { formatPrice } from '../vehicles/vehicle-labels.ts'

/** Custom cells of the list. */
export const CELLS: Cells<AdvertisedPrice, keyof typeof ADVERTISED_LIST.fields> = {
  title: (price) => <VehicleLink price={price} />,
  price: (one) => <Money cents={one.priceCents} currency={one.currency} />,
  total: (one) => <Money cents={one.totalCents} currency={one.currency} />,
  selling: (one) => <Money cents={one.sellingCents} currency={one.currency} />,
  fromAt: ({ fromAt }) => formatInstant(fromAt),
  untilAt: ({ untilAt }) => (untilAt === null ? 'Today' : formatInstant(untilAt)),
}

export const WIDTHS = {
  title: 240,
  vin: 168,
  stock: 108,
  channelName: 160,
  price: 96,
  total: 96,
  selling: 128,
  law: 116,
  fromAt: 148,
  untilAt: 148,
}

/** A row on a narrow screen. */
export function AdvertisedBlock({ price }: { price: AdvertisedPrice }) {
  const { channelName, vin, fromAt, untilAt, priceCents, currency } = price
  return (
    <>
      <div className="fc-block-head">
        <VehicleLink price={price} />
        <Money cents={priceCents} currency={currency} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[channelName, vin].filter(Boolean).join(', ')}</bdi>
      </div>
      <div className="fc-small">
        {formatInstant(fromAt)} to {untilAt === null ? 'today' : formatInstant(untilAt)}
      </div>
    </>
  )
}

function Money({ cents, currency }: { cents: number; currency: string }) {
  return <bdi className="fc-number">{formatPrice(cents, currency)}</bdi>
}

/** Opens the evidence of the row. */
function VehicleLink({ price: { id, title, stock } }: { price: AdvertisedPrice }) {
  return (
    <Link
      from="/inventory/advertised-prices"
      to="/inventory/advertised-prices"
      search={(before) => ({ ...before, price: id })}
      className="fc-name"
    >
      <bdi>{title || stock || 'Unnamed vehicle'}</bdi>
    </Link>
  )
}
