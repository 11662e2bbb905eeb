import { lstat, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { COPY, copyTo } from './cold-copy.ts'

const MARKER = 'rollback-unfinished'
const LABEL = '-before-migration'
const DRAFT = 'postgres-making-rollback'

/** The copies from before migrations, newest first. */
export async function listCopies(home: string): Promise<string[]> {
  const names = await readdir(join(home, 'backups')).catch(() => [])
  return names
    .filter((name) => COPY.test(name) && name.endsWith(LABEL))
    .toSorted((one, other) => (one < other ? 1 : -1))
}

/**
 * Replaces the data of a stopped server with a copy of a backup copy, and keeps the data under another name.
 * @returns the path of the kept data. `swapBack` undoes the swap.
 */
export async function swapIn(options: {
  home: string
  account: Account
  copy: string
  now: Date
}): Promise<string> {
  const { home, account, copy, now } = options
  const data = await realpath(join(home, 'postgres'))
  const draft = join(dirname(data), DRAFT)
  await rm(draft, { recursive: true, force: true })
  await copyTo(join(home, 'backups', copy), draft, account)
  const kept = join(dirname(data), `postgres-before-rollback-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  // Without this marker, a start between the two renames would treat the home as new.
  await writeFile(join(home, MARKER), `${data}\n${kept}\n`, { mode: 0o600, flush: true })
  await rename(data, kept)
  await rename(draft, data)
  await rm(join(home, MARKER))
  return kept
}

/** Restores the data that `swapIn` kept. */
export async function swapBack({ home, kept }: { home: string; kept: string }): Promise<void> {
  const data = await realpath(join(home, 'postgres'))
  const draft = join(dirname(data), DRAFT)
  await writeFile(join(home, MARKER), `${data}\n${kept}\n`, { mode: 0o600, flush: true })
  await rename(data, draft)
  await rename(kept, data)
  await rm(join(home, MARKER))
  await rm(draft, { recursive: true })
}

/** Cleans up after a killed rollback by restoring the original data. */
export async function repairSwap(home: string): Promise<void> {
  const marker = await readFile(join(home, MARKER), 'utf8').catch(() => null)
  if (marker === null) return
  const [data = '', kept = ''] = marker.split('\n')
  const isThere = (path: string) =>
    lstat(path).then(
      () => true,
      () => false,
    )
  if (!(await isThere(data)) && (await isThere(kept))) await rename(kept, data)
  await rm(join(home, MARKER))
}
