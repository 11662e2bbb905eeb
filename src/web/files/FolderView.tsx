import { Button, Checkbox, Group, Text } from '@mantine/core'
import { IconFolderSymlink } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { FileNode } from '#contract/files/files.ts'
import { MAX_MOVED, mediaMoves } from '#contract/files/media-moves.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { findNamed, isPicture } from '#web/ui/files/media/file-format.ts'
import { FolderPath } from '#web/ui/files/media/FolderPath.tsx'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import { FolderContents } from './FolderContents.tsx'
import { FolderTree } from './FolderTree.tsx'
import { moveItems } from './MoveForm.tsx'

const route = getRouteApi('/shell/administration/media')

/** The folder tree and the open folder, whose items can be selected and moved. */
export function FolderView() {
  const { folder = '', search = '', show } = route.useSearch()
  const navigate = route.useNavigate()
  const { content, failure, isPending, retry } = useFolder(folder)
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set())
  const isFiltered = show === 'no-alt-text'
  const leafs = findNamed(content.leafs, search)
  const shown = {
    nodes: findNamed(content.nodes, search),
    leafs: isFiltered ? leafs.filter((leaf) => isPicture(leaf) && leaf.alt === undefined) : leafs,
  }
  const chosen = [...shown.nodes, ...shown.leafs].filter(({ path }) => paths.has(path))
  const toggle = (path: string) => {
    const next = new Set(paths)
    if (!next.delete(path)) next.add(path)
    setPaths(next)
  }
  return (
    <>
      <div className="fc-toolbar fc-media-bar">
        {chosen.length > 0 ? (
          <Chosen chosen={chosen} onClear={() => setPaths(new Set())} />
        ) : (
          <FolderPath folder={folder} step={drawStep} />
        )}
        <span className="fc-tools">
          <Checkbox
            label="No alt text"
            style={{ alignSelf: 'center', whiteSpace: 'nowrap' }}
            checked={isFiltered}
            onChange={() =>
              void navigate({
                search: (before) => ({ ...before, show: isFiltered ? undefined : 'no-alt-text' }),
                replace: true,
              })
            }
          />
          <SearchField
            key={folder}
            label="Search in this folder"
            placeholder="Name"
            value={search}
            onSearch={(text) =>
              void navigate({
                search: (before) => ({ ...before, search: text || undefined }),
                replace: true,
              })
            }
          />
        </span>
      </div>
      <div className="fc-media">
        <FolderTree current={folder} />
        <FolderContents
          {...{ shown, folder, search, isFiltered, failure, isPending }}
          total={content.nodes.length + content.leafs.length}
          choice={{ paths, toggle }}
          onChooseAll={(all) => setPaths(new Set(all))}
          onRetry={retry}
        />
      </div>
    </>
  )
}

/** What can be done with the selected items. */
function Chosen({ chosen, onClear }: { chosen: readonly FileNode[]; onClear: () => void }) {
  return (
    <Group component="section" gap={8} aria-label="Selected items">
      <Text fz={13} component="output">{`${chosen.length.toLocaleString()} selected`}</Text>
      <Action
        for={mediaMoves.move}
        size="compact-sm"
        variant="default"
        lock={chosen.length > MAX_MOVED ? `Select at most ${MAX_MOVED}.` : null}
        leftSection={<IconFolderSymlink size={16} aria-hidden="true" />}
        onClick={() => void moveItems(chosen).then((isMoved) => isMoved && onClear())}
      >
        Move
      </Action>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  )
}

/** Only the link to the open folder is current, not those to its ancestors. */
const EXACTLY = { exact: true, includeSearch: true }

function drawStep(to: string, name: ReactNode, isHere: boolean) {
  return (
    <Link
      to="/administration/media"
      search={to === '' ? {} : { folder: to }}
      activeOptions={EXACTLY}
      data-here={isHere || undefined}
    >
      {name}
    </Link>
  )
}
