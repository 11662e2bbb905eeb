import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * What tells a process from a later one with the same number: boot and start time where /proc is there,
 * the start time of `ps` elsewhere, `unknown` when neither can say. Null: no such process (a zombie counts
 * as gone, containers without an init keep them for ever).
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (!isSignalable(pid)) return null
  const stat = await readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return askPs(pid)
  // The name in parentheses may itself hold spaces and parentheses: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  const boot = await readOrNull('/proc/sys/kernel/random/boot_id')
  return `${boot?.trim() ?? 'boot'}/${fields[19]}`
}

/** Whether the process is still there. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== null
}

/** Waits until the process is gone; false when it is still there after `milliseconds`. */
export async function waitUntilGone(pid: number, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds
  while (await isAlive(pid)) {
    if (Date.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  return true
}

function isSignalable(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

async function askPs(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return null
  if (process.platform === 'win32') return 'unknown'
  const answer = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null)
  return answer === null ? null : answer.stdout.trim().replaceAll(/\s+/g, '-')
}
