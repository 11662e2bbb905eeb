import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { clock } from '#server/clock.ts'
import { codeOf } from '#server/error-code.ts'

const DRAFT = /\.([\w-]+)\.(\d+)\.draft$/
/** We cannot check whether a process on another machine is running, but no backup is idle for this long. */
const LEFT_BEHIND_MS = 24 * 3_600_000

/** The temporary name of an archive that this process is writing. */
export const draftOf = (path: string): string => `${path}.${machine()}.${process.pid}.draft`

/** Removes drafts of killed backups next to `path`. Drafts that are still being written are kept. */
export async function removeLeftDrafts(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    const [, host, pid] = DRAFT.exec(name) ?? []
    const isArchive = name.includes('.tar.gz.') || name.startsWith(`${basename(path)}.`)
    if (host === undefined || !isArchive) continue
    const draft = join(folder, name)
    const isLeft = host === machine() ? !isAlive(Number(pid)) : await isOld(draft)
    if (isLeft) await rm(draft, { force: true })
  }
}

const machine = (): string => hostname().replace(/[^\w-]/g, '-') || 'machine'

async function isOld(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => null)
  return file !== null && clock.now() - file.mtimeMs > LEFT_BEHIND_MS
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}
