import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { getRouteApi } from '@tanstack/react-router'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { nameVehicle } from './vehicle-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/inventory/vehicle-data')

/** Opens a vehicle's page from its name, as a link that can be copied or opened in a new tab. */
export function VehicleLink({ vehicle }: { vehicle: Vehicle }) {
  const search = route.useSearch()
  return (
    <MayOpen for={vehicles.get}>
      <Link
        to="/inventory/vehicle-data/$id"
        params={{ id: vehicle.id }}
        state={{ vehiclesSearch: search }}
        className="fc-name"
      >
        <bdi>{nameVehicle(vehicle)}</bdi>
      </Link>
    </MayOpen>
  )
}
