import { type HistoryState } from '@tanstack/react-router'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** An amount of a vehicle, with a link to how its total price is made. */
export function PriceLink({
  vehicle,
  price,
  list,
  isInGrid,
}: {
  vehicle: Pick<Vehicle, 'id'>
  price: string
  /** The list to go back to, as its search parameters; by default that of the page. */
  list?: HistoryState['vehiclesSearch']
  /** The arrow keys move between the cells of a grid, so its links are no tab stops. */
  isInGrid?: true
}) {
  if (price === '') return null
  return (
    <Link
      to="/inventory/vehicle-data/$id"
      params={{ id: vehicle.id }}
      search={{ tab: 'price' }}
      state={list === undefined ? true : { vehiclesSearch: list }}
      {...(isInGrid && { tabIndex: -1 })}
      className="fc-link"
      title="How the total price is calculated"
    >
      <bdi>{price}</bdi>
    </Link>
  )
}
