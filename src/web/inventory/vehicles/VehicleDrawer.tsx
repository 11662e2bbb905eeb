import { useQuery } from '@tanstack/react-query'
import { VEHICLE_LIST } from '#contract/inventory/vehicle-list.ts'
import { type Vehicle, vehicles } from '#contract/inventory/vehicles.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/FailureState.tsx'
import { FormDrawer } from '#web/ui/FormDrawer.tsx'
import type { RowPlace } from '#web/ui/list/row-place.ts'
import { RowSteps } from '#web/ui/list/RowSteps.tsx'
import { formatDay } from '#web/ui/moment.ts'
import { RecordSkeleton } from '#web/ui/RecordSkeleton.tsx'
import { nameVehicle } from './vehicle-words.ts'
import { VehicleFacts } from './VehicleFacts.tsx'

type Props = {
  id: string
  /** Where it stands in the list; null where that is not known. */
  place: RowPlace | null
  onOpen: (id: string) => void
  onClose: () => void
}

/** One vehicle, to read. */
export function VehicleDrawer({ id, place, onOpen, onClose }: Props) {
  const { data, error, isPending, refetch } = useQuery(query(vehicles.get, { id }))
  return (
    <FormDrawer
      title={data ? nameVehicle(data) : 'Vehicle'}
      about={data && <bdi>{describeVehicle(data)}</bdi>}
      tools={place && <RowSteps place={place} nouns={VEHICLE_LIST.nouns} onOpen={onOpen} />}
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
      {isPending && <RecordSkeleton label="Loading the vehicle" shape="facts" />}
      {data && <VehicleFacts vehicle={data} />}
    </FormDrawer>
  )
}

function describeVehicle({ trim, updatedAt, updatedBy }: Vehicle): string {
  const changed = `changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
  return trim === null ? `C${changed.slice(1)}` : `${trim}, ${changed}`
}
