import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { formatValuation } from './valuation-text.ts'
import { formatMileage, formatPrice, PRICE_STATE_NAMES } from '../vehicle-labels.ts'
import { PriceLink } from '../PriceLink.tsx'
import { VehicleStatus } from '../VehicleStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const NEEDED_FOR_COST = VEHICLE_LIST.fields.cost.needs

/** The figures that the Price tab explains. */
const EXPLAINED = new Set(['Total price', 'Selling price', 'Price'])

/** Key facts: whether the vehicle is published, its lot, tags and figures. */
export function VehicleFacts({ vehicle }: { vehicle: Vehicle }) {
  const holds = useHolds()
  const today = useToday()
  const { notPublishedReason, lotId, lotName, daysInStock, tags } = vehicle
  const seesCost = NEEDED_FOR_COST !== undefined && holds(NEEDED_FOR_COST) === true
  const price = (cents: number | null) => formatPrice(cents, vehicle.currency)
  // Missing figures are hidden, except for the price.
  const figures: [title: string, value: string, about: string][] = [
    ['Total price', price(vehicle.totalPriceCents), 'With fees'],
    ['Selling price', price(vehicle.sellingPriceCents), 'After rules'],
    [
      'Price',
      price(vehicle.priceCents) || 'Not set',
      vehicle.priceState === null ? '' : (PRICE_STATE_NAMES.get(vehicle.priceState) ?? ''),
    ],
    ['MSRP', price(vehicle.msrpCents), ''],
    ['Cost', seesCost ? price(vehicle.costCents) : '', ''],
    ['Market price', price(vehicle.marketPriceCents), formatValuation(vehicle, 'marketPrice', today)],
    ['Book value', price(vehicle.bookValueCents), formatValuation(vehicle, 'bookValue', today)],
    ['Mileage', formatMileage(vehicle), ''],
    ['In stock', daysInStock === null ? '' : count(daysInStock, 'day', 'days'), ''],
  ]
  return (
    <div className="fc-vehicle">
      <p className="fc-vehicle-status">
        <VehicleStatus of={vehicle} />
        {vehicle.status !== 'live' && vehicle.statusReason !== null && <bdi>{vehicle.statusReason}</bdi>}
        {notPublishedReason !== null && (
          <span>
            Not published: <bdi>{notPublishedReason}</bdi>
          </span>
        )}
        <span className="fc-soft">
          {'Lot: '}
          <Link to="/customers/lots" search={{ lot: lotId }} className="fc-link">
            <bdi>{lotName}</bdi>
          </Link>
        </span>
      </p>
      {tags.length > 0 && (
        <ul className="fc-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      <dl className="fc-vehicle-figures">
        {figures
          .filter(([, value]) => value !== '')
          .map(([title, value, about]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                {EXPLAINED.has(title) ? <PriceLink vehicle={vehicle} price={value} /> : <bdi>{value}</bdi>}
                {about !== '' && <span className="fc-figure-about">{about}</span>}
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}
