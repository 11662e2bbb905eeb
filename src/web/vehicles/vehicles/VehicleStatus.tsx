import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
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
/** For sale, but buyers can't see it. */
const HIDDEN = { tone: 'warn', mark: 'alert' } as const

/** The workflow status of a vehicle. It is only green for a vehicle for sale if buyers can see it. */
export function VehicleStatus({ of: { status, published } }: { of: Pick<Vehicle, 'status' | 'published'> }) {
  const look = status === 'live' && published !== 'published' ? HIDDEN : LOOKS[status]
  return <Status {...look}>{STATUS_NAMES.get(status) ?? status}</Status>
}
