import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome, writeDraft } from './exclusive-file.ts'
import { identifyProcess } from './running-process.ts'

/** Thrown when another copy works in the same home folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  readonly pid: number
  constructor(pid: number, home: string) {
    super(
      `Forecourt is already running in ${home} (process ${pid}). ` +
        'Stop it first, or give this copy its own PORT and FORECOURT_HOME.',
    )
    this.pid = pid
  }
}

export type Lock = { release(): Promise<void> }

type Holder = { pid: number; mark: string }

/**
 * Takes the home folder for this process, creating it (0700) if need be. Throws AlreadyRunning while the holder
 * lives; a lock whose holder is gone (or whose process number now belongs to another process) is taken over.
 */
export async function takeLock(home: string): Promise<Lock> {
  await createHome(home)
  const path = join(home, 'forecourt.lock')
  const mark = await identifyProcess(process.pid)
  // The random part tells two claims of one process apart.
  const ours = `${process.pid} ${mark ?? 'unknown'} ${Math.random().toString(36).slice(2)}\n`
  if (!(await createExclusively(path, ours))) await takeOver({ path, ours, home })
  return {
    async release() {
      if ((await readText(path)) === ours) await rm(path, { force: true })
    },
  }
}

/**
 * Replaces a stale lock. Whoever found it stale before may be replacing it just now, so this happens under a
 * guard file, and what stands in the lock is read again there: only the guard's owner replaces a stale lock.
 */
async function takeOver({ path, ours, home }: { path: string; ours: string; home: string }): Promise<void> {
  const guard = `${path}.takeover`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await refuseWhileHeld(path, home)
    if (await createExclusively(guard, ours)) {
      try {
        if (await replaceStale({ path, ours, home })) {
          // A guard left by a killed process may have been cleared by two at once: the last writer stays.
          await wait(20)
          if ((await readText(path)) === ours) return
        }
      } finally {
        await rm(guard, { force: true })
      }
      continue
    }
    if ((await findHolder(guard)) === null) await rm(guard, { force: true })
    await wait(5 + Math.random() * 20)
  }
  throw new Error(`The lock ${path} could not be taken. Remove it if no Forecourt runs in ${home}.`)
}

async function replaceStale({
  path,
  ours,
  home,
}: {
  path: string
  ours: string
  home: string
}): Promise<boolean> {
  // Released meanwhile: a newcomer may create it at this moment without the guard, so no overwriting.
  if ((await readText(path)) === null) return createExclusively(path, ours)
  await refuseWhileHeld(path, home)
  await rename(await writeDraft(path, ours), path)
  return true
}

async function refuseWhileHeld(path: string, home: string): Promise<void> {
  const holder = await findHolder(path)
  if (holder !== null) throw new AlreadyRunning(holder.pid, home)
}

/** The living process a lock file names, or null when the file is absent, damaged or stale. */
async function findHolder(path: string): Promise<Holder | null> {
  const [number, mark] = ((await readText(path)) ?? '').trim().split(' ')
  const pid = Number(number)
  if (!number || !mark || !Number.isSafeInteger(pid)) return null
  const running = await identifyProcess(pid)
  return running === mark ? { pid, mark } : null
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
}
