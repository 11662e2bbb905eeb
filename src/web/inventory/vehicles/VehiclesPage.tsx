import { IconCar } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { VEHICLE_LIST } from '#contract/inventory/vehicle-list.ts'
import { type Vehicle, vehicles } from '#contract/inventory/vehicles.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { VEHICLE_ACTIONS } from './vehicle-actions.tsx'
import { CELLS, VehicleBlock } from './vehicle-cells.tsx'
import { nameVehicle } from './vehicle-words.ts'
import './vehicles.css'

const route = getRouteApi('/shell/inventory/vehicle-data')

/** So that all columns of the start stand on a screen of 1280 px, and on one of 1440 VINs are whole. */
const WIDTHS = {
  name: 176,
  stock: 168,
  condition: 103,
  status: 144,
  lotId: 132,
  daysInStock: 68,
  mileage: 89,
  price: 92,
  updatedAt: 98,
}

const VehicleDrawer = lazy(async () => ({ default: (await import('./VehicleDrawer.tsx')).VehicleDrawer }))

/** The vehicles the person reaches; one open in a drawer with its own URL. */
export function VehiclesPage() {
  const search = route.useSearch()
  const { onShow, open, close } = useListRoute('vehicle')
  return (
    <ListPage
      list={VEHICLE_LIST}
      endpoint={vehicles.list}
      search={search}
      onShow={onShow}
      cells={CELLS}
      block={showBlock}
      rowId={(vehicle) => vehicle.id}
      rowName={nameVehicle}
      widths={WIDTHS}
      selectedId={search.vehicle}
      searches="VIN, stock, model"
      bulk={VEHICLE_ACTIONS}
      empty={
        <EmptyState
          tone="brand"
          icon={<IconCar size={18} />}
          title="No vehicles yet"
          text="Vehicles come with the feeds of your inventory. Once one has run, each stands here with its lot, status and price."
        />
      }
      renderAside={(place) =>
        search.vehicle !== undefined && (
          <Suspense>
            <VehicleDrawer id={search.vehicle} place={place} onOpen={open} onClose={close} />
          </Suspense>
        )
      }
    />
  )
}

function showBlock(vehicle: Vehicle) {
  return <VehicleBlock vehicle={vehicle} />
}
