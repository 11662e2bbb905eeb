import { IconCameraOff } from '@tabler/icons-react'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { BROKEN, usePictures } from '#web/ui/files/media/use-pictures.ts'
import { useHolds } from '#web/session/use-session.ts'
import { photoLoader } from './load-photo.ts'

const NEEDED = can(Func.media, Opr.read)

/** The thumbnail of a vehicle's first photo. */
export function Thumbnail({ vehicle }: { vehicle: VehicleRecord }) {
  const photo = vehicle.photos[0]
  const holds = useHolds()
  const isVisible = photo?.kind === 'address' || holds(NEEDED) === true
  const path = photo && isVisible ? photo.place : null
  const sources = usePictures(path === null ? [] : [path], photoLoader(vehicle.id, 320))
  const loaded = path === null ? undefined : sources.get(path)
  const src = loaded === BROKEN ? undefined : loaded
  return (
    <span className="fc-thumbnail" {...(src === undefined && { 'data-empty': true })}>
      {src === undefined ? (
        <IconCameraOff size={18} stroke={1.6} aria-hidden="true" />
      ) : (
        <img src={src} alt="" />
      )}
    </span>
  )
}
