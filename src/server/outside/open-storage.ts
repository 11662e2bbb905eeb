import { join } from 'node:path'
import type { Settings } from '#server/environment.ts'
import { openAzureStorage } from './azure-storage.ts'
import type { FileStorage } from './file-storage.ts'
import { openFolderStorage } from './folder-storage.ts'

const CONTAINER = 'forecourt'

/** Azure Blob Storage where the settings name it, else a folder of the installation. */
export function openStorage({ azureStorage, home }: Settings): Promise<FileStorage> {
  if (azureStorage === null) return openFolderStorage(join(home, 'files'))
  return Promise.resolve(openAzureStorage({ connection: azureStorage, container: CONTAINER }))
}
