import { IconCameraOff, IconWorld } from '@tabler/icons-react'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { useHolds } from '#web/session/use-session.ts'
import { LazyPicture } from '#web/ui/files/media/LazyPicture.tsx'

const NEEDED = can(Func.media, Opr.read)

/** The picture of a vehicle in its row. One on the web is told, not fetched. */
export function RowPicture({ vehicle: { photo } }: { vehicle: Vehicle }) {
  const holds = useHolds()
  const isHere = photo?.kind === 'file' && holds(NEEDED) === true
  return (
    <LazyPicture path={isHere ? photo.place : null} className="fc-row-picture">
      {photo === null && <IconCameraOff size={16} stroke={1.6} aria-hidden="true" />}
      {photo?.kind === 'address' && <IconWorld size={16} stroke={1.6} aria-hidden="true" />}
    </LazyPicture>
  )
}
