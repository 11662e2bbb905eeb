import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { Text } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { BROKEN, usePictures } from '#web/ui/files/media/use-pictures.ts'
import { useHolds } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { AddPhotos } from './AddPhotos.tsx'
import { photoLoader } from './load-photo.ts'
import { describeCopies, namePhoto } from './photo-labels.ts'
import { PhotoTile } from './PhotoTile.tsx'
import { usePhotos } from './use-photos.tsx'

const NEEDED = can(Func.media, Opr.read)
const COPIES_MS = 10_000
const Lightbox = lazy(async () => ({
  default: (await import('#web/ui/files/lightbox/Lightbox.tsx')).Lightbox,
}))

/** The photos of a vehicle: reorder by drag or keyboard, view, describe and remove. */
export function VehicleMedia({ vehicle }: { vehicle: VehicleRecord }) {
  const holds = useHolds()
  const { photos, isSaving, mayEdit, move, add, addInDialog, remove, describe } = usePhotos(vehicle)
  const [viewed, setViewed] = useState<string | null>(null)
  const saved = new Set(vehicle.photos.map(({ place }) => place))
  // A URL that isn't saved yet isn't known to the server.
  const paths = photos
    .filter(({ kind, place }) => (kind === 'file' ? holds(NEEDED) === true : saved.has(place)))
    .map(({ place }) => place)
  const sources = usePictures(paths, photoLoader(vehicle.id))
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = photos.map(({ place }) => place)
  const placeOf = (id: string | number) => ids.indexOf(String(id)) + 1
  const nameOf = (id: string | number) => {
    const photo = photos[ids.indexOf(String(id))]
    return photo ? namePhoto(photo) : 'The photo'
  }
  function drop({ active, over }: DragEndEvent) {
    if (!over || active.id === over.id) return
    move(placeOf(active.id) - 1, placeOf(over.id) - 1)
  }
  const shown = photos.filter(({ place }) => (sources.get(place) ?? BROKEN) !== BROKEN)
  const album = shown.map((photo) => ({ src: sources.get(photo.place) ?? '', caption: namePhoto(photo) }))
  const index = shown.findIndex(({ place }) => place === viewed)

  return (
    <div className="fc-vehicle-scroll">
      <div className="fc-vehicle-media-bar">
        <p className="fc-small fc-soft" aria-live="polite">
          {isSaving ? 'Saving' : count(photos.length, 'photo', 'photos')}
          {photos.length > 1 && mayEdit && !isSaving && '. The first one is the main photo.'}
        </p>
        <AddPhotos vehicle={vehicle} photos={photos} onAdd={add} addInDialog={addInDialog} />
      </div>
      {vehicle.photos.some(({ kind }) => kind === 'address') && <CopiesNote vehicleId={vehicle.id} />}
      {photos.length === 0 && (
        <EmptyState
          icon={<IconPhoto size={18} />}
          title="No photos yet"
          text="A vehicle needs photos to be published. Upload photos, or add their URLs."
        />
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={announce(nameOf, placeOf)}
      >
        <SortableContext items={ids} strategy={rectSortingStrategy}>
          <ol className="fc-photos" aria-label="Photos">
            {photos.map((photo, at) => (
              <PhotoTile
                key={photo.place}
                photo={photo}
                place={at + 1}
                src={sources.get(photo.place) ?? null}
                mayEdit={mayEdit && !isSaving}
                onView={() => setViewed(photo.place)}
                onDescribe={() => describe(photo)}
                onRemove={() => remove(photo)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      {index >= 0 && (
        <Suspense>
          <Lightbox
            album={album}
            index={index}
            onView={(next) => setViewed(shown[next]?.place ?? null)}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Which photos of other servers are copied, and why the others aren't. */
function CopiesNote({ vehicleId }: { vehicleId: string }) {
  return (
    <Loaded
      query={live(query(vehiclePhotos.copies, { id: vehicleId }), {
        while: (copies) => copies !== undefined && copies.waiting > 0,
        ms: COPIES_MS,
      })}
      what="the copies of the photos"
      shape={null}
    >
      {(copies) => (
        <Text size="sm" c="dimmed" mb="sm" aria-live="polite">
          {describeCopies(copies).join(' ')}
        </Text>
      )}
    </Loaded>
  )
}

type Name<T> = (id: string | number) => T

/** What a screen reader says while a photo is moved with the keyboard. */
function announce(
  nameOf: Name<string>,
  placeOf: Name<number>,
): Required<ComponentProps<typeof DndContext>>['accessibility'] {
  return {
    screenReaderInstructions: {
      draggable:
        'Press Space to pick up the photo, arrow keys to move it, Space to drop it, Escape to cancel.',
    },
    announcements: {
      onDragStart: ({ active }) => `${nameOf(active.id)} picked up.`,
      onDragOver: ({ active, over }) =>
        over && over.id !== active.id
          ? `${nameOf(active.id)} is over position ${placeOf(over.id)}.`
          : undefined,
      onDragEnd: ({ active, over }) =>
        over ? `${nameOf(active.id)} dropped at position ${placeOf(over.id)}.` : undefined,
      onDragCancel: ({ active }) => `${nameOf(active.id)} was not moved.`,
    },
  }
}
