import { constants, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveTo, type Account } from './account.ts'

const KEPT = 3
/** `2026-11-21T03-44-00-123Z-before-0004`: names sort by age. */
export const COPY = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-/
const UNFINISHED = 'unfinished-'

/** Copies the data of a stopped server into `<home>/backups`, keeps the newest three and answers the new folder. */
export async function copyData(wanted: {
  home: string
  data: string
  label: string
  account: Account
  now: Date
}): Promise<string> {
  if (!/^[\w.-]{1,80}$/.test(wanted.label))
    throw new Error(`"${wanted.label}" cannot be part of a folder's name.`)
  const backups = join(wanted.home, 'backups')
  await mkdir(backups, { recursive: true, mode: 0o700 })
  await sweep(backups)
  const name = `${wanted.now.toISOString().replaceAll(/[:.]/g, '-')}-${wanted.label}`
  const draft = join(backups, `${UNFINISHED}${name}`)
  await copyTo(wanted.data, draft, wanted.account)
  await rename(draft, join(backups, name))
  await dropOldest(backups)
  return join(backups, name)
}

/** Copies the data of a stopped server for the account that runs it. */
export async function copyTo(from: string, to: string, account: Account): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  })
  await giveTo(account, to)
}

async function sweep(backups: string): Promise<void> {
  for (const name of await readdir(backups)) {
    if (name.startsWith(UNFINISHED)) await rm(join(backups, name), { recursive: true, force: true })
  }
}

async function dropOldest(backups: string): Promise<void> {
  const copies = (await readdir(backups)).filter((name) => COPY.test(name)).toSorted()
  for (const name of copies.slice(0, -KEPT)) await rm(join(backups, name), { recursive: true, force: true })
}
