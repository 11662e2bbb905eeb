import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import './drop-zone.css'

type Props = {
  /** Whether files can be dropped right now. */
  isOpen: boolean
  /** Shown over the page while files are dragged over it: "Drop files into Photos". */
  words: string
  onDrop: (files: readonly File[]) => void
  children: ReactNode
}

/** Accepts files dragged onto the page. Keyboard users have the Upload button. */
export function DropZone({ isOpen, words, onDrop, children }: Props) {
  // The browser fires dragenter on the inner element before dragleave on the outer one.
  const depth = useRef(0)
  const [isOver, setIsOver] = useState(false)
  const move = (event: DragEvent, step: 1 | -1) => {
    if (!hasFiles(event)) return
    depth.current += step
    setIsOver(depth.current > 0)
  }
  function over(event: DragEvent) {
    if (!hasFiles(event)) return
    // Without it, the browser would leave the page and open the file.
    event.preventDefault()
    event.dataTransfer.dropEffect = isOpen ? 'copy' : 'none'
  }
  function drop(event: DragEvent) {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setIsOver(false)
    if (isOpen) onDrop(filesIn(event.dataTransfer))
  }
  return (
    // Not a control: files are only dragged here from outside of the page.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="fc-list fc-drop-zone"
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={over}
      onDrop={drop}
    >
      {children}
      {isOver && isOpen && (
        <div className="fc-drop-here" aria-hidden="true">
          <IconUpload size={24} stroke={1.6} />
          <bdi>{words}</bdi>
        </div>
      )}
    </div>
  )
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}

/** Folders can't be uploaded: the browser reports them as unreadable files. */
function filesIn({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory === true ? null : item.getAsFile()
    return file ?? []
  })
}
