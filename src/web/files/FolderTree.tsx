import { IconChevronRight, IconFolder, IconFolderOpen } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileNode } from '#contract/files/files.ts'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Only the link to the open folder is current, not those to its ancestors. */
const EXACTLY = { exact: true, includeSearch: true }

/** All folders, expanded down to the open one. */
export function FolderTree({ current }: { current: string }) {
  return (
    <nav className="fc-tree" aria-label="Folders">
      <Branches folder="" current={current} />
    </nav>
  )
}

type Props = { folder: string; current: string }

function Branches({ folder, current }: Props) {
  const { content } = useFolder(folder)
  return (
    <ul>
      {content.nodes.map((node) => (
        <Branch key={node.path} node={node} current={current} />
      ))}
    </ul>
  )
}

function Branch({ node: { path, name }, current }: { node: FileNode; current: string }) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isAncestor = current === path || current.startsWith(`${path}/`)
  const isOpen = chosen ?? isAncestor
  const Icon = current === path ? IconFolderOpen : IconFolder
  return (
    <li>
      <div className="fc-branch" data-current={current === path || undefined}>
        <button
          type="button"
          className="fc-tool"
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          onClick={() => setChosen(!isOpen)}
        >
          <IconChevronRight size={14} className={isOpen ? 'fc-turned' : 'fc-flip'} aria-hidden="true" />
        </button>
        <Link to="/administration/media" search={{ folder: path }} activeOptions={EXACTLY}>
          <Icon size={16} stroke={1.6} aria-hidden="true" />
          <bdi className="fc-cut">{name}</bdi>
        </Link>
      </div>
      {isOpen && <Branches folder={path} current={current} />}
    </li>
  )
}
