import { Link } from '@tanstack/react-router'
import type { Vehicle } from '#contract/inventory/vehicles.ts'
import { nameVehicle } from './vehicle-words.ts'

/** Opens a vehicle from its name, as a link that can be copied or opened in a new tab. */
export function VehicleLink({ vehicle }: { vehicle: Vehicle }) {
  return (
    <Link
      from="/inventory/vehicle-data"
      to="/inventory/vehicle-data"
      search={(before) => ({ ...before, vehicle: vehicle.id })}
      className="fc-name"
    >
      <bdi>{nameVehicle(vehicle)}</bdi>
    </Link>
  )
}
