import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import './drop-zone.css'

type Props = {
  /** Whether files are taken here now. */
  isOpen: boolean
  /** What stands over the page while they hover: "Drop files into Photos". */
  words: string
  onDrop: (files: readonly File[]) => void
  children: ReactNode
}

/** The whole page takes files that are dragged onto it. For the keyboard there is the button. */
export function DropZone({ isOpen, words, onDrop, children }: Props) {
  // Entering a part inside comes before leaving the part around it.
  const depth = useRef(0)
  const [isOver, setIsOver] = useState(false)
  const move = (event: DragEvent, step: 1 | -1) => {
    if (!hasFiles(event)) return
    depth.current += step
    setIsOver(depth.current > 0)
  }
  function over(event: DragEvent) {
    if (!hasFiles(event)) return
    // Without it the browser would leave the page and open the file.
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
    // Nothing here is pressed or reached by keys: dragging comes from outside of the page.
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

/** Folders cannot be sent: the browser gives them as files that cannot be read. */
function filesIn({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory === true ? null : item.getAsFile()
    return file ?? []
  })
}
