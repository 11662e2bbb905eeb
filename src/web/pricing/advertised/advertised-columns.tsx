import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { advertisedPrices } from '#contract/pricing/advertised/advertised-prices.ts'
import type {
  ADVERTISED_LIST,
  AdvertisedPrice,
  ShownBeside,
} from '#contract/pricing/advertised/advertised-prices.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatInstant } from '../totals/instant.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<AdvertisedPrice, keyof typeof ADVERTISED_LIST.fields> = {
  title: (price) => <VehicleLink price={price} />,
  price: (one) => <Money of={one} cents={one.priceCents} />,
  total: (one) => <Money of={one} cents={one.totalCents} />,
  selling: (one) => <Money of={one} cents={one.sellingCents} />,
  fromAt: ({ fromAt }) => formatInstant(fromAt),
  untilAt: ({ untilAt }) => (untilAt === null ? 'Still advertised' : formatInstant(untilAt)),
  page: ({ shown }) => shown?.page,
  file: ({ shown }) => shown?.file,
  msrp: (one) => one.shown?.msrpCents != null && <Money of={one} cents={one.shown.msrpCents} />,
  offers: ({ shown, currency }) =>
    kept(shown, ({ offers }) =>
      offers.map(({ name, cents }) => `${formatPrice(cents, currency)} ${name}`).join(', '),
    ),
  disclaimers: ({ shown }) => kept(shown, ({ disclaimers }) => disclaimers.join(' ')),
  record: ({ shown }) => shown?.record,
  sha256: ({ shown }) => shown?.sha256,
}

const kept = (shown: AdvertisedPrice['shown'], text: (shown: ShownBeside) => string) =>
  shown === null ? <span className="fc-faint">Not kept</span> : <bdi>{text(shown)}</bdi>

export const WIDTHS = {
  title: 240,
  vin: 184,
  stock: 108,
  channelName: 160,
  price: 96,
  total: 96,
  selling: 128,
  law: 116,
  fromAt: 176,
  untilAt: 176,
  page: 260,
  file: 160,
  msrp: 128,
  offers: 240,
  disclaimers: 260,
  record: 260,
  sha256: 260,
}

/** A row on a narrow screen. */
export function AdvertisedBlock({ price }: { price: AdvertisedPrice }) {
  const { channelName, vin, fromAt, untilAt, priceCents } = price
  return (
    <>
      <div className="fc-block-head">
        <VehicleLink price={price} />
        <Money of={price} cents={priceCents} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[channelName, vin].filter(Boolean).join(', ')}</bdi>
      </div>
      <div className="fc-small">
        {formatInstant(fromAt)} to {untilAt === null ? 'now' : formatInstant(untilAt)}
      </div>
    </>
  )
}

/** Opens how the amount was calculated. */
function Money({ of: { id, currency }, cents }: { of: AdvertisedPrice; cents: number }) {
  return (
    <Link
      from="/inventory/advertised-prices"
      to="/inventory/advertised-prices"
      search={(before) => ({ ...before, price: id })}
      className="fc-link fc-number"
      title="How the total price was calculated"
    >
      <bdi>{formatPrice(cents, currency)}</bdi>
    </Link>
  )
}

/** Opens the evidence of the row. */
function VehicleLink({ price: { id, title, stock } }: { price: AdvertisedPrice }) {
  return (
    <MayOpen for={advertisedPrices.get}>
      <Link
        from="/inventory/advertised-prices"
        to="/inventory/advertised-prices"
        search={(before) => ({ ...before, price: id })}
        className="fc-name"
      >
        <bdi>{title || stock || 'Unnamed vehicle'}</bdi>
      </Link>
    </MayOpen>
  )
}
