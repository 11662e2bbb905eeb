import { Button, FileButton } from '@mantine/core'
import { IconPhotoPlus, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import {
  addedSoFar,
  addPhotoFiles,
  clearPhotos,
  matchPhotos,
  type PhotoBatch,
  sendPhotos,
  stopPhotos,
  undoAddPhotos,
  targetOf,
  usePhotoBatch,
  watchPhotos,
} from './photo-batch.ts'
import { PhotoGroups } from './PhotoGroups.tsx'
import { PhotoProgress } from './PhotoProgress.tsx'
import './photos.css'

/** Bulk photo upload: drop, match by file name, review, upload. The upload continues after closing the drawer. */
export function PhotosDrawer({ onClose }: { onClose: () => void }) {
  const batch = usePhotoBatch()
  const { phase, failure, groups, left } = batch
  useEffect(watchPhotos, [])
  const isOpen = phase !== 'sending'
  const isBlank = phase === 'empty' && groups.length + left.length === 0
  return (
    <FormDrawer
      title="Add photos"
      about="Matched by file name: VIN or stock number, with an optional number"
      size={640}
      onClose={onClose}
    >
      <DropZone
        isOpen={isOpen}
        words="Drop photos. You can review them before they're added."
        onDrop={(files) => void addPhotoFiles(files)}
      >
        <div className="fc-photos-body fc-grow">
          {isBlank && (
            <EmptyState
              tone="brand"
              icon={<IconPhotoPlus size={18} />}
              title="Drop photos here"
              text="N10063_1.jpg and N10063_2.jpg become the next photos of stock number N10063. You can review the matches before anything is saved. The photos of these vehicles are then locked, so feeds don't change them."
            >
              <ChoosePhotos>Choose photos</ChoosePhotos>
            </EmptyState>
          )}
          {phase === 'matching' && <Spinner label="Matching vehicles" />}
          {failure !== null && phase !== 'matching' && (
            <FailureState
              failure={failure}
              endpoint={vehiclePhotos.match}
              what="the vehicles of these photos"
              onRetry={() => void matchPhotos()}
            />
          )}
          {(phase === 'sending' || phase === 'over') && <PhotoProgress batch={batch} />}
          {phase !== 'matching' && failure === null && !isBlank && <PhotoGroups batch={batch} />}
        </div>
      </DropZone>
      {!isBlank && phase !== 'matching' && <Footer batch={batch} onClose={onClose} />}
    </FormDrawer>
  )
}

function ChoosePhotos({ children, isSecond = false }: { children: ReactNode; isSecond?: boolean }) {
  return (
    <FileButton multiple accept="image/*" onChange={(files) => void addPhotoFiles(files)}>
      {({ onClick }) => (
        <Action
          for={vehiclePhotos.add}
          variant={isSecond ? 'default' : 'filled'}
          leftSection={<IconUpload size={16} aria-hidden="true" />}
          onClick={onClick}
        >
          {children}
        </Action>
      )}
    </FileButton>
  )
}

function Footer({ batch, onClose }: { batch: PhotoBatch; onClose: () => void }) {
  const { phase, groups } = batch
  if (phase === 'sending') {
    return (
      <div className="fc-form-footer">
        <span className="fc-grow fc-small fc-soft">
          <bdi>The upload continues while you use other pages.</bdi>
        </span>
        <Button variant="default" onClick={stopPhotos}>
          Stop
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    )
  }
  if (phase === 'over') return <ResultFooter batch={batch} onClose={onClose} />
  const ready = groups.filter((group) => targetOf(batch, group) !== null)
  const photos = ready.reduce((sum, { pictures }) => sum + pictures.length, 0)
  const many = new Set(ready.map((group) => targetOf(batch, group))).size
  return (
    <div className="fc-form-footer">
      <Button variant="subtle" color="gray" onClick={clearPhotos}>
        Clear
      </Button>
      <span className="fc-grow" />
      <ChoosePhotos isSecond>Choose more</ChoosePhotos>
      <Action
        for={vehiclePhotos.add}
        lock={photos === 0 ? 'No photo is matched to a vehicle yet.' : null}
        onClick={() => void sendPhotos()}
      >
        {photos === 0
          ? 'Add photos'
          : `Add ${count(photos, 'photo', 'photos')} to ${count(many, 'vehicle', 'vehicles')}`}
      </Action>
    </div>
  )
}

function ResultFooter({ batch, onClose }: { batch: PhotoBatch; onClose: () => void }) {
  const failed = [...batch.states.values()].filter(({ state }) => state === 'failed').length
  const { photos } = addedSoFar()
  const undoing = useMutation({
    mutationFn: undoAddPhotos,
    onError: (failure) => showError(failure, "The photos weren't removed"),
  })
  return (
    <div className="fc-form-footer">
      {photos > 0 && (
        <Action
          for={vehiclePhotos.undoUpload}
          variant="default"
          loading={undoing.isPending}
          onClick={() => undoing.mutate()}
        >
          Undo
        </Action>
      )}
      <span className="fc-grow" />
      {failed > 0 && (
        <Action for={vehiclePhotos.add} variant="default" onClick={() => void sendPhotos()}>
          Retry {count(failed, 'photo', 'photos')}
        </Action>
      )}
      <Button
        onClick={() => {
          clearPhotos()
          onClose()
        }}
      >
        Done
      </Button>
    </div>
  )
}
