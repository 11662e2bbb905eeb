import { Button, Checkbox, Group } from '@mantine/core'
import { IconPhotoPlus, IconSearchOff } from '@tabler/icons-react'
import { files, type FolderContent } from '#contract/files/files.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { pathSteps } from '#web/ui/files/media/file-format.ts'
import { type Choice, FileRow, FolderRow } from './rows.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  /** Filtered by the search. */
  shown: FolderContent
  folder: string
  search: string
  /** Whether only pictures without alternative text are shown. */
  isFiltered: boolean
  /** The number of items in the folder, before filtering. */
  total: number
  failure: CallFailure | null
  isPending: boolean
  choice: Choice
  /** Selects the items, or none. */
  onChooseAll: (paths: readonly string[]) => void
  onRetry: () => void
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e']

/** The contents of the open folder: folders first, then files. */
export function FolderContents(props: Props) {
  const { shown, folder, search, isFiltered, total, failure, isPending, choice, onChooseAll, onRetry } = props
  if (failure) {
    return (
      <FailureState failure={failure} endpoint={files.getChildren} what="this folder" onRetry={onRetry} />
    )
  }
  if (isPending) {
    return (
      <div className="fc-media-rows" aria-busy="true">
        <output className="fc-hidden">Loading the folder</output>
        {SKELETON_ROWS.map((row) => (
          <span key={row} className="fc-skeleton" />
        ))}
      </div>
    )
  }
  const name = pathSteps(folder).at(-1)?.name ?? 'Media'
  if (total === 0) {
    return (
      <EmptyState
        tone="brand"
        icon={<IconPhotoPlus size={18} />}
        title={folder === '' ? 'No media yet' : 'This folder is empty'}
        text="Drag files here or select Upload. You can use them on pages and in emails."
      />
    )
  }
  if (shown.nodes.length + shown.leafs.length === 0) {
    return (
      <EmptyState
        icon={<IconSearchOff size={18} />}
        title={search === '' ? 'Every picture here has an alternative text' : `No results for “${search}”`}
        text={`${name} has ${count(total, 'item', 'items')}.`}
      >
        <Link
          from="/administration/media"
          to="."
          search={(before) => ({ ...before, search: undefined, show: undefined })}
        >
          <Button component="span" variant="default">
            {isFiltered ? 'Show all' : 'Clear search'}
          </Button>
        </Link>
      </EmptyState>
    )
  }
  return (
    <section className="fc-media-rows" aria-label={`In ${name}`}>
      <table className="fc-media-table" aria-label={`Folders and files in ${name}`}>
        <thead>
          <tr>
            <th scope="col">
              <Group gap={12} wrap="nowrap">
                <ChooseAll shown={shown} choice={choice} onChooseAll={onChooseAll} />
                Name
              </Group>
            </th>
            <th scope="col" className="fc-only-wide-cell">
              Type
            </th>
            <th scope="col" className="fc-end fc-only-wide-cell">
              Size
            </th>
            <th scope="col" className="fc-end fc-only-wide-cell">
              Changed
            </th>
            <th scope="col">
              <span className="fc-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.nodes.map((node) => (
            <FolderRow key={node.path} node={node} choice={choice} />
          ))}
          {shown.leafs.map((leaf) => (
            <FileRow key={leaf.path} leaf={leaf} choice={choice} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ChooseAll({ shown, choice, onChooseAll }: Pick<Props, 'shown' | 'choice' | 'onChooseAll'>) {
  const paths = [...shown.nodes, ...shown.leafs].map(({ path }) => path)
  const isAll = paths.every((path) => choice.paths.has(path))
  return (
    <Checkbox
      aria-label="Select all"
      checked={isAll}
      indeterminate={!isAll && paths.some((path) => choice.paths.has(path))}
      onChange={() => onChooseAll(isAll ? [] : paths)}
    />
  )
}
