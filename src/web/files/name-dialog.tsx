import { type FileNode, files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { send } from '#web/api/query.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { NameForm } from './NameForm.tsx'

const sendFolder = send(files.createDirectory)
const sendName = send(files.rename)

/** Asks for a name and creates a folder. */
export async function addFolder(folder: string): Promise<void> {
  const added = await askFor<FileNode>('New folder', (answer) => (
    <NameForm
      kind="folder"
      endpoint={files.createDirectory}
      about={folder}
      start=""
      submit="Create folder"
      send={(dirName) => sendFolder({ container: MEDIA_CONTAINER, folder, dirName })}
      onAnswer={answer}
    />
  ))
  if (added !== null) toast('Folder created', added.name)
}

/** Asks for a new name and renames a folder or file. */
export async function renameItem(item: FileNode, kind: 'folder' | 'file'): Promise<void> {
  const { path, name } = item
  const renamed = await askFor<FileNode>(`Rename ${name}`, (answer) => (
    <NameForm
      kind={kind}
      endpoint={files.rename}
      about={path}
      start={name}
      submit="Rename"
      send={async (newName) =>
        newName === name ? item : sendName({ container: MEDIA_CONTAINER, path, newName })
      }
      onAnswer={answer}
    />
  ))
  if (renamed === null || renamed === item) return
  toast(kind === 'folder' ? 'Folder renamed' : 'File renamed', renamed.name)
}
