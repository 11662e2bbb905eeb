import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { AnyFieldName } from '#contract/inventory/vehicles/vehicle-input.ts'
import { type VehicleRecord, vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useLookLock } from '#web/session/use-skin.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { invalidateVehicles, setVehicleInCache } from '../set-vehicle-in-cache.ts'

type Props = { vehicle: VehicleRecord; name: AnyFieldName; title: string }

const updateVehicle = send(vehicles.update)

/** Whether feeds may change a field, and the switch for it. Who may not edit sees the locks alone. */
export function LockButton({ vehicle, name, title }: Props) {
  const holds = useHolds()
  const lookLock = useLookLock(vehicles.update)
  const isLocked = vehicle.locked.includes(name)
  const turn = useMutation({
    mutationFn: () => updateVehicle({ id: vehicle.id, locks: { [name]: !isLocked } }),
    onSuccess: async (saved) => {
      setVehicleInCache(saved)
      await invalidateVehicles(saved.id)
    },
    onError: (failure) => showError(failure),
  })
  const mayTurn = lookLock === null && requestedBy(vehicles.update.allow).some((one) => holds(one) === true)
  const words = `${title} is locked: feeds leave it alone`
  const Icon = isLocked ? IconLock : IconLockOpen
  if (!mayTurn) {
    return isLocked ? (
      <span className="fc-lock" data-locked title={words}>
        <Icon size={14} aria-hidden="true" />
        <span className="fc-hidden">{words}</span>
      </span>
    ) : null
  }
  return (
    <Tip label={isLocked ? 'Locked: feeds leave it alone' : 'Feeds may change it'}>
      <button
        type="button"
        className="fc-lock"
        {...(isLocked && { 'data-locked': true })}
        aria-pressed={isLocked}
        aria-label={`Lock ${title}`}
        onClick={() => {
          if (!turn.isPending) turn.mutate()
        }}
      >
        <Icon size={14} aria-hidden="true" />
      </button>
    </Tip>
  )
}
