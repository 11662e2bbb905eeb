import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome, writeDraft } from './exclusive-file.ts'
import { identifyProcess } from './running-process.ts'

/** Thrown if another copy is running in the same home folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  readonly pid: number
  constructor(pid: number, home: string) {
    super(
      `Forecourt is already running in ${home} (process ${pid}). ` +
        'Stop it first, or use a different PORT and FORECOURT_HOME for this copy.',
    )
    this.pid = pid
  }
}

export type Lock = { release(): Promise<void> }

type Holder = { pid: number; mark: string }

/**
 * Locks the home folder for this process, and creates it (mode 0700) if needed. The lock of a process that is gone, or
 * whose PID was reused, is taken over.
 * @throws AlreadyRunning while the holder is running
 */
export async function takeLock(home: string): Promise<Lock> {
  await createHome(home)
  const path = join(home, 'forecourt.lock')
  const mark = await identifyProcess(process.pid)
  // The random part distinguishes two claims of the same process.
  const ours = `${process.pid} ${mark ?? 'unknown'} ${Math.random().toString(36).slice(2)}\n`
  if (!(await createExclusively(path, ours))) await takeOver({ path, ours, home })
  return {
    async release() {
      if ((await readText(path)) === ours) await rm(path, { force: true })
    },
  }
}

/**
 * Replaces a stale lock. Another process may be doing the same, so only the owner of a guard file replaces the lock, after
 * reading it again.
 */
async function takeOver({ path, ours, home }: { path: string; ours: string; home: string }): Promise<void> {
  const guard = `${path}.takeover`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await refuseWhileHeld(path, home)
    if (await createExclusively(guard, ours)) {
      try {
        if (await replaceStale({ path, ours, home })) {
          // Two processes may have removed a stale guard at once: the last writer wins.
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
  throw new Error(`Could not acquire the lock ${path}. Remove it if Forecourt is not running in ${home}.`)
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
  // The lock was released: another process may create it now without the guard, so don't overwrite it.
  if ((await readText(path)) === null) return createExclusively(path, ours)
  await refuseWhileHeld(path, home)
  await rename(await writeDraft(path, ours), path)
  return true
}

async function refuseWhileHeld(path: string, home: string): Promise<void> {
  const holder = await findHolder(path)
  if (holder !== null) throw new AlreadyRunning(holder.pid, home)
}

/** The running process that a lock file names, or null if the file is missing, damaged or stale. */
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
