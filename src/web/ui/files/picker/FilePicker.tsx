import { Button, FileButton, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FileLeaf, files } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { ACCEPTED_PICTURES } from '#web/ui/files/media/file-format.ts'
import { FolderPath } from '#web/ui/files/media/FolderPath.tsx'
import { UploadList } from '#web/ui/files/media/UploadList.tsx'
import { enqueueUpload } from '#web/ui/files/media/uploads.ts'
import { closeOnOwnEscape, restoreFocusOnUnmount } from '#web/ui/overlay/stacking.ts'
import {
  nounOf,
  listingOf,
  toggleChoice,
  chooseUploaded,
  type FileRequest,
  whyNot,
} from './picker-listing.ts'
import { PickerContents } from './PickerContents.tsx'
import { Tiles } from './Tiles.tsx'
import '#web/ui/list/list.css'
import './picker.css'

type Props = FileRequest & {
  onChoose: (files: readonly FileLeaf[]) => void
  onClose: () => void
}

/**
 * A dialog to choose files from the customer's media library, or to upload some first. A chosen file may have been
 * deleted by the time it is used. Load it lazily.
 */
export function FilePicker({ onChoose, onClose, ...wanted }: Props) {
  const [folder, setFolder] = useState('')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly FileLeaf[]>([])
  const [sent, setSent] = useState<readonly number[]>([])
  const contents = useRef<HTMLElement>(null)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { content, failure, isPending, retry } = useFolder(folder)
  const offer = listingOf(content, wanted, search)
  useEffect(restoreFocusOnUnmount, [])

  function open(path: string) {
    setFolder(path)
    setSearch('')
    // The clicked element disappears with its folder, or with the search.
    contents.current?.focus()
  }
  function send(given: File | File[] | null) {
    const list = [given ?? []].flat()
    const numbers = enqueueUpload(list, folder, (leaf) =>
      setChosen((before) => chooseUploaded(before, leaf, wanted)),
    )
    setSent([...sent, ...numbers])
  }
  function take(leaf: FileLeaf) {
    if (whyNot(leaf, wanted) !== null) return
    const others = wanted.isMany ? chosen.filter(({ path }) => path !== leaf.path) : []
    onChoose([...others, leaf])
  }
  const drawStep = (to: string, name: ReactNode, isHere: boolean) => (
    <FolderStep isHere={isHere} onOpen={() => open(to)}>
      {name}
    </FolderStep>
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={wanted.isMany ? `Choose ${nounOf(wanted, 0)}` : `Choose a ${nounOf(wanted, chosen.length)}`}
      size={880}
      fullScreen={isNarrow}
      padding={0}
      classNames={{ content: 'fc-picker', header: 'fc-picker-head', body: 'fc-picker-body' }}
      closeOnEscape={false}
      onKeyDown={closeOnOwnEscape(onClose)}
      transitionProps={MODAL_TRANSITION}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className="fc-toolbar fc-picker-bar">
        <FolderPath folder={folder} step={drawStep} />
        <span className="fc-tools">
          <SearchField
            key={folder}
            label="Search in this folder"
            placeholder="Name"
            value={search}
            onSearch={setSearch}
          />
          <UploadButton
            wanted={wanted}
            lock={failure || isPending ? 'Open a folder first.' : null}
            onFiles={send}
          />
        </span>
      </div>
      <section
        ref={contents}
        className="fc-picker-contents"
        aria-label={`In ${folder.split('/').at(-1) || 'Media'}`}
        tabIndex={-1}
        data-autofocus
      >
        <PickerContents
          {...{ offer, wanted, search, failure, isPending }}
          onRetry={retry}
          onClear={() => open(folder)}
        >
          <Tiles
            key={folder}
            shown={offer.shown}
            {...{ wanted, chosen }}
            onOpen={open}
            onPress={(leaf) => setChosen(toggleChoice(chosen, leaf, wanted))}
            onTake={take}
          />
        </PickerContents>
      </section>
      <UploadList only={sent} />
      <PickerFoot {...{ chosen, wanted, onChoose, onClose }} />
    </Modal>
  )
}

type StepProps = { isHere: boolean; onOpen: () => void; children: ReactNode }

/** A folder of the path. */
function FolderStep({ isHere, onOpen, children }: StepProps) {
  return (
    <button
      type="button"
      data-here={isHere || undefined}
      {...(isHere && { 'aria-current': 'page' })}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}

type UploadProps = {
  wanted: FileRequest
  lock: string | null
  onFiles: (files: File | File[] | null) => void
}

function UploadButton({ wanted, lock, onFiles }: UploadProps) {
  return (
    <FileButton
      multiple={wanted.isMany}
      {...(wanted.kind === 'picture' && { accept: ACCEPTED_PICTURES })}
      onChange={onFiles}
    >
      {({ onClick }) => (
        <Action
          for={files.upload}
          variant="default"
          onClick={onClick}
          lock={lock}
          leftSection={<IconUpload size={16} aria-hidden="true" />}
        >
          Upload
        </Action>
      )}
    </FileButton>
  )
}

type FootProps = Pick<Props, 'onChoose' | 'onClose'> & { chosen: readonly FileLeaf[]; wanted: FileRequest }

/** The chosen files, and the button that uses them. */
function PickerFoot({ chosen, wanted, onChoose, onClose }: FootProps) {
  return (
    <div className="fc-picker-foot">
      <output className="fc-grow fc-cut">
        {chosen.length === 0 ? (
          <span className="fc-faint">Nothing chosen yet</span>
        ) : (
          <bdi>{chosen.map(({ name }) => name).join(', ')}</bdi>
        )}
      </output>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Action
        for={files.download}
        lock={chosen.length === 0 ? `Choose a ${nounOf({ ...wanted, isMany: false }, 0)} first.` : null}
        onClick={() => onChoose(chosen)}
      >
        Use {nounOf(wanted, chosen.length)}
      </Action>
    </div>
  )
}
