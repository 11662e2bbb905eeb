import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { labelOf } from '#contract/record.ts'
import { formatMinute } from './format-minute.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const ORIGINS: Readonly<Record<VehiclePrice['law']['origin'], string>> = {
  lot: 'set for the lot',
  state: "by the lot's state",
  customer: 'from the company details',
}

/** The total price with the figures next to it, and the price rules that decided it. */
export function TotalCard({ price, vehicle }: { price: VehiclePrice; vehicle: VehicleRecord }) {
  const { currency, totalCents, sellingCents, costCents, nextChange, law } = price
  const money = (cents: number) => formatPrice(cents, currency)
  const rows: [title: string, value: string][] = []
  if (costCents !== null && sellingCents !== null) {
    rows.push(['Cost', money(costCents)], ['Selling price above cost', money(sellingCents - costCents)])
  }
  if (nextChange !== null) {
    rows.push([`From ${formatMinute(nextChange.minute)}`, money(nextChange.totalCents)])
  }
  return (
    <section className="fc-side-card fc-total" aria-labelledby="total-price">
      <h2 id="total-price">Total price</h2>
      <p className="fc-total-amount">
        <bdi>{totalCents === null ? '' : money(totalCents)}</bdi>
      </p>
      <p className="fc-small fc-soft">
        <bdi>{compare(price, money)}</bdi>
      </p>
      {rows.length > 0 && (
        <dl>
          {rows.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd className="fc-number">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <h3>Price rules</h3>
      <p className="fc-small">
        <bdi>
          {labelOf(PRICE_LAWS, law.code)}, {ORIGINS[law.origin]}
        </bdi>
        {': '}
        <Link to="/customers/lots" search={{ lot: vehicle.lotId }} className="fc-link">
          <bdi>{vehicle.lotName}</bdi>
        </Link>
      </p>
      {law.sentence !== null && (
        <p className="fc-small">
          Shown next to the price: <bdi>{law.sentence}</bdi>
        </p>
      )}
      {law.lacksFees && (
        <p className="fc-small">
          Buyers don’t read what the price includes, because no dealer fee is entered for this vehicle. If
          there is none, enter a fee of 0.{' '}
          <Link to="/customers/details" className="fc-link">
            Fees
          </Link>
        </p>
      )}
      <details>
        <summary>Source</summary>
        <p className="fc-small fc-soft">
          <bdi>{law.source}.</bdi>
          {law.otherReading !== null && <bdi> {law.otherReading}</bdi>}
          {law.code !== 'none' &&
            !law.deductsRebates &&
            ' Rebates that every buyer gets are listed below the price.'}{' '}
          This is guidance, not legal advice.
        </p>
      </details>
    </section>
  )
}

/** "$3,645 under MSRP $47,825". A market price has a source and a date, so it is on the Data tab. */
function compare({ base, totalCents, msrpCents }: VehiclePrice, money: (cents: number) => string): string {
  if (base?.field !== 'price' || totalCents === null || msrpCents === null || msrpCents <= 0) return ''
  const difference = msrpCents - totalCents
  if (difference === 0) return `Same as MSRP ${money(msrpCents)}`
  return `${money(Math.abs(difference))} ${difference > 0 ? 'under' : 'over'} MSRP ${money(msrpCents)}`
}
