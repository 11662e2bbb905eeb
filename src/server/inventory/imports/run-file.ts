import type { Place } from '#server/outside/file-storage.ts'

/** Where the file of a run is until it is read: no call of the file manager can name this folder. */
export const placeOfRun = (customerId: string, storedAs: string): Place => [customerId, '_feeds', storedAs]
