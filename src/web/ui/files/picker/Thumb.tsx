import { useInViewport } from '@mantine/hooks'
import type { FileLeaf } from '#contract/files/files.ts'
import { FileIcon } from '#web/ui/files/media/FileIcon.tsx'
import { isPicture } from '#web/ui/files/media/file-format.ts'
import { usePictures } from '#web/ui/files/media/use-pictures.ts'

/** In bytes. Larger pictures aren't worth downloading for a thumbnail. */
const LARGEST = 8_000_000

/** A thumbnail, loaded when it scrolls into view; other files show their type. */
export function Thumb({ leaf }: { leaf: FileLeaf }) {
  const { ref, inViewport } = useInViewport()
  const isShown = isPicture(leaf) && leaf.size <= LARGEST
  const src = usePictures(isShown && inViewport ? [leaf.path] : []).get(leaf.path)
  return (
    <span ref={ref} className="fc-thumb">
      {src !== undefined && <img src={src} alt="" />}
      {src === undefined && isShown && <span className="fc-skeleton" />}
      {!isShown && <FileIcon type={leaf.type} size={28} />}
    </span>
  )
}
