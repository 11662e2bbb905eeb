import { COMPARED, fitsVin } from '#contract/vehicles/vin/fits-vin.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { VehicleChange } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { VIN_FILLED, vinValuesOf, type VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import type { VinFacts } from '#contract/vehicles/vin/vin.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { nameVehicle } from '../vehicle-labels.ts'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'
import styles from './VinFacts.module.css'

const updateVehicle = send(vehicles.update)

type Props = { vehicle: VehicleRecord; decoded: VinFacts['values'] }

/** The fields that are empty or contradict the VIN. Locked fields stay as they are. */
function fieldsToApply(vehicle: VehicleRecord, decoded: VinFacts['values']): VinFilledField[] {
  const values = vinValuesOf(decoded)
  return VIN_FILLED.filter((name) => {
    if (values[name] === undefined || vehicle.locked.includes(name)) return false
    const own = vehicle[name]
    if (own === null || own === '') return true
    const compared = COMPARED.find((one) => one === name)
    return compared !== undefined && !fitsVin(compared, own, decoded)
  })
}

/** A button that sets the fields that are empty or contradict the VIN to what the VIN decodes to. */
export function ApplyVinValues({ vehicle, decoded }: Props) {
  const names = fieldsToApply(vehicle, decoded)
  const apply = useMutation({
    mutationFn: () => {
      const values = vinValuesOf(decoded)
      const changes = Object.fromEntries(names.map((name) => [name, values[name]]))
      const { id, version } = vehicle
      return updateVehicle(VehicleChange.parse({ ...changes, id, version, fromVin: names }))
    },
    onSuccess: (saved) => {
      setVehicleInCache(saved)
      toast(`${count(names.length, 'field', 'fields')} set from the VIN`, nameVehicle(saved))
    },
    onError: (failure) => {
      showError(failure, "The decoded values weren't applied")
      void queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.get), { id: vehicle.id }] })
    },
  })
  if (names.length === 0) return null
  return (
    <div className={styles.apply}>
      <p className="fc-small">
        <bdi>Empty or different: {names.map((name) => VEHICLE_FIELDS[name].title).join(', ')}.</bdi>
      </p>
      <Action
        for={vehicles.update}
        variant="default"
        size="compact-sm"
        loading={apply.isPending}
        onClick={() => apply.mutate()}
      >
        Apply {count(names.length, 'decoded value', 'decoded values')}
      </Action>
    </div>
  )
}
