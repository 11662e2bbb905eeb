import { IconCar, IconPhotoPlus, IconPlus, IconTableShortcut } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { listWithCustom } from '#contract/vehicles/vehicles/custom-fields/custom-list-fields.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { type Vehicle, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { customActions } from './custom-fields/custom-actions.tsx'
import { customCells } from './custom-fields/custom-cells.tsx'
import { useCustomFields } from './custom-fields/use-custom-fields.ts'
import { VEHICLE_ACTIONS } from './vehicle-actions.tsx'
import { CELLS, VehicleBlock } from './vehicle-cells.tsx'
import { nameVehicle } from './vehicle-labels.ts'
import './vehicles.css'

const route = getRouteApi('/shell/inventory/vehicle-data')

/** All default columns fit a 1280 px screen; on 1440 px, VINs are shown in full. */
const WIDTHS = {
  name: 228,
  stock: 168,
  condition: 103,
  status: 144,
  lotId: 132,
  daysInStock: 68,
  mileage: 89,
  sellingPrice: 92,
  totalPrice: 92,
  price: 92,
  updatedAt: 98,
  photoCount: 76,
  completeness: 76,
  notPublishedReason: 240,
}

const VehicleDrawer = lazy(async () => ({ default: (await import('./VehicleDrawer.tsx')).VehicleDrawer }))
const PhotosDrawer = lazy(async () => ({
  default: (await import('./photos/PhotosDrawer.tsx')).PhotosDrawer,
}))

/** The vehicle list. A vehicle opens on its own page, a new one in a drawer. */
export function VehiclesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Going back from a new vehicle's page shows the list, not another blank form.
  const { vehicle: _open, panel: _panel, ...listed } = search
  const { sort, search: words, filter } = search
  // The grid shows the same custom fields as the list.
  const own = search.columns?.split(',').filter(isCustomFieldName).join(',') || undefined
  const inGrid = { sort, search: words, filter, fields: own }
  const open = (vehicle: 'new' | undefined) => void navigate({ search: (before) => ({ ...before, vehicle }) })
  const showPanel = (panel: 'photos' | undefined) =>
    void navigate({ search: (before) => ({ ...before, panel }) })
  const { fields } = useCustomFields()
  const list = useMemo(() => listWithCustom(VEHICLE_LIST, fields), [fields])
  const cells = useMemo(() => ({ ...CELLS, ...customCells(fields) }), [fields])
  const bulk = useMemo(() => [...VEHICLE_ACTIONS, ...customActions(fields)], [fields])
  const holds = useHolds()
  const mayAddPhotos = permissionsFor(vehiclePhotos.add.allow).every((wanted) => holds(wanted) === true)
  async function dropPhotos(files: readonly File[]) {
    showPanel('photos')
    const { addPhotoFiles } = await import('./photos/photo-batch.ts')
    await addPhotoFiles(files)
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
      words="Drop photos named by VIN or stock number. You can review them before they're added."
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
        searches="VIN, stock number, model"
        actions={
          <ListActions
            onGrid={() => void navigate({ to: '/inventory/vehicle-data/edit-grid', search: inGrid })}
            onPhotos={() => showPanel('photos')}
          >
            {add}
          </ListActions>
        }
        bulk={bulk}
        empty={<NoVehicles>{add}</NoVehicles>}
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
          <PhotosDrawer onClose={() => showPanel(undefined)} />
        </Suspense>
      )}
    </DropZone>
  )
}

type ListActionsProps = { onGrid: () => void; onPhotos: () => void; children: ReactNode }

function ListActions({ onGrid, onPhotos, children }: ListActionsProps) {
  return (
    <>
      <Action
        for={vehicles.updateCells}
        variant="default"
        // The grid needs more space than a phone has.
        className="fc-only-wide"
        leftSection={<IconTableShortcut size={16} aria-hidden="true" />}
        onClick={onGrid}
      >
        Edit grid
      </Action>
      <Action
        for={vehiclePhotos.add}
        variant="default"
        leftSection={<IconPhotoPlus size={16} aria-hidden="true" />}
        onClick={onPhotos}
      >
        Add photos
      </Action>
      {children}
    </>
  )
}

function NoVehicles({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      tone="brand"
      icon={<IconCar size={18} />}
      title="No vehicles yet"
      text="Vehicles from your inventory feeds appear here with their lot, status and price. You can also add vehicles manually."
    >
      {children}
    </EmptyState>
  )
}

function showBlock(vehicle: Vehicle) {
  return <VehicleBlock vehicle={vehicle} />
}
