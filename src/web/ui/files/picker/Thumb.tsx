import { useInViewport } from '@mantine/hooks'
import type { FileLeaf } from '#contract/files/files.ts'
import { FileIcon } from '#web/ui/files/media/FileIcon.tsx'
import { isPicture } from '#web/ui/files/media/file-format.ts'
import { usePictures } from '#web/ui/files/media/use-pictures.ts'

/** Larger ones are not worth their way for a stamp, in bytes. */
const LARGEST = 8_000_000

/** A picture small, once it has come into view; for other files what they are. */
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
