import { lstat, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { COPY, copyTo } from './cold-copy.ts'

const NOTE = 'rollback-unfinished'
const LABEL = '-before-migration'
const DRAFT = 'postgres-making-rollback'

/** The copies that were made before migrations, the newest first. */
export async function listCopies(home: string): Promise<string[]> {
  const names = await readdir(join(home, 'backups')).catch(() => [])
  return names
    .filter((name) => COPY.test(name) && name.endsWith(LABEL))
    .toSorted((one, other) => (one < other ? 1 : -1))
}

/**
 * Puts a copy of a copy in the place of the data of a stopped server; the data are kept beside.
 * @returns where they are now. `swapBack` undoes it.
 */
export async function swapIn(wanted: {
  home: string
  account: Account
  copy: string
  now: Date
}): Promise<string> {
  const { home, account, copy, now } = wanted
  const data = await realpath(join(home, 'postgres'))
  const draft = join(dirname(data), DRAFT)
  await rm(draft, { recursive: true, force: true })
  await copyTo(join(home, 'backups', copy), draft, account)
  const kept = join(dirname(data), `postgres-before-rollback-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  // Without a note, a start between the two renames would take the home for a new one.
  await writeFile(join(home, NOTE), `${data}\n${kept}\n`, { mode: 0o600, flush: true })
  await rename(data, kept)
  await rename(draft, data)
  await rm(join(home, NOTE))
  return kept
}

/** Gives the data back that `swapIn` kept. */
export async function swapBack({ home, kept }: { home: string; kept: string }): Promise<void> {
  const data = await realpath(join(home, 'postgres'))
  const draft = join(dirname(data), DRAFT)
  await writeFile(join(home, NOTE), `${data}\n${kept}\n`, { mode: 0o600, flush: true })
  await rename(data, draft)
  await rename(kept, data)
  await rm(join(home, NOTE))
  await rm(draft, { recursive: true })
}

/** Finishes what a killed rollback left: the data of before are in their place again. */
export async function repairSwap(home: string): Promise<void> {
  const note = await readFile(join(home, NOTE), 'utf8').catch(() => null)
  if (note === null) return
  const [data = '', kept = ''] = note.split('\n')
  const isThere = (path: string) =>
    lstat(path).then(
      () => true,
      () => false,
    )
  if (!(await isThere(data)) && (await isThere(kept))) await rename(kept, data)
  await rm(join(home, NOTE))
}
