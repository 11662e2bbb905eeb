import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clearLeftover } from '#server/database/embedded/leftover.ts'
import { isAlive } from '#server/installation/running-process.ts'

/** Where runs of the tests keep their data, and the templates that they share. */
export const HOMES = join(import.meta.dirname, '..', '..', '.forecourt-test')

/** A new home folder for one run of the tests. Those of runs that were killed are cleared away first. */
export async function makeTestHome(homes = HOMES): Promise<string> {
  await mkdir(homes, { recursive: true, mode: 0o700 })
  for (const name of await readdir(homes)) {
    if (/^\d+-/.test(name) && !(await isAlive(Number(name.split('-')[0]))))
      await discardTestHome(join(homes, name))
  }
  const home = join(homes, `${process.pid}-${Math.random().toString(36).slice(2, 8)}`)
  await mkdir(home, { mode: 0o700 })
  return home
}

/** Removes a home with its data, wherever they are, and stops a server that still works on them. */
export async function discardTestHome(home: string): Promise<void> {
  const data = await realpath(join(home, 'postgres')).catch(() => null)
  if (data !== null) {
    await clearLeftover({ data, socketFolder: dirname(data), say: () => {} })
    await rm(dirname(data), { recursive: true, force: true })
  }
  await rm(home, { recursive: true, force: true })
}
