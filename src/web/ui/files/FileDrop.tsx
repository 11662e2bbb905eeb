import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import './file-drop.css'

const UPLOAD = <IconUpload size={16} aria-hidden="true" />

type Props = {
  /** What to choose, shown while there is no file. */
  text: string
  file: File | null
  accept: string
  isBusy: boolean
  onTake?: (file: File) => void
  /** For multiple files: replaces `onTake`. */
  onTakeAll?: (files: readonly File[]) => void
}

/** Takes one or more files, dropped or chosen. */
export function FileDrop({ text, file, accept, isBusy, onTake, onTakeAll }: Props) {
  const [isOver, setIsOver] = useState(false)
  const take = (given: readonly File[]) => {
    const [first] = given
    if (first === undefined) return
    if (onTakeAll) onTakeAll(given)
    else onTake?.(first)
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take([...event.dataTransfer.files])
  }
  return (
    // Files are dragged here from outside of the page; keyboard users have the button.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="fc-file-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <p>
        <bdi>{file === null ? text : file.name}</bdi>
      </p>
      {onTakeAll ? (
        <FileButton multiple onChange={take} accept={accept}>
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={UPLOAD}>
              Choose files
            </Button>
          )}
        </FileButton>
      ) : (
        <FileButton onChange={(given) => take(given === null ? [] : [given])} accept={accept}>
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={UPLOAD}>
              {file === null ? 'Choose a file' : 'Choose another file'}
            </Button>
          )}
        </FileButton>
      )}
    </div>
  )
}
