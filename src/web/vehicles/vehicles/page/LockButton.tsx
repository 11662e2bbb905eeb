import { IconLock, IconLockOpen } from '@tabler/icons-react'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'

type Props = { vehicle: VehicleRecord; name: AnyFieldName; title: string }

const updateVehicle = send(vehicles.update)

/** Shows and toggles the lock of a field. Users who may not edit only see locked fields. */
export function LockButton({ vehicle, name, title }: Props) {
  const holds = useHolds()
  const lookLock = useViewOnlyLock(vehicles.update)
  const isLocked = vehicle.locked.includes(name)
  const toggle = useMutation({
    mutationFn: () => updateVehicle({ id: vehicle.id, locks: { [name]: !isLocked } }),
    onSuccess: setVehicleInCache,
    onError: (failure) => showError(failure),
  })
  const mayToggle =
    lookLock === null && permissionsFor(vehicles.update.allow).some((one) => holds(one) === true)
  const text = `${title} is locked. Feeds don't change it.`
  const Icon = isLocked ? IconLock : IconLockOpen
  if (!mayToggle) {
    return isLocked ? (
      <span className="fc-lock" data-locked title={text}>
        <Icon size={14} aria-hidden="true" />
        <span className="fc-hidden">{text}</span>
      </span>
    ) : null
  }
  return (
    <Tip label={isLocked ? "Locked. Feeds don't change it." : 'Unlocked. Feeds can change it.'}>
      <button
        type="button"
        className="fc-lock"
        {...(isLocked && { 'data-locked': true })}
        aria-pressed={isLocked}
        aria-label={`Lock ${title}`}
        onClick={() => {
          if (!toggle.isPending) toggle.mutate()
        }}
      >
        <Icon size={14} aria-hidden="true" />
      </button>
    </Tip>
  )
}
