import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FileNode, files } from '#contract/files/files.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { remove, saveToDisk } from '#web/ui/files/media/file-manager.ts'
import { renameItem } from './name-dialog.tsx'

type Props = { item: FileNode; kind: 'folder' | 'file' }

/** Actions for a folder or file. */
export function RowMenu({ item, kind }: Props) {
  const navigate = useNavigate({ from: '/administration/media' })
  async function confirmRemoval() {
    const isSure = await ask({
      title: `Delete ${item.name}?`,
      text:
        kind === 'folder'
          ? "The folder and everything in it will be deleted. This can't be undone."
          : "Anything that uses this file will show nothing in its place. This can't be undone.",
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
        <ActionItem
          for={files.rename}
          leftSection={<IconPencil size={16} aria-hidden="true" />}
          onClick={() => void renameItem(item, kind)}
        >
          Rename
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
