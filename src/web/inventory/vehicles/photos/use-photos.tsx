import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Photo, type VehicleRecord, vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useLookLock } from '#web/session/use-skin.ts'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { invalidateVehicles, setVehicleInCache } from '../set-vehicle-in-cache.ts'
import { namePhoto } from './photo-labels.ts'
import { PhotoTextForm } from './PhotoTextForm.tsx'

const updateVehicle = send(vehicles.update)

/**
 * The photos of a vehicle as they are shown and kept: each change is saved at once, with the version it was made to. What
 * somebody else changed meanwhile is not written over, but shown.
 */
export function usePhotos(vehicle: VehicleRecord) {
  const holds = useHolds()
  const lookLock = useLookLock(vehicles.update)
  const [wanted, setWanted] = useState<readonly Photo[] | null>(null)
  const save = useMutation({
    mutationFn: (photos: readonly Photo[]) =>
      updateVehicle({ id: vehicle.id, version: vehicle.version, photos: [...photos] }),
    onSuccess: async (saved) => {
      setVehicleInCache(saved)
      await invalidateVehicles(saved.id)
    },
    onError: async (failure) => {
      setWanted(null)
      showError(failure, 'The photos were not changed')
      await queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.get), { id: vehicle.id }] })
    },
  })
  const photos = wanted ?? vehicle.photos
  const mayEdit = lookLock === null && requestedBy(vehicles.update.allow).some((one) => holds(one) === true)

  function write(next: readonly Photo[]) {
    if (save.isPending) return
    setWanted(next)
    save.mutate(next)
  }

  function remove(photo: Photo) {
    if (save.isPending) return
    const before = photos
    const next = photos.filter((one) => one !== photo)
    setWanted(next)
    save.mutate(next, {
      onSuccess: (saved) =>
        offerUndo({
          text: `${namePhoto(photo)} is taken out`,
          undo: async () => {
            const back = await updateVehicle({ id: saved.id, version: saved.version, photos: [...before] })
            setVehicleInCache(back)
            await invalidateVehicles(back.id)
          },
        }),
    })
  }

  async function describe(photo: Photo) {
    const alt = await askFor<string>('What the photo shows', (answer) => (
      <PhotoTextForm photo={photo} onAnswer={answer} />
    ))
    if (alt !== null && alt !== photo.alt) write(photos.map((one) => (one === photo ? { ...one, alt } : one)))
  }

  return { photos, isSaving: save.isPending, mayEdit, write, remove, describe }
}
