import { IconCameraOff, IconWorld } from '@tabler/icons-react'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { useHolds } from '#web/session/use-session.ts'
import { LazyPicture } from '#web/ui/files/media/LazyPicture.tsx'

const NEEDED = can(Func.media, Opr.read)

/** The photo of a vehicle in its row. Photo URLs show an icon and are not loaded. */
export function RowPicture({ vehicle: { photo } }: { vehicle: Vehicle }) {
  const holds = useHolds()
  const isUploaded = photo?.kind === 'file' && holds(NEEDED) === true
  return (
    <LazyPicture path={isUploaded ? photo.place : null} className="fc-row-picture">
      {photo === null && <IconCameraOff size={16} stroke={1.6} aria-hidden="true" />}
      {photo?.kind === 'address' && <IconWorld size={16} stroke={1.6} aria-hidden="true" />}
    </LazyPicture>
  )
}
