import { Textarea } from '@mantine/core'
import { IconLink, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { files } from '#contract/files/files.ts'
import { MAX_PHOTOS } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { type Photo, type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { ensureFolder, sendFile } from '#web/ui/files/media/file-manager.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { readAddresses } from './photo-labels.ts'

type Props = {
  vehicle: VehicleRecord
  photos: readonly Photo[]
  onAdd: (added: readonly Photo[]) => void
  /** For a dialog that stays open if it is refused: null. */
  addInDialog: (added: readonly Photo[]) => Promise<VehicleRecord | null>
}

/** Adds photos at the end: files, which are stored in the vehicle's media folder, or URLs. */
export function AddPhotos({ vehicle, photos, onAdd, addInDialog }: Props) {
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
    if (added.length > 0) onAdd(added)
  }

  const addUrls = () =>
    void askFor<VehicleRecord>('Add photo URLs', (answer) => (
      <PhotoUrlForm vehicle={vehicle} photos={photos} send={addInDialog} onAnswer={answer} />
    ))

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
        onClick={addUrls}
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

type FormProps = Pick<Props, 'vehicle' | 'photos'> & {
  send: (added: readonly Photo[]) => Promise<VehicleRecord | null>
  onAnswer: (saved: VehicleRecord | null) => void
}

function PhotoUrlForm({ vehicle, photos, send, onAnswer }: FormProps) {
  const call = useCallForm({
    endpoint: vehicles.update,
    about: `${vehicle.id}/urls`,
    initial: { urls: '' },
    check: ({ urls }) => {
      const {
        added,
        wrong: [first],
      } = readAddresses(urls, photos)
      if (first !== undefined) return { urls: `${first} isn't a web address.` }
      if (photos.length + added.length > MAX_PHOTOS)
        return { urls: `A vehicle may have at most ${MAX_PHOTOS} photos.` }
      return added.length === 0 ? { urls: 'Enter at least one new web address.' } : {}
    },
    send: ({ urls }) => send(readAddresses(urls, photos).added),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Add photos" onCancel={() => onAnswer(null)}>
      <Textarea
        {...call.field('urls')}
        label="Photo URLs"
        description="One per line. Buyers' browsers load these photos directly from the web."
        data-autofocus
        autosize
        minRows={4}
        maxRows={12}
      />
    </CallForm>
  )
}
