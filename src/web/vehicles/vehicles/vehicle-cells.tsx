import { getRouteApi } from '@tanstack/react-router'
import type { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { RowPicture } from './photos/RowPicture.tsx'
import { formatMileage, formatPrice, statusNote } from './vehicle-labels.ts'
import { PriceLink } from './PriceLink.tsx'
import { VehicleLink } from './VehicleLink.tsx'
import { PublishedStatus } from './PublishedStatus.tsx'
import { VehicleStatus } from './VehicleStatus.tsx'

const route = getRouteApi('/shell/inventory/vehicle-data')

/** Custom cells of the vehicle list. */
export const CELLS: Cells<Vehicle, keyof typeof VEHICLE_LIST.fields> = {
  name: (vehicle) => (
    <span className="fc-pictured">
      <RowPicture vehicle={vehicle} />
      <span className="fc-pictured-words">
        <VehicleLink vehicle={vehicle} />
        <Second>{vehicle.trim}</Second>
      </span>
    </span>
  ),
  stock: ({ stock, vin }) => (
    <>
      <bdi className="fc-number">{stock ?? 'No stock number'}</bdi>
      <Second>{vin}</Second>
    </>
  ),
  status: (vehicle) => {
    const note = statusNote(vehicle)
    return (
      <>
        <VehicleStatus of={vehicle} />
        {note !== null && (
          <span className="fc-second fc-short fc-under-mark" title={note}>
            <bdi>{note}</bdi>
          </span>
        )}
      </>
    )
  },
  published: (vehicle) => <PublishedStatus of={vehicle} />,
  lotId: ({ lotName }) => <bdi>{lotName}</bdi>,
  mileage: (vehicle) => <bdi>{formatMileage(vehicle)}</bdi>,
  sellingPrice: (vehicle) => (
    <ListedPrice vehicle={vehicle} price={formatPrice(vehicle.sellingPriceCents, vehicle.currency)} />
  ),
  totalPrice: (vehicle) => (
    <b className="fc-price">
      <ListedPrice vehicle={vehicle} price={formatPrice(vehicle.totalPriceCents, vehicle.currency)} />
    </b>
  ),
  price: (vehicle) => (
    <ListedPrice vehicle={vehicle} price={formatPrice(vehicle.priceCents, vehicle.currency)} />
  ),
  sourcePrice: ({ sourcePriceCents, currency }) => (
    <bdi>{sourcePriceCents === 0 ? 'No price' : formatPrice(sourcePriceCents, currency)}</bdi>
  ),
  priceDecision: ({ asksPrice }) =>
    asksPrice ? (
      <Status tone="warn" mark="alert">
        New price from feed
      </Status>
    ) : null,
  msrp: ({ msrpCents, currency }) => <bdi>{formatPrice(msrpCents, currency)}</bdi>,
  cost: ({ costCents, currency }) => <bdi>{formatPrice(costCents, currency)}</bdi>,
  marketPrice: ({ marketPriceCents, currency }) => <bdi>{formatPrice(marketPriceCents, currency)}</bdi>,
  bookValue: ({ bookValueCents, currency }) => <bdi>{formatPrice(bookValueCents, currency)}</bdi>,
  notPublishedReason: ({ notPublishedReason }) => (
    <bdi className={notPublishedReason === null ? 'fc-faint' : ''}>{notPublishedReason ?? 'Published'}</bdi>
  ),
  updatedAt: ({ updatedAt, updatedBy }) => (
    <>
      {formatDay(updatedAt)}
      <Second>{updatedBy}</Second>
    </>
  ),
}

/** A row on a narrow screen. */
export function VehicleBlock({ vehicle }: { vehicle: Vehicle }) {
  const { stock, lotName, totalPriceCents, currency, daysInStock } = vehicle
  const facts = [stock, formatMileage(vehicle), lotName].filter(Boolean)
  const note = statusNote(vehicle)
  return (
    <>
      <div className="fc-pictured">
        <RowPicture vehicle={vehicle} />
        <div className="fc-pictured-words">
          <div className="fc-block-head">
            <VehicleLink vehicle={vehicle} />
            <b className="fc-price">
              <ListedPrice vehicle={vehicle} price={formatPrice(totalPriceCents, currency)} />
            </b>
          </div>
          <div className="fc-small fc-faint fc-cut">
            <bdi>{facts.join(' · ')}</bdi>
          </div>
        </div>
      </div>
      <div className="fc-block-head fc-small">
        <span className="fc-block-status">
          <VehicleStatus of={vehicle} />
          {note !== null && (
            <span className="fc-cut fc-faint">
              <bdi>{note}</bdi>
            </span>
          )}
        </span>
        {daysInStock !== null && <bdi className="fc-soft fc-number">{count(daysInStock, 'day', 'days')}</bdi>}
      </div>
    </>
  )
}

function ListedPrice({ vehicle, price }: { vehicle: Vehicle; price: string }) {
  return <PriceLink vehicle={vehicle} price={price} list={route.useSearch()} />
}

function Second({ children }: { children: string | null }) {
  if (children === null) return null
  return (
    <span className="fc-second fc-number" title={children}>
      <bdi>{children}</bdi>
    </span>
  )
}
