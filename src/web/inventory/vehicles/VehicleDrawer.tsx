import { useQuery } from '@tanstack/react-query'
import { type Vehicle, vehicles } from '#contract/inventory/vehicles.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/FailureState.tsx'
import { FormDrawer } from '#web/ui/FormDrawer.tsx'
import { formatDay } from '#web/ui/moment.ts'
import { Spinner } from '#web/ui/Spinner.tsx'
import { nameVehicle } from './vehicle-words.ts'
import { VehicleFacts } from './VehicleFacts.tsx'

/** One vehicle, to read. */
export function VehicleDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(query(vehicles.get, { id }))
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
      {data && <VehicleFacts vehicle={data} />}
    </FormDrawer>
  )
}

function describeVehicle({ trim, updatedAt, updatedBy }: Vehicle): string {
  const changed = `changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
  return trim === null ? `C${changed.slice(1)}` : `${trim}, ${changed}`
}
