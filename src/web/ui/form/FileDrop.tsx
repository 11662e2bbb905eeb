import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import './file-drop.css'

type Props = {
  /** What is wanted, while there is no file. */
  text: string
  file: File | null
  accept: string
  isBusy: boolean
  onTake: (file: File) => void
}

/** One file, dropped or chosen. */
export function FileDrop({ text, file, accept, isBusy, onTake }: Props) {
  const [isOver, setIsOver] = useState(false)
  const take = (given: File | null) => {
    if (given !== null) onTake(given)
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files.item(0))
  }
  return (
    // Dragging comes from outside of the page; for the keyboard there is the button.
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
      <FileButton onChange={take} accept={accept}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={isBusy}
            leftSection={<IconUpload size={16} aria-hidden="true" />}
          >
            {file === null ? 'Choose a file' : 'Choose another file'}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
