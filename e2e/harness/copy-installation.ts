import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'

/** Copies an installation that does not run into an empty home. */
export function copyInstallation(from: string, home: string): Promise<void> {
  return cp(from, home, { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE })
}
