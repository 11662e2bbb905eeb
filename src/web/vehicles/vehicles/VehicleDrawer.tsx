import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { nameVehicle } from './vehicle-labels.ts'
import { VehicleForm } from './page/VehicleForm.tsx'

type Props = {
  /** A vehicle's ID, or `new`. */
  id: string
  onClose: () => void
  onSaved: (vehicle: VehicleRecord) => void
}

/** The form of one vehicle, or a blank form for a new one. */
export function VehicleDrawer({ id, onClose, onSaved }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(vehicles.get, { id }),
    enabled: !isNew,
  })
  const { data } = load
  if (isNew) {
    return (
      <FormDrawer title="New vehicle" about="Only the lot is required" onClose={onClose}>
        <VehicleForm vehicle={null} onClose={onClose} onSaved={onSaved} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data ? nameVehicle(data) : 'Vehicle'}
      about={data && <bdi>{describeVehicle(data)}</bdi>}
      onClose={onClose}
    >
      <Loaded query={load} what="this vehicle" shape="spinner">
        {(loaded) => <VehicleForm key={loaded.id} vehicle={loaded} onClose={onClose} onSaved={onSaved} />}
      </Loaded>
    </FormDrawer>
  )
}

function describeVehicle({ stock, updatedAt, updatedBy }: VehicleRecord): string {
  const changed = `changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
  return stock === null ? `C${changed.slice(1)}` : `${stock}, ${changed}`
}
