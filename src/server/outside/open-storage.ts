import { join } from 'node:path'
import { clock } from '#server/clock.ts'
import type { Settings } from '#server/environment.ts'
import {
  findIdentity,
  identityOfAzure,
  identityOfFolder,
  type StoreIdentity,
} from '#server/installation/file-store.ts'
import type { FileStorage } from './file-storage.ts'
import { openFolderStorage } from './folder-storage.ts'
import { moveFiles } from './move-files.ts'

const CONTAINER = 'forecourt'

/**
 * Opens Azure Blob Storage if it is configured, or else a folder of the installation. When Azure replaces the folder, the
 * folder's files are moved there first.
 * @param claim is called with the storage's identity before any file is used, and throws if the installation uses another.
 * @throws Error if the storage is not writable, or not all files could be moved.
 */
export async function openStorage(
  { azureStorage, home }: Settings,
  say: (line: string) => void,
  claim: (identity: StoreIdentity) => Promise<void> = async () => {},
): Promise<FileStorage> {
  const folder = join(home, 'files')
  if (azureStorage === null) {
    const kept = await openFolderStorage(folder)
    await kept.check()
    await claim({ own: await identityOfFolder(folder), former: null })
    return kept
  }
  // Loaded on demand: the client is large, and most installations use the folder.
  const { openAzureStorage } = await import('./azure-storage.ts')
  const azure = openAzureStorage({ connection: azureStorage, container: CONTAINER })
  await azure.check()
  await claim({ own: identityOfAzure(azureStorage, CONTAINER), former: await findIdentity(folder) })
  const aside = join(home, `files-moved-${clock.date().toISOString().replaceAll(/[:.]/g, '-')}`)
  const moved = await moveFiles(azure, { folder, aside })
  if (moved !== null)
    say(
      `Moved ${moved.files} files to Azure Storage; ${moved.left} already existed there. All of them are still in ${moved.aside}.`,
    )
  return azure
}
