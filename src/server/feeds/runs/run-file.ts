import type { StoragePath } from '#server/outside/file-storage.ts'

/** The folder of a customer's feed files, which the file manager can't access. */
export const folderOfRuns = (customerId: string): StoragePath => [customerId, '_feeds']
export const placeOfRun = (customerId: string, storedAs: string): StoragePath => [
  ...folderOfRuns(customerId),
  storedAs,
]
