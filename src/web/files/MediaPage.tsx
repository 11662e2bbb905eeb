import { Button, FileButton } from '@mantine/core'
import { IconCopy, IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { files, type FolderContent } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { useHolds } from '#web/session/use-session.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { enqueueUpload } from '#web/ui/files/media/uploads.ts'
import { isPicture, pathSteps } from '#web/ui/files/media/file-format.ts'
import { FolderView } from './FolderView.tsx'
import { UnfinishedUploads } from './UnfinishedUploads.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { addFolder } from './name-dialog.tsx'
import { UploadList } from '#web/ui/files/media/UploadList.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/list/list.css'
import '#web/ui/list/table/table.css'
import './media.css'

const route = getRouteApi('/shell/administration/media')

/** Loaded with the lightbox when a picture is opened. */
const Pictures = lazy(async () => ({ default: (await import('./Pictures.tsx')).Pictures }))

const Duplicates = lazy(async () => ({ default: (await import('./Duplicates.tsx')).Duplicates }))

/** The customer's media: the folder tree, the open folder and uploads. */
export function MediaPage() {
  const { folder = '', picture, show } = route.useSearch()
  const navigate = route.useNavigate()
  const holds = useHolds()
  const { content, failure, isPending } = useFolder(folder)
  const isKnown = !failure && !isPending
  const look = (name: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, picture: name }),
      replace: name !== picture && !!picture,
    })
  const canSend = permissionsFor(files.upload.allow).every((wanted) => holds(wanted) === true)
  const send = (chosen: readonly File[]) => enqueueUpload(chosen, folder)
  const headerText = () => {
    if (show === 'duplicates') return 'Files with the same content, in all folders'
    return isKnown ? summarizeCounts(content) : ' '
  }
  return (
    <DropZone
      isOpen={canSend && isKnown}
      words={`Drop files into ${pathSteps(folder).at(-1)?.name ?? 'Media'}`}
      onDrop={send}
    >
      <PageHeader title="Media" context={headerText()}>
        <Link to="/administration/media" search={show === 'duplicates' ? {} : { show: 'duplicates' }}>
          <Button component="span" variant="default" leftSection={<IconCopy size={16} aria-hidden="true" />}>
            {show === 'duplicates' ? 'All media' : 'Duplicates'}
          </Button>
        </Link>
        <Action
          for={files.createDirectory}
          variant="default"
          onClick={() => void addFolder(folder)}
          leftSection={<IconFolderPlus size={16} aria-hidden="true" />}
        >
          Add folder
        </Action>
        <FileButton multiple onChange={send}>
          {({ onClick }) => (
            <Action
              for={files.upload}
              onClick={onClick}
              leftSection={<IconUpload size={16} aria-hidden="true" />}
            >
              Upload
            </Action>
          )}
        </FileButton>
      </PageHeader>
      {canSend && <UnfinishedUploads />}
      {show === 'duplicates' ? (
        <Suspense fallback={<Spinner label="Loading the duplicates" />}>
          <Duplicates />
        </Suspense>
      ) : (
        <FolderView key={folder} />
      )}
      <UploadList />
      {picture !== undefined && content.leafs.some(isPicture) && (
        <Suspense>
          <Pictures
            leafs={content.leafs.filter(isPicture)}
            name={picture}
            onView={look}
            onClose={() => look(undefined)}
          />
        </Suspense>
      )}
    </DropZone>
  )
}

/** "3 folders and 1 file", leaving out zero counts. */
function summarizeCounts({ nodes, leafs }: FolderContent): string {
  const parts = [
    nodes.length > 0 && count(nodes.length, 'folder', 'folders'),
    leafs.length > 0 && count(leafs.length, 'file', 'files'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Empty' : parts.join(' and ')
}
