import { Button, Textarea } from '@mantine/core'
import { IconLink, IconUpload } from '@tabler/icons-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { files } from '#contract/files/files.ts'
import { MAX_PHOTOS } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { type Photo, type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { ensureFolder, sendFile } from '#web/ui/files/media/file-manager.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { readAddresses } from './photo-labels.ts'

type Props = { vehicle: VehicleRecord; photos: readonly Photo[]; onAdd: (photos: readonly Photo[]) => void }

/** Adds photos at the end: files, which are stored in the vehicle's media folder, or URLs. */
export function AddPhotos({ vehicle, photos, onAdd }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(0)

  async function upload(chosen: readonly File[]) {
    if (chosen.length === 0) return
    const folder = ['Vehicles', `Vehicle ${vehicle.id}`]
    setLeft(chosen.length)
    const added: Photo[] = []
    if (await ensureFolder(folder)) {
      for (const [at, file] of chosen.entries()) {
        const target = {
          folder: folder.join('/'),
          replaces: false,
          signal: sessionSignal(),
          onSent: () => {},
        }
        const sent = await sendFile(file, target, () => {})
        if (sent === false) break
        added.push(...sent.map(({ path }): Photo => ({ kind: 'file', place: path, alt: '' })))
        setLeft(chosen.length - at - 1)
      }
    }
    setLeft(0)
    if (added.length > 0) onAdd([...photos, ...added])
  }

  async function addUrls() {
    const added = await askFor<readonly Photo[]>('Add photo URLs', (answer) => (
      <PhotoUrlForm photos={photos} onAnswer={answer} />
    ))
    if (added !== null && added.length > 0) onAdd([...photos, ...added])
  }

  const isFull = photos.length >= MAX_PHOTOS
  const lock = isFull ? `A vehicle may have at most ${MAX_PHOTOS} photos.` : null
  return (
    <div className="fc-row">
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/*"
        aria-label="Photos to upload"
        onChange={(event) => {
          void upload([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Action
        for={vehicles.update}
        variant="default"
        lock={lock}
        leftSection={<IconLink size={16} aria-hidden="true" />}
        onClick={() => void addUrls()}
      >
        Add photo URLs
      </Action>
      <Action
        for={files.upload}
        lock={lock}
        loading={left > 0}
        leftSection={<IconUpload size={16} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        Upload photos
      </Action>
      <output className="fc-hidden">{left > 0 && `${count(left, 'photo', 'photos')} uploading`}</output>
    </div>
  )
}

type FormProps = { photos: readonly Photo[]; onAnswer: (added: readonly Photo[] | null) => void }

function PhotoUrlForm({ photos, onAnswer }: FormProps) {
  const [text, setText] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { added, wrong } = readAddresses(text, photos)
  const [first] = wrong
  const isTooMany = photos.length + added.length > MAX_PHOTOS
  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (first === undefined && added.length > 0 && !isTooMany) onAnswer(added)
  }
  const error =
    (first !== undefined && `${first} isn't a web address.`) ||
    (isTooMany && `A vehicle may have at most ${MAX_PHOTOS} photos.`) ||
    (added.length === 0 && 'Enter at least one new web address.')
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <Textarea
        label="Photo URLs"
        description="One per line. Buyers' browsers load these photos directly from the web."
        data-autofocus
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isTried && error}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Add photos</Button>
      </div>
    </form>
  )
}
