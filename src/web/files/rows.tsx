import { Checkbox, Group } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type FileLeaf, type FileNode, files } from '#contract/files/files.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { saveToDisk } from '#web/ui/files/media/file-manager.ts'
import { isPicture, kindOf } from '#web/ui/files/media/file-format.ts'
import { FilePicture } from '#web/ui/files/media/FilePicture.tsx'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { RowMenu } from './RowMenu.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const BOX = { width: 64, height: 48 }

/** The paths of the selected items. */
export type Choice = { paths: ReadonlySet<string>; toggle: (path: string) => void }

/** A folder, linked to its contents. */
export function FolderRow({ node, choice }: { node: FileNode; choice: Choice }) {
  return (
    <tr>
      <NameCell item={node} choice={choice}>
        <Link to="/administration/media" search={{ folder: node.path }} className="fc-media-name">
          <IconFolder size={18} stroke={1.6} className="fc-media-folder" aria-hidden="true" />
          <bdi className="fc-cut fc-name">{node.name}</bdi>
        </Link>
      </NameCell>
      <td colSpan={3} className="fc-only-wide-cell fc-soft">
        Folder
      </td>
      <td className="fc-media-end">
        <RowMenu item={node} kind="folder" />
      </td>
    </tr>
  )
}

/** A file: a picture opens in the lightbox, anything else downloads. */
export function FileRow({ leaf, choice }: { leaf: FileLeaf; choice: Choice }) {
  const { name, size, updatedAt, alt } = leaf
  const facts = `${kindOf(leaf)}, ${formatBytes(size)}, ${formatAgo(updatedAt)}`
  const mayOpen = useMayCall(files.download)
  const label = (
    <>
      <FilePicture leaf={leaf} box={BOX} size={20} />
      <span className="fc-media-words">
        <bdi className="fc-cut fc-name">{name}</bdi>
        <span className="fc-second fc-only-narrow">{facts}</span>
        {isPicture(leaf) && <bdi className="fc-second fc-cut">{alt ?? 'No alt text'}</bdi>}
      </span>
    </>
  )
  return (
    <tr>
      <NameCell item={leaf} choice={choice}>
        {!mayOpen && <span className="fc-media-name">{label}</span>}
        {mayOpen && isPicture(leaf) && (
          <Link
            from="/administration/media"
            to="."
            search={(before) => ({ ...before, picture: name })}
            className="fc-media-name"
          >
            {label}
          </Link>
        )}
        {mayOpen && !isPicture(leaf) && (
          <button
            type="button"
            className="fc-media-name"
            title={`Download ${name}`}
            onClick={() => void saveToDisk(leaf)}
          >
            {label}
          </button>
        )}
      </NameCell>
      <td className="fc-only-wide-cell fc-soft">{kindOf(leaf)}</td>
      <td className="fc-only-wide-cell fc-end fc-number">{formatBytes(size)}</td>
      <td className="fc-only-wide-cell fc-end fc-soft">
        <time dateTime={updatedAt} title={new Date(updatedAt).toLocaleString()}>
          {formatAgo(updatedAt)}
        </time>
      </td>
      <td className="fc-media-end">
        <RowMenu item={leaf} kind="file" picture={isPicture(leaf) ? leaf : null} />
      </td>
    </tr>
  )
}

type NameCellProps = { item: FileNode; choice: Choice; children: ReactNode }

function NameCell({ item: { path, name }, choice, children }: NameCellProps) {
  return (
    <td>
      <Group gap={12} wrap="nowrap">
        <Checkbox
          aria-label={`Select ${name}`}
          checked={choice.paths.has(path)}
          onChange={() => choice.toggle(path)}
        />
        {children}
      </Group>
    </td>
  )
}
