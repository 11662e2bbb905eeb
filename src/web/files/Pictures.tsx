import type { FileLeaf } from '#contract/files/files.ts'
import { Lightbox } from '#web/ui/files/lightbox/Lightbox.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { saveToDisk } from '#web/ui/files/media/file-manager.ts'
import { usePictures } from '#web/ui/files/media/use-pictures.ts'

type Props = {
  leafs: readonly FileLeaf[]
  /** The name of the open picture. */
  name: string
  onView: (name: string) => void
  onClose: () => void
}

/** The pictures of a folder in the lightbox: the open one, and its neighbors as they load. */
export function Pictures({ leafs, name, onView, onClose }: Props) {
  const at = leafs.findIndex((leaf) => leaf.name === name)
  const near = at < 0 ? [] : leafs.slice(Math.max(0, at - 1), at + 2)
  const sources = usePictures(near.map(({ path }) => path))
  const there = near.flatMap((leaf) => {
    const src = sources.get(leaf.path)
    return src === undefined ? [] : [{ leaf, src }]
  })
  const index = there.findIndex(({ leaf }) => leaf.name === name)
  if (at < 0) return null
  if (index < 0) {
    return (
      <div className="fc-picture-waiting">
        <Spinner label={`Loading ${name}`} />
      </div>
    )
  }
  const album = there.map(({ leaf, src }) => ({ src, caption: leaf.name, downloadUrl: src }))
  return (
    <Lightbox
      album={album}
      index={index}
      onView={(viewed) => onView(there[viewed]?.leaf.name ?? name)}
      onClose={onClose}
      onDownload={(saved) => {
        const leaf = there[saved]?.leaf
        if (leaf) void saveToDisk(leaf)
      }}
    />
  )
}
