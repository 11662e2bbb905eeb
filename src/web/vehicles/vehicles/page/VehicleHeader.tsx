import { IconChevronRight } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { formatMileage, nameVehicle } from '../vehicle-labels.ts'
import { Thumbnail } from '../photos/Thumbnail.tsx'
import { VehicleActions } from '../VehicleActions.tsx'
import { PublishedStatus } from '../PublishedStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Breadcrumb to the list with its filters, photo, name and actions. `vehicle` is null while loading. */
export function VehicleHeader({ vehicle }: { vehicle: VehicleRecord | null }) {
  const { state } = useLocation()
  const name = vehicle ? nameWithTrim(vehicle) : 'Vehicle'
  return (
    <header className="fc-page-header">
      {vehicle && <Thumbnail key={vehicle.id} vehicle={vehicle} />}
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/inventory/vehicle-data" search={state.vehiclesSearch ?? {}}>
            Vehicle data
          </Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{vehicle?.stock ?? name}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={name} />
          {vehicle && <PublishedStatus of={vehicle} isPill />}
        </div>
        <p aria-live="polite">
          <bdi>{vehicle ? describe(vehicle) : ''}</bdi>
        </p>
      </div>
      <div className="fc-row">{vehicle && <VehicleActions vehicle={vehicle} />}</div>
    </header>
  )
}

function nameWithTrim(vehicle: VehicleRecord): string {
  return vehicle.trim === null ? nameVehicle(vehicle) : `${nameVehicle(vehicle)} ${vehicle.trim}`
}

function describe(vehicle: VehicleRecord): string {
  const { stock, vin, lotName, daysInStock } = vehicle
  const facts = [
    stock && `Stock ${stock}`,
    vin && `VIN ${vin}`,
    lotName,
    daysInStock === null ? null : count(daysInStock, 'day', 'days'),
    formatMileage(vehicle),
  ]
  return facts.filter(Boolean).join(' · ')
}
