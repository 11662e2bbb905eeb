import { constants, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { changeOwner, type Account } from './account.ts'

const MAX_COPIES = 3
/** `2026-11-21T03-44-00-123Z-before-0004`: names sort by age. */
export const COPY = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-/
const UNFINISHED = 'unfinished-'

/** Copies the data of a stopped server into `<home>/backups` and keeps the newest three. @returns the new folder */
export async function copyData(options: {
  home: string
  data: string
  label: string
  account: Account
  now: Date
}): Promise<string> {
  if (!/^[\w.-]{1,80}$/.test(options.label))
    throw new Error(`"${options.label}" cannot be part of a folder name.`)
  const backups = join(options.home, 'backups')
  await mkdir(backups, { recursive: true, mode: 0o700 })
  await sweep(backups)
  const name = `${options.now.toISOString().replaceAll(/[:.]/g, '-')}-${options.label}`
  const draft = join(backups, `${UNFINISHED}${name}`)
  await copyTo(options.data, draft, options.account)
  await rename(draft, join(backups, name))
  await dropOldest(backups)
  return join(backups, name)
}

/** Copies the data of a stopped server and makes the account's user the owner. */
export async function copyTo(from: string, to: string, account: Account): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  })
  await changeOwner(account, to)
}

async function sweep(backups: string): Promise<void> {
  for (const name of await readdir(backups)) {
    if (name.startsWith(UNFINISHED)) await rm(join(backups, name), { recursive: true, force: true })
  }
}

async function dropOldest(backups: string): Promise<void> {
  const copies = (await readdir(backups)).filter((name) => COPY.test(name)).toSorted()
  for (const name of copies.slice(0, -MAX_COPIES))
    await rm(join(backups, name), { recursive: true, force: true })
}
