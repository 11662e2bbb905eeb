import type { Place } from '#server/outside/file-storage.ts'

/** Where the files of a customer's runs are until they are read: no call of the file manager can name this folder. */
export const folderOfRuns = (customerId: string): Place => [customerId, '_feeds']
export const placeOfRun = (customerId: string, storedAs: string): Place => [
  ...folderOfRuns(customerId),
  storedAs,
]
