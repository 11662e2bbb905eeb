import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Photo, type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'
import { namePhoto } from './photo-labels.ts'
import { TextInput } from '@mantine/core'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

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

  /** For a dialog that stays open if it is refused: null. */
  async function writeInDialog(next: readonly Photo[]): Promise<VehicleRecord | null> {
    setUnsaved(next)
    return save.mutateAsync(next).catch(() => null)
  }

  function describe(photo: Photo) {
    void askFor<VehicleRecord>('Describe photo', (answer) => (
      <PhotoTextForm
        photo={photo}
        about={`${vehicle.id}/${photo.place}`}
        write={(alt) => writeInDialog(photos.map((one) => (one === photo ? { ...one, alt } : one)))}
        onAnswer={answer}
      />
    ))
  }

  return { photos, isSaving: save.isPending, mayEdit, write, writeInDialog, remove, describe }
}

type Props = {
  photo: Photo
  about: string
  write: (alt: string) => Promise<VehicleRecord | null>
  onAnswer: (saved: VehicleRecord | null) => void
}

/** Asks for the alternative text of a photo. */
function PhotoTextForm({ photo, about, write, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: vehicles.update,
    about,
    initial: { alt: photo.alt },
    send: ({ alt }) => write(alt.trim()),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Save text" onCancel={() => onAnswer(null)}>
      <p className="fc-small fc-soft">
        <bdi>{namePhoto({ ...photo, alt: '' })}</bdi>
      </p>
      <TextInput
        {...call.field('alt')}
        label="Alternative text"
        description="Read aloud to people who can't see the photo. Describe the view and any details."
        data-autofocus
        maxLength={300}
        autoComplete="off"
      />
    </CallForm>
  )
}
