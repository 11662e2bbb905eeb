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
 * Azure Blob Storage where the settings name it, else a folder of the installation. Files that the folder has when Azure
 * takes its place are moved there first.
 * @param claim is told which store it is before a file of it is touched, and throws where the installation has another.
 * @throws Error with a sentence when files cannot be kept, or not all could be moved.
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
  // Its client is large, and most installations keep files in their folder.
  const { openAzureStorage } = await import('./azure-storage.ts')
  const azure = openAzureStorage({ connection: azureStorage, container: CONTAINER })
  await azure.check()
  await claim({ own: identityOfAzure(azureStorage, CONTAINER), former: await findIdentity(folder) })
  const aside = join(home, `files-moved-${clock.date().toISOString().replaceAll(/[:.]/g, '-')}`)
  const moved = await moveFiles(azure, { folder, aside })
  if (moved !== null)
    say(
      `Moved ${moved.files} files to Azure Storage; ${moved.left} were there already. ${moved.aside} still has all of them.`,
    )
  return azure
}
