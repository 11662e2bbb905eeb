import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * Identifies a process so that a later one with the same PID differs: by boot ID and start time from /proc, or by the
 * start time from `ps`, or `unknown`. Null if there is no such process. Zombies count as gone, because containers without
 * an init process keep them forever.
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (!isSignalable(pid)) return null
  const stat = await readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return askPs(pid)
  // The name in parentheses may contain spaces and parentheses, so parse from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  const boot = await readOrNull('/proc/sys/kernel/random/boot_id')
  return `${boot?.trim() ?? 'boot'}/${fields[19]}`
}

/** Whether the process is running. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== null
}

/** Waits until the process is gone. Returns false if it is still running after `milliseconds`. */
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
