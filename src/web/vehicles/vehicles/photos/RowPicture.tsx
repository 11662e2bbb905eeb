import { IconCameraOff, IconWorld } from '@tabler/icons-react'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { useHolds } from '#web/session/use-session.ts'
import { LazyPicture } from '#web/ui/files/media/LazyPicture.tsx'
import { photoLoader } from './load-photo.ts'
import './row-picture.css'

const NEEDED = can(Func.media, Opr.read)

/** The photo of a vehicle in a row or beside its facts. A globe until a photo URL has loaded, or if it can't be. */
export function RowPicture({ vehicle: { id, photo } }: { vehicle: Pick<Vehicle, 'id' | 'photo'> }) {
  const holds = useHolds()
  const isVisible = photo?.kind === 'address' || holds(NEEDED) === true
  return (
    <LazyPicture
      path={photo && isVisible ? photo.place : null}
      load={photoLoader(id, 320)}
      box="fc-row-picture"
    >
      {photo === null && <IconCameraOff size={16} stroke={1.6} aria-hidden="true" />}
      {photo?.kind === 'address' && <IconWorld size={16} stroke={1.6} aria-hidden="true" />}
    </LazyPicture>
  )
}
