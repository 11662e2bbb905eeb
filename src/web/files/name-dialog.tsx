import type { FileNode } from '#contract/files/files.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { createDirectory, rename } from '#web/ui/files/media/file-manager.ts'
import { NameForm } from './NameForm.tsx'

/** Asks for a name and creates a folder. */
export async function addFolder(folder: string): Promise<void> {
  const name = await askFor<string>('New folder', (answer) => (
    <NameForm kind="folder" start="" submit="Create folder" onAnswer={answer} />
  ))
  if (name === null) return
  const added = await createDirectory(folder, name)
  if (added !== false) toast('Folder created', added.name)
}

/** Asks for a new name and renames a folder or file. */
export async function renameItem({ path, name }: FileNode, kind: 'folder' | 'file'): Promise<void> {
  const next = await askFor<string>(`Rename ${name}`, (answer) => (
    <NameForm kind={kind} start={name} submit="Rename" onAnswer={answer} />
  ))
  if (next === null || next === name) return
  const renamed = await rename(path, next)
  if (renamed !== false) toast(kind === 'folder' ? 'Folder renamed' : 'File renamed', renamed.name)
}
