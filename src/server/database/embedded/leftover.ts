import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive, waitUntilGone } from '#server/installation/running-process.ts'

/**
 * Stops a server that still runs on this data after the application was killed, and removes stale PID files: PostgreSQL
 * would take any later process with the same PID for its predecessor. Call this only while holding the lock of the home
 * folder.
 */
export async function clearLeftover(options: {
  data: string
  socketFolder: string
  say: (line: string) => void
}): Promise<void> {
  const data = await realpath(options.data).catch(() => null)
  if (data === null) return
  const pidFile = join(data, 'postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0 && (await isServerOn(pid, data))) {
    options.say(`Stopping the database server of an earlier run (process ${pid}).`)
    await stopLeftover(pid)
  }
  await rm(pidFile, { force: true })
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
    await rm(join(options.socketFolder, name), { force: true })
  }
}

/** Whether this process is a PostgreSQL server for this folder. */
export async function isServerOn(pid: number, data: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  const words = await commandLineOf(pid)
  if (!basename(words[0] ?? '').startsWith('postgres')) return false
  // A server's working directory is its data folder, even if the folder was moved while it ran.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  return folder === data || words.includes(data)
}

async function stopLeftover(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!(await isAlive(pid))) return
    signalIfThere(pid, signal)
    if (await waitUntilGone(pid, patience)) return
  }
  throw new Error(`The database server of an earlier run (process ${pid}) did not stop.`)
}

/** The process may have ended since the last check. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function commandLineOf(pid: number): Promise<string[]> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  if (line !== null) return line.split('\0')
  const listed = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null)
  return listed === null ? [] : listed.stdout.trim().split(' ')
}
