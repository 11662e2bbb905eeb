import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { download } from '#web/api/download.ts'
import { fetchBlob } from '#web/ui/files/media/file-manager.ts'
import type { LoadPicture } from '#web/ui/files/media/use-pictures.ts'

/**
 * Loads photos of a vehicle: uploaded ones from the media library, photo URLs through our server, so that the browser
 * contacts no other one.
 */
export function photoLoader(vehicleId: string): LoadPicture {
  return (place, signal) =>
    /^https?:/i.test(place)
      ? download(vehiclePhotos.view, { id: vehicleId, place }, { signal, onBytes: () => {} }).catch(
          () => null,
        )
      : fetchBlob(place, signal)
}
