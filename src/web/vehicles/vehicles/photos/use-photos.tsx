import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { type Photo, type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'
import { namePhoto } from './photo-labels.ts'
import { Button, TextInput } from '@mantine/core'

const updateVehicle = send(vehicles.update)

/**
 * The photos of a vehicle and functions to change them. Each change is saved immediately with the vehicle's version, so
 * another user's changes are not overwritten but shown.
 */
export function usePhotos(vehicle: VehicleRecord) {
  const holds = useHolds()
  const lookLock = useViewOnlyLock(vehicles.update)
  const [unsaved, setUnsaved] = useState<readonly Photo[] | null>(null)
  const save = useMutation({
    mutationFn: (photos: readonly Photo[]) =>
      updateVehicle({ id: vehicle.id, version: vehicle.version, photos: [...photos] }),
    onSuccess: setVehicleInCache,
    onError: async (failure) => {
      setUnsaved(null)
      showError(failure, "The photos weren't changed")
      await queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.get), { id: vehicle.id }] })
    },
  })
  const photos = unsaved ?? vehicle.photos
  const mayEdit =
    lookLock === null && permissionsFor(vehicles.update.allow).some((one) => holds(one) === true)

  function write(next: readonly Photo[]) {
    if (save.isPending) return
    setUnsaved(next)
    save.mutate(next)
  }

  function remove(photo: Photo) {
    if (save.isPending) return
    const before = photos
    const next = photos.filter((one) => one !== photo)
    setUnsaved(next)
    save.mutate(next, {
      onSuccess: (saved) =>
        offerUndo({
          text: `${namePhoto(photo)} removed`,
          undo: async () => {
            const back = await updateVehicle({ id: saved.id, version: saved.version, photos: [...before] })
            setVehicleInCache(back)
          },
        }),
    })
  }

  async function describe(photo: Photo) {
    const alt = await askFor<string>('Describe photo', (answer) => (
      <PhotoTextForm photo={photo} onAnswer={answer} />
    ))
    if (alt !== null && alt !== photo.alt) write(photos.map((one) => (one === photo ? { ...one, alt } : one)))
  }

  return { photos, isSaving: save.isPending, mayEdit, write, remove, describe }
}

type Props = { photo: Photo; onAnswer: (alt: string | null) => void }

/** Asks for the alternative text of a photo. */
function PhotoTextForm({ photo, onAnswer }: Props) {
  const [alt, setAlt] = useState(photo.alt)
  function decide(event: SubmitEvent) {
    event.preventDefault()
    onAnswer(alt.trim())
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <p className="fc-small fc-soft">
        <bdi>{namePhoto({ ...photo, alt: '' })}</bdi>
      </p>
      <TextInput
        label="Alternative text"
        description="Read aloud to people who can't see the photo. Describe the view and any details."
        data-autofocus
        maxLength={300}
        autoComplete="off"
        value={alt}
        onChange={(event) => setAlt(event.currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Save text</Button>
      </div>
    </form>
  )
}
