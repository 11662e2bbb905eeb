import { useQuery } from '@tanstack/react-query'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
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
  const { data, error, isPending, refetch } = useQuery({
    ...query(vehicles.get, { id }),
    enabled: !isNew,
  })
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
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={vehicles.get}
          what="this vehicle"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading the vehicle" />}
      {data && (
        <LoadedRecord key={data.id} record={data}>
          {(vehicle, keep) => (
            <VehicleForm vehicle={vehicle} onKept={keep} onClose={onClose} onSaved={onSaved} />
          )}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

function describeVehicle({ stock, updatedAt, updatedBy }: VehicleRecord): string {
  const changed = `changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
  return stock === null ? `C${changed.slice(1)}` : `${stock}, ${changed}`
}
