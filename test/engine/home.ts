import { mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { availableMemory } from 'node:process'
import { clearLeftover } from '#server/database/embedded/leftover.ts'
import { isAlive } from '#server/installation/running-process.ts'

const project = join(import.meta.dirname, '..', '..')

/** The folder for templates, which all runs share, and for data that does not fit in memory. */
export const HOMES = join(project, '.forecourt-test')

const MEMORY = '/dev/shm'
/** The memory that two runs need. */
const NEEDED_BYTES = 6 * 1_073_741_824

/**
 * The folder for a run's temporary data: in memory if this machine has enough, or else in the project. A database has about
 * 1,400 files, and ext4 compares each new file with all those deleted in the last seconds, so that copying and dropping a
 * database for each test file takes ten times the CPU time there.
 */
export async function findHomes(name: 'forecourt-test' | 'forecourt-e2e'): Promise<string> {
  const inProject = join(project, `.${name}`)
  const user = process.getuid?.()
  if (user === undefined || availableMemory() < 2 * NEEDED_BYTES) return inProject
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free < NEEDED_BYTES ? inProject : join(MEMORY, `${name}-${user}`)
}

/** Creates a folder in `homes` for a test run, and removes those of killed runs first. */
export async function makeTestHome(homes: string): Promise<string> {
  await mkdir(homes, { recursive: true, mode: 0o700 })
  for (const name of await readdir(homes)) {
    if (/^\d+-/.test(name) && !(await isAlive(Number(name.split('-')[0]))))
      await discardTestHome(join(homes, name))
  }
  const home = join(homes, `${process.pid}-${Math.random().toString(36).slice(2, 8)}`)
  await mkdir(home, { mode: 0o700 })
  return home
}

/** Removes a home with its data, wherever it is, and stops a server that still uses it. */
export async function discardTestHome(home: string): Promise<void> {
  const data = await realpath(join(home, 'postgres')).catch(() => null)
  if (data !== null) {
    await clearLeftover({ data, socketFolder: dirname(data), say: () => {} })
    await rm(dirname(data), { recursive: true, force: true })
  }
  await rm(home, { recursive: true, force: true })
}
