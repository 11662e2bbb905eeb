import { IconCar, IconPhotoPlus, IconPlus, IconTableShortcut } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { listWithCustom } from '#contract/inventory/vehicles/custom-list-fields.ts'
import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import { vehiclePhotos } from '#contract/inventory/vehicles/vehicle-photos.ts'
import { type Vehicle, vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { customActions } from './custom-fields/custom-actions.tsx'
import { customCells } from './custom-fields/custom-cells.tsx'
import { useCustomFields } from './custom-fields/use-custom-fields.ts'
import { VEHICLE_ACTIONS } from './vehicle-actions.tsx'
import { CELLS, VehicleBlock } from './vehicle-cells.tsx'
import { nameVehicle } from './vehicle-labels.ts'
import './vehicles.css'

const route = getRouteApi('/shell/inventory/vehicle-data')

/** So that all columns of the start stand on a screen of 1280 px, and on one of 1440 VINs are whole. */
const WIDTHS = {
  name: 228,
  stock: 168,
  condition: 103,
  status: 144,
  lotId: 132,
  daysInStock: 68,
  mileage: 89,
  price: 92,
  updatedAt: 98,
  photoCount: 76,
  completeness: 76,
  notLive: 240,
}

const VehicleDrawer = lazy(async () => ({ default: (await import('./VehicleDrawer.tsx')).VehicleDrawer }))
const PhotosDrawer = lazy(async () => ({
  default: (await import('./photos/PhotosDrawer.tsx')).PhotosDrawer,
}))

/** The vehicles the person reaches; each opens on a page of its own, a new one in a drawer. */
export function VehiclesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Whoever comes back from the new vehicle's page finds the list, not another blank form.
  const { vehicle: _open, panel: _panel, ...listed } = search
  const { sort, search: words, filter } = search
  // The grid shows those of the customer's own fields that the list does.
  const own = search.columns?.split(',').filter(isCustomFieldName).join(',') || undefined
  const inGrid = { sort, search: words, filter, fields: own }
  const open = (vehicle: 'new' | undefined) => void navigate({ search: (before) => ({ ...before, vehicle }) })
  const turnPanel = (panel: 'photos' | undefined) =>
    void navigate({ search: (before) => ({ ...before, panel }) })
  const { fields } = useCustomFields()
  const list = useMemo(() => listWithCustom(VEHICLE_LIST, fields), [fields])
  const cells = useMemo(() => ({ ...CELLS, ...customCells(fields) }), [fields])
  const bulk = useMemo(() => [...VEHICLE_ACTIONS, ...customActions(fields)], [fields])
  const holds = useHolds()
  const mayAddPhotos = requestedBy(vehiclePhotos.add.allow).every((wanted) => holds(wanted) === true)
  async function dropPhotos(files: readonly File[]) {
    turnPanel('photos')
    const { uploadPhotos } = await import('./photos/photo-batch.ts')
    await uploadPhotos(files)
  }
  const add = (
    <Action
      for={vehicles.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add vehicle
    </Action>
  )
  return (
    <DropZone
      isOpen={mayAddPhotos}
      words="Drop photos named by VIN or stock number: nothing is written before you say so"
      onDrop={(files) => void dropPhotos(files)}
    >
      <ListPage
        list={list}
        endpoint={vehicles.list}
        search={search}
        onShow={(change, { replaces }) =>
          void navigate({ search: (before) => ({ ...before, ...change }), replace: replaces })
        }
        cells={cells}
        block={showBlock}
        rowId={(vehicle) => vehicle.id}
        rowName={nameVehicle}
        widths={WIDTHS}
        searches="VIN, stock, model"
        actions={
          <>
            <Action
              for={vehicles.updateCells}
              variant="default"
              // A table to write in needs more room than a phone has.
              className="fc-only-wide"
              leftSection={<IconTableShortcut size={16} aria-hidden="true" />}
              onClick={() => void navigate({ to: '/inventory/vehicle-data/edit-grid', search: inGrid })}
            >
              Edit grid
            </Action>
            <Action
              for={vehiclePhotos.add}
              variant="default"
              leftSection={<IconPhotoPlus size={16} aria-hidden="true" />}
              onClick={() => turnPanel('photos')}
            >
              Add photos
            </Action>
            {add}
          </>
        }
        bulk={bulk}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconCar size={18} />}
            title="No vehicles yet"
            text="Vehicles come with the feeds of your inventory. Once one has run, each stands here with its lot, status and price. One by one they are added by hand."
          >
            {add}
          </EmptyState>
        }
      />
      {search.vehicle === 'new' && (
        <Suspense>
          <VehicleDrawer
            id="new"
            onClose={() => open(undefined)}
            onSaved={({ id }) =>
              void navigate({
                to: '/inventory/vehicle-data/$id',
                params: { id },
                search: {},
                state: { vehiclesSearch: listed },
                replace: true,
                ignoreBlocker: true,
              })
            }
          />
        </Suspense>
      )}
      {search.panel === 'photos' && (
        <Suspense>
          <PhotosDrawer onClose={() => turnPanel(undefined)} />
        </Suspense>
      )}
    </DropZone>
  )
}

function showBlock(vehicle: Vehicle) {
  return <VehicleBlock vehicle={vehicle} />
}
