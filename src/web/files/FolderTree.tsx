import { IconChevronRight, IconFolder, IconFolderOpen } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { FileNode } from '#contract/files/files.ts'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Only the link to the open folder is current, not those to its ancestors. */
const EXACTLY = { exact: true, includeSearch: true }

/** All folders, expanded down to the open one. */
export function FolderTree({ current }: { current: string }) {
  return (
    <nav className="fc-tree" aria-label="Folders">
      <FolderBranches folder="" current={current} entry={(node) => drawLink(node, current)} />
    </nav>
  )
}

function drawLink({ path, name }: FileNode, current: string) {
  const Icon = current === path ? IconFolderOpen : IconFolder
  return (
    <Link to="/administration/media" search={{ folder: path }} activeOptions={EXACTLY}>
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      <bdi className="fc-cut">{name}</bdi>
    </Link>
  )
}

type Props = {
  /** Whose folders are listed. */
  folder: string
  /** Its ancestors are expanded at first. */
  current: string
  entry: (node: FileNode) => ReactNode
  /** Folders that stay collapsed. */
  closed?: readonly string[]
}

/** The folders in a folder, which expand to theirs. */
export function FolderBranches({ folder, ...props }: Props) {
  const { content } = useFolder(folder)
  return (
    <ul style={{ margin: 0, listStyle: 'none', paddingInlineStart: folder === '' ? 0 : 16 }}>
      {content.nodes.map((node) => (
        <Branch key={node.path} node={node} {...props} />
      ))}
    </ul>
  )
}

function Branch({ node, ...props }: Omit<Props, 'folder'> & { node: FileNode }) {
  const { current, entry, closed = [] } = props
  const { path, name } = node
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isClosed = closed.includes(path)
  const isAncestor = current === path || current.startsWith(`${path}/`)
  const isOpen = !isClosed && (chosen ?? isAncestor)
  return (
    <li>
      <div className="fc-branch" data-current={current === path || undefined}>
        <button
          type="button"
          className="fc-tool"
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          disabled={isClosed}
          onClick={() => setChosen(!isOpen)}
        >
          <IconChevronRight size={14} className={isOpen ? 'fc-turned' : 'fc-flip'} aria-hidden="true" />
        </button>
        {entry(node)}
      </div>
      {isOpen && <FolderBranches folder={path} {...props} />}
    </li>
  )
}
