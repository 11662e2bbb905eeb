import { type PricePlace, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { formatPrice } from '#web/vehicles/index.ts'
import { formatInstant } from './instant.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Where buyers see a price of this vehicle, and whether it is the current one. */
export function PricePlaces({ vehicle }: { vehicle: VehicleRecord }) {
  const { id } = vehicle
  return (
    <section aria-labelledby="price-places" className="fc-price-lines">
      <div className="fc-side-head">
        <h2 id="price-places">Where buyers see it</h2>
        {vehicle.vin !== null && (
          <Link
            to="/inventory/advertised-prices"
            search={{ search: vehicle.vin }}
            className="fc-link fc-small"
          >
            Earlier prices
          </Link>
        )}
      </div>
      <Loaded
        query={{ ...query(vehiclePrices.places, { id }), staleTime: 0 }}
        what="the channels"
        shape={null}
      >
        {(channels) => (
          <>
            {channels.length === 0 && (
              <p className="fc-small fc-soft">No public site and no channel advertises vehicles yet.</p>
            )}
            {channels.length > 0 && (
              <div className="fc-price-frame fc-price-places">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Place</th>
                      <th scope="col">Status</th>
                      <th scope="col" className="fc-end">
                        Price
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {channels.map((place) => (
                      <Place key={place.channelId ?? 'site'} place={place} />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Place({ place }: { place: PricePlace }) {
  const { currency, priceMeaning, advertised } = place
  return (
    <tr>
      <th scope="row">
        <PlaceName place={place} />
        {priceMeaning === 'without-fees' && (
          <span className="fc-second">Without dealer fees, because the receiver adds them</span>
        )}
      </th>
      <td>
        <State place={place} />
      </td>
      <td className="fc-end fc-number">
        {advertised !== null && (
          <Link
            to="/inventory/advertised-prices"
            search={{ price: advertised.id }}
            className="fc-link"
            title="Proof of price"
          >
            <bdi>{formatPrice(advertised.cents, currency)}</bdi>
          </Link>
        )}
      </td>
    </tr>
  )
}

/** Opens the channel, or the page as buyers see it. */
function PlaceName({ place: { channelId, name, page } }: { place: PricePlace }) {
  if (channelId !== null) {
    return (
      <Link to="/inventory/channels" search={{ channel: channelId }} className="fc-link">
        <bdi>{name}</bdi>
      </Link>
    )
  }
  if (page === null) return <bdi>{name}</bdi>
  const address = new URL(page, window.location.href)
  // Public sites have the port of the product.
  address.port = window.location.port
  return (
    <a href={address.href} target="_blank" rel="noreferrer" className="fc-link">
      <bdi>{name}</bdi>
    </a>
  )
}

function State({ place: { channelId, advertised, nextCents, isActive, nextRunAt } }: { place: PricePlace }) {
  const isSite = channelId === null
  const off = isActive ? 'Excluded' : 'Off'
  const [excluded, next] = isSite ? ['No page', 'Shown in a moment'] : [off, 'In the next file']
  if (advertised === null) {
    return (
      <Status tone="mute" mark="dash">
        {nextCents === null ? excluded : next}
      </Status>
    )
  }
  const since = formatInstant(advertised.fromAt)
  if (nextCents === advertised.cents) {
    return (
      <Status tone="good" mark="check">
        Since {since}
      </Status>
    )
  }
  return (
    <>
      <Status tone="warn" mark="alert">
        {nextCents === null ? `Still listed, since ${since}` : `Old price, since ${since}`}
      </Status>
      {nextRunAt !== null && <span className="fc-second">Next file: {formatInstant(nextRunAt)}</span>}
    </>
  )
}
