import { Button } from '@mantine/core'
import { IconCheck, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileLeaf, FileNode, FolderContent } from '#contract/files/files.ts'
import { kindOf } from '#web/ui/files/media/file-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { type FileRequest, whyNot } from './picker-listing.ts'
import { FilePicture } from '#web/ui/files/media/FilePicture.tsx'

/** The number of tiles shown at first: browsers are slow with thousands of boxes. */
const STEP = 120

type Props = {
  shown: FolderContent
  wanted: FileRequest
  chosen: readonly FileLeaf[]
  onOpen: (folder: string) => void
  onPress: (leaf: FileLeaf) => void
  /** Double-click or Enter: choose this file and close. */
  onTake: (leaf: FileLeaf) => void
}

/** Folders to open and files to choose. */
export function Tiles({ shown, wanted, chosen, onOpen, onPress, onTake }: Props) {
  const [most, setMost] = useState(STEP)
  const { nodes, leafs } = shown
  const rest = leafs.length - most
  return (
    <>
      {nodes.length > 0 && (
        <ul className="fc-tiles" aria-label="Folders">
          {nodes.map((node) => (
            <FolderTile key={node.path} node={node} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {leafs.length > 0 && (
        <ul className="fc-tiles" aria-label={wanted.kind === 'picture' ? 'Pictures' : 'Files'}>
          {leafs.slice(0, most).map((leaf) => (
            <FileTile
              key={`${leaf.path} ${leaf.updatedAt}`}
              leaf={leaf}
              wanted={wanted}
              isChosen={chosen.some(({ path }) => path === leaf.path)}
              onPress={() => onPress(leaf)}
              onTake={() => onTake(leaf)}
            />
          ))}
        </ul>
      )}
      {rest > 0 && (
        <div className="fc-picker-more">
          <Button variant="default" onClick={() => setMost(most + STEP)}>
            Show {Math.min(STEP, rest)} more of {leafs.length.toLocaleString()}
          </Button>
        </div>
      )}
    </>
  )
}

function FolderTile({ node, onOpen }: { node: FileNode; onOpen: (folder: string) => void }) {
  return (
    <li>
      <button type="button" className="fc-tile fc-tile-folder" onClick={() => onOpen(node.path)}>
        <IconFolder size={20} stroke={1.6} aria-hidden="true" />
        <bdi className="fc-cut">{node.name}</bdi>
      </button>
    </li>
  )
}

type FileProps = {
  leaf: FileLeaf
  wanted: FileRequest
  isChosen: boolean
  onPress: () => void
  onTake: () => void
}

/** The checkbox covers the whole tile, so that all of it can be clicked. */
function FileTile({ leaf, wanted, isChosen, onPress, onTake }: FileProps) {
  const reason = whyNot(leaf, wanted)
  return (
    <li>
      <label className="fc-tile fc-tile-file" data-locked={reason !== null || undefined}>
        <input
          type={wanted.isMany ? 'checkbox' : 'radio'}
          name="fc-picked"
          checked={isChosen}
          aria-disabled={reason !== null || undefined}
          onChange={onPress}
          onDoubleClick={() => reason === null && onTake()}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || reason !== null) return
            event.preventDefault()
            onTake()
          }}
        />
        <FilePicture leaf={leaf} box="fc-thumb" size={28} />
        <span className="fc-tile-words">
          <bdi className="fc-cut">{leaf.name}</bdi>
          <span className="fc-second">
            <bdi>{reason ?? `${kindOf(leaf)}, ${formatBytes(leaf.size)}`}</bdi>
          </span>
        </span>
        <span className="fc-tile-mark" aria-hidden="true">
          {isChosen && <IconCheck size={14} stroke={2.4} />}
        </span>
      </label>
    </li>
  )
}
