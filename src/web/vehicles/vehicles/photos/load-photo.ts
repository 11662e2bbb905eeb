import type { PictureWidth } from '#contract/files/picture-widths.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { download } from '#web/api/download.ts'
import { fetchBlob } from '#web/ui/files/media/file-manager.ts'
import type { LoadPicture } from '#web/ui/files/media/use-pictures.ts'

/**
 * Loads photos of a vehicle: uploaded ones from the media library, photo URLs through our server, so that the browser
 * contacts no other one.
 * @param width for a thumbnail; by default, the original is loaded
 */
export function photoLoader(vehicleId: string, width?: PictureWidth): LoadPicture {
  const w = width === undefined ? {} : { w: String(width) }
  return (place, signal) =>
    /^https?:/i.test(place)
      ? download(vehiclePhotos.view, { id: vehicleId, place, ...w }, { signal, onBytes: () => {} }).catch(
          () => null,
        )
      : fetchBlob(place, signal, width)
}
