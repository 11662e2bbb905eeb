import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VEHICLE_LIST } from '#contract/inventory/vehicle-list.ts'
import type { Vehicle } from '#contract/inventory/vehicles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { count } from '#web/ui/moment.ts'
import { CONDITION_NAMES, formatDate, formatMileage, formatPrice } from './vehicle-words.ts'
import { VehicleStatus } from './VehicleStatus.tsx'
import { VinFacts } from './VinFacts.tsx'

const NEEDED_FOR_COST = VEHICLE_LIST.fields.cost.needs

/** What is known of a vehicle: where it stands, its figures, then its facts. */
export function VehicleFacts({ vehicle }: { vehicle: Vehicle }) {
  const holds = useHolds()
  const { status, statusReason, lotId, lotName, vin, stock, condition, inStockOn, daysInStock } = vehicle
  const seesCost = NEEDED_FOR_COST !== undefined && holds(NEEDED_FOR_COST) === true
  const price = (cents: number | null) => formatPrice(cents, vehicle.currency)
  // Only what is there: a price is missed, the rest is not.
  const figures: [string, string][] = [
    ['Price', price(vehicle.priceCents) || 'Not given'],
    ['MSRP', price(vehicle.msrpCents)],
    ['Cost', seesCost ? price(vehicle.costCents) : ''],
    ['Mileage', formatMileage(vehicle)],
    ['In stock', daysInStock === null ? '' : count(daysInStock, 'day', 'days')],
  ]
  const facts: [string, string | null][] = [
    ['Body', vehicle.body],
    ['Colour', vehicle.colour],
    ['Fuel', vehicle.fuel],
    ['Transmission', vehicle.transmission],
    ['Drivetrain', vehicle.drivetrain],
  ]
  return (
    <div className="fc-vehicle">
      <div className="fc-vehicle-status">
        <VehicleStatus of={status} isPill />
        {statusReason !== null && <bdi className="fc-soft">{statusReason}</bdi>}
      </div>
      <dl className="fc-vehicle-figures">
        {figures
          .filter(([, value]) => value !== '')
          .map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      <dl className="fc-vehicle-facts">
        <Fact title="Lot">
          <Link to="/customers/lots" search={{ lot: lotId }}>
            <bdi>{lotName}</bdi>
          </Link>
        </Fact>
        <Fact title="Stock number">{stock}</Fact>
        <Fact title="VIN">{vin}</Fact>
        <Fact title="Condition">{CONDITION_NAMES.get(condition) ?? condition}</Fact>
        <Fact title="In stock since">{inStockOn === null ? null : formatDate(inStockOn)}</Fact>
        {facts.map(([title, value]) => (
          <Fact key={title} title={title}>
            {value}
          </Fact>
        ))}
      </dl>
      <VinFacts vin={vin} vehicle={vehicle} />
    </div>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children === null ? <span className="fc-faint">Not given</span> : <bdi>{children}</bdi>}</dd>
    </div>
  )
}
