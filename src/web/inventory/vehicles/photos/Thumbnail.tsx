import { IconCameraOff } from '@tabler/icons-react'
import type { Photo } from '#contract/inventory/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { usePictures } from '#web/ui/files/media/use-pictures.ts'
import { useHolds } from '#web/session/use-session.ts'

const NEEDED = can(Func.media, Opr.read)

/** The thumbnail of a vehicle's first photo. Photo URLs are not loaded. */
export function Thumbnail({ photo }: { photo: Photo | undefined }) {
  const holds = useHolds()
  const path = photo?.kind === 'file' && holds(NEEDED) === true ? photo.place : null
  const sources = usePictures(path === null ? [] : [path])
  const src = path === null ? undefined : sources.get(path)
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
