import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBlockquote,
  IconCar,
  IconDots,
  IconDownload,
  IconFolderSymlink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FileLeaf, type FileNode, files } from '#contract/files/files.ts'
import { mediaMoves } from '#contract/files/media-moves.ts'
import { mediaTexts } from '#contract/files/media-texts.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { remove, saveToDisk } from '#web/ui/files/media/file-manager.ts'
import { describePicture } from './AltForm.tsx'
import { moveItems } from './MoveForm.tsx'
import { isUnused, showUses } from './MediaUses.tsx'
import { renameItem } from './name-dialog.tsx'

type Props = {
  item: FileNode
  kind: 'folder' | 'file'
  /** The file, if it is a picture. */
  picture?: FileLeaf | null
}

/** Actions for a folder or file. */
export function RowMenu({ item, kind, picture = null }: Props) {
  const navigate = useNavigate({ from: '/administration/media' })
  async function rename() {
    if (await isUnused(item, 'renamed')) await renameItem(item, kind)
  }
  async function confirmRemoval() {
    if (!(await isUnused(item, 'deleted'))) return
    const isSure = await ask({
      title: `Delete ${item.name}?`,
      text:
        kind === 'folder'
          ? "The folder and everything in it will be deleted. This can't be undone."
          : "Nothing shows this file. Its deletion can't be undone.",
      confirm: kind === 'folder' ? 'Delete folder' : 'Delete file',
      isDestructive: true,
    })
    if (!isSure || !(await remove([item.path]))) return
    toast(kind === 'folder' ? 'Folder deleted' : 'File deleted', item.name)
    // The picture in the URL may have been deleted.
    void navigate({ to: '.', search: (before) => ({ ...before, picture: undefined }), replace: true })
  }
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" size={32} aria-label={`More for ${item.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {kind === 'file' && (
          <ActionItem
            for={files.download}
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            onClick={() => void saveToDisk(item)}
          >
            Download
          </ActionItem>
        )}
        {picture !== null && (
          <ActionItem
            for={mediaTexts.update}
            leftSection={<IconBlockquote size={16} aria-hidden="true" />}
            onClick={() => void describePicture(picture)}
          >
            Alternative text
          </ActionItem>
        )}
        <ActionItem
          for={files.uses}
          leftSection={<IconCar size={16} aria-hidden="true" />}
          onClick={() => void showUses(item)}
        >
          Where it is used
        </ActionItem>
        <ActionItem
          for={files.rename}
          leftSection={<IconPencil size={16} aria-hidden="true" />}
          onClick={() => void rename()}
        >
          Rename
        </ActionItem>
        <ActionItem
          for={mediaMoves.move}
          leftSection={<IconFolderSymlink size={16} aria-hidden="true" />}
          onClick={() => void moveItems([item])}
        >
          Move
        </ActionItem>
        <ActionItem
          for={files.delete}
          isDestructive
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => void confirmRemoval()}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
