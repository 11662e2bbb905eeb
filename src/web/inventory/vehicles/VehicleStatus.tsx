import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATUS_NAMES } from './vehicle-labels.ts'

const LOOKS = {
  incoming: { tone: 'info', mark: 'wait' },
  preparing: { tone: 'info', mark: 'half' },
  live: { tone: 'good', mark: 'check' },
  hold: { tone: 'warn', mark: 'pause' },
  pending: { tone: 'info', mark: 'quarter' },
  sold: { tone: 'mute', mark: 'check' },
  archived: { tone: 'mute', mark: 'dash' },
  wholesale: { tone: 'mute', mark: 'dash' },
  removed: { tone: 'bad', mark: 'cross' },
} as const

/** The workflow status of a vehicle. */
export function VehicleStatus({ of, isPill = false }: { of: Vehicle['status']; isPill?: boolean }) {
  return (
    <Status {...LOOKS[of]} isPill={isPill}>
      {STATUS_NAMES.get(of) ?? of}
    </Status>
  )
}
