import { ActionIcon } from '@mantine/core'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { IconExternalLink, IconGripVertical, IconMessage2, IconTrash } from '@tabler/icons-react'
import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import { BROKEN } from '#web/ui/files/media/use-pictures.ts'
import { hostOf, namePhoto } from './photo-labels.ts'

type Props = {
  photo: Photo
  /** Position, from 1. */
  place: number
  /** Object URL; null while loading. */
  src: string | null
  mayEdit: boolean
  onView: () => void
  onDescribe: () => void
  onRemove: () => void
}

/** One photo with drag handle, alternative text and remove button. */
export function PhotoTile({ photo, place, src, mayEdit, onView, onDescribe, onRemove }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: photo.place, disabled: !mayEdit })
  const name = namePhoto(photo)
  return (
    <li
      ref={setNodeRef}
      className="fc-photo"
      {...(isDragging && { 'data-dragging': true })}
      style={{ transform: CSS.Transform.toString(transform), transition }}
    >
      {photo.kind === 'address' && src === BROKEN ? (
        <a
          className="fc-photo-frame fc-photo-away"
          href={photo.place}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`${name} can't be loaded. Open it at ${hostOf(photo.place)}`}
        >
          <IconExternalLink size={18} stroke={1.6} aria-hidden="true" />
          <span>Can't be loaded</span>
          <bdi className="fc-cut">{hostOf(photo.place)}</bdi>
        </a>
      ) : (
        <button type="button" className="fc-photo-frame" onClick={onView} aria-label={`View ${name}`}>
          {src === null ? <span className="fc-photo-waiting" /> : <img src={src} alt="" />}
        </button>
      )}
      <div className="fc-photo-foot">
        {mayEdit && (
          <button
            type="button"
            className="fc-grip"
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            aria-label={`Move ${name}`}
          >
            <IconGripVertical size={16} aria-hidden="true" />
          </button>
        )}
        <span className="fc-photo-words">
          <span className="fc-number fc-faint">{place}</span>{' '}
          {photo.alt === '' ? (
            <span className="fc-faint">No alternative text</span>
          ) : (
            <bdi title={photo.alt}>{photo.alt}</bdi>
          )}
        </span>
        {mayEdit && (
          <>
            <ActionIcon aria-label={`Describe ${name}`} onClick={onDescribe}>
              <IconMessage2 size={16} aria-hidden="true" />
            </ActionIcon>
            <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
              <IconTrash size={16} aria-hidden="true" />
            </ActionIcon>
          </>
        )}
      </div>
    </li>
  )
}
