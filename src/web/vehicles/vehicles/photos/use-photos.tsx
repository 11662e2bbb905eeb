import { arrayMove } from '@dnd-kit/sortable'
import { useState } from 'react'
import { type Photo, VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { askFor, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { readConflictTitle } from '#web/ui/form/conflict-title.ts'
import { currentOf } from '#web/ui/record/over-newer.ts'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'
import { namePhoto } from './photo-labels.ts'
import { TextInput } from '@mantine/core'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

const updateVehicle = send(vehicles.update)

/** What a user does to the photos as they are then; null if that has no meaning anymore. */
type Change = (now: readonly Photo[]) => readonly Photo[] | null

/** Also after someone else changed the vehicle, of which only its other changes stay. Null: it wasn't changed, which is said. */
async function savePhotos(seen: VehicleRecord, change: Change): Promise<VehicleRecord | null> {
  const photos = change(seen.photos)
  if (photos === null) {
    const title = await readConflictTitle('the photos', seen)
    showNotice("The photos weren't moved", <p>{`${title}. They are shown in the new order now.`}</p>)
    return null
  }
  try {
    return await updateVehicle({ id: seen.id, version: seen.version, photos: [...photos] })
  } catch (failure) {
    const newer = currentOf(failure, VehicleRecord)
    if (newer === null) throw failure
    setVehicleInCache(newer)
    return savePhotos(newer, change)
  }
}

const placesOf = (photos: readonly Photo[]): string[] => photos.map(({ place }) => place)

/**
 * The photos of a vehicle and functions to change them. Each change is saved immediately with the vehicle's version, so
 * another user's changes are not overwritten but shown.
 */
export function usePhotos(vehicle: VehicleRecord) {
  const holds = useHolds()
  const lookLock = useViewOnlyLock(vehicles.update)
  const [unsaved, setUnsaved] = useState<readonly Photo[] | null>(null)
  const readAgain = () =>
    void queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.get), { id: vehicle.id }] })
  const save = useMutation({
    mutationFn: (change: Change) => savePhotos(vehicle, change),
    onSuccess: (saved) => {
      if (saved) setVehicleInCache(saved)
    },
    onError: (failure) => {
      showError(failure, "The photos weren't changed")
      readAgain()
    },
    onSettled: () => setUnsaved(null),
  })
  const photos = unsaved ?? vehicle.photos
  const mayEdit =
    lookLock === null && permissionsFor(vehicles.update.allow).some((one) => holds(one) === true)

  function write(change: Change, onSaved: (saved: VehicleRecord) => void = () => {}) {
    if (save.isPending) return
    setUnsaved(change(photos))
    save.mutate(change, { onSuccess: (saved) => saved && onSaved(saved) })
  }

  function remove(photo: Photo) {
    const before = photos
    write(
      (now) => now.filter(({ place }) => place !== photo.place),
      (saved) =>
        offerUndo({
          text: `${namePhoto(photo)} removed`,
          undo: async () => {
            const back = await updateVehicle({ id: saved.id, version: saved.version, photos: [...before] })
            setVehicleInCache(back)
          },
        }),
    )
  }

  const append = (added: readonly Photo[]): Change => {
    return (now) => [...now, ...added]
  }

  function describe(photo: Photo) {
    void askFor<VehicleRecord>('Describe photo', (answer) => (
      <PhotoTextForm vehicle={vehicle} photo={photo} onRefused={readAgain} onAnswer={answer} />
    ))
  }

  return {
    photos,
    isSaving: save.isPending,
    mayEdit,
    move: (from: number, to: number) =>
      write((now) => (isEqual(placesOf(now), placesOf(photos)) ? arrayMove([...now], from, to) : null)),
    add: (added: readonly Photo[]) => write(append(added)),
    /** For a dialog that stays open if it is refused: null. */
    addInDialog: (added: readonly Photo[]) => save.mutateAsync(append(added)).catch(() => null),
    remove,
    describe,
  }
}

type Props = {
  vehicle: VehicleRecord
  photo: Photo
  onRefused: () => void
  onAnswer: (saved: VehicleRecord | null) => void
}

const LABELS = { alt: 'Alternative text' }

/** Asks for the alternative text of a photo. */
function PhotoTextForm({ vehicle, photo, onRefused, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: vehicles.update,
    about: `${vehicle.id}/${photo.place}`,
    initial: { alt: photo.alt },
    isUpdate: true,
    send: ({ alt }, newer: VehicleRecord | null) => {
      const { id, version, photos } = newer ?? vehicle
      return updateVehicle({
        id,
        version,
        photos: photos.map((one) => (one.place === photo.place ? { ...one, alt: alt.trim() } : one)),
      })
    },
    stale: {
      thing: 'this vehicle',
      labels: LABELS,
      schema: VehicleRecord,
      toValues: ({ photos }) => {
        const now = photos.find(({ place }) => place === photo.place)
        return now ? { alt: now.alt } : null
      },
    },
    onRefused,
    onDone: (saved) => {
      setVehicleInCache(saved)
      onAnswer(saved)
    },
  })
  return (
    <CallForm call={call} confirm="Save text" onCancel={() => onAnswer(null)}>
      <p className="fc-small fc-soft">
        <bdi>{namePhoto({ ...photo, alt: '' })}</bdi>
      </p>
      <TextInput
        {...call.field('alt')}
        label={LABELS.alt}
        description="Read aloud to people who can't see the photo. Describe the view and any details."
        data-autofocus
        maxLength={300}
        autoComplete="off"
      />
    </CallForm>
  )
}
