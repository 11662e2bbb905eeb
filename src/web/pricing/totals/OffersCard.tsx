import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { formatMinute } from './format-minute.ts'

/** Offers below the price: who gets them, and until when. Never part of the total. */
export function OffersCard({ price: { offers, currency } }: { price: VehiclePrice }) {
  return (
    <section className="fc-side-card" aria-labelledby="price-offers">
      <div className="fc-side-head">
        <h2 id="price-offers">Conditional offers</h2>
        <span className="fc-small fc-soft">Not in the total</span>
      </div>
      <ul className="fc-offers">
        {offers.map(({ ruleId, name, cents, qualifier, disclaimer, until, isRebate }) => (
          <li key={ruleId}>
            <span className="fc-grow">
              <Link to="/inventory/pricing-rules" search={{ rule: ruleId }} className="fc-link">
                <bdi>{name}</bdi>
              </Link>
              <span className="fc-second">
                <bdi>
                  {[
                    isRebate ? 'For every buyer, not deducted by the price rules of the lot' : qualifier,
                    until !== null && `until ${formatMinute(until)}`,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </bdi>
              </span>
              {disclaimer !== null && (
                <span className="fc-second">
                  <bdi>{disclaimer}</bdi>
                </span>
              )}
            </span>
            <bdi className="fc-number">{formatPrice(cents, currency)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
