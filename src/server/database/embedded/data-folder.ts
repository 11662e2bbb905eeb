import { execFile, spawn } from 'node:child_process'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { readOrCreateSecret } from '#server/installation/secret-file.ts'
import { commandOf, changeOwner, spawnOptionsOf, type Account } from './account.ts'

/** The superuser of the embedded server. */
export const SUPERUSER = 'postgres'

/** The file in the home folder with its password. */
export const PASSWORD_FILE = 'postgres-password'
const DRAFT_PREFIX = 'postgres-making-'

export type DataFolder = { data: string; password: string; isFresh: boolean }

/**
 * The data folder of this home. The first start creates it with initdb, under another name until it is complete. Drafts of
 * killed starts are removed; complete data is never changed.
 */
export async function openDataFolder(options: {
  home: string
  account: Account
  isSynced: boolean
}): Promise<DataFolder> {
  const { home, account } = options
  const link = join(home, 'postgres')
  await sweep(account.place)
  if (await lstat(link).catch(() => null)) {
    await refuseIncomplete({ link, home })
    if (account.place !== home) await moveApart({ link, account })
    return {
      data: await realpath(link),
      password: await readOrCreateSecret(home, PASSWORD_FILE),
      isFresh: false,
    }
  }
  const password = await readOrCreateSecret(home, PASSWORD_FILE)
  const data = join(account.place, 'postgres')
  await initialize({ ...options, data, password })
  if (account.place !== home) await symlink(data, link)
  return { data: await realpath(link), password, isFresh: true }
}

/** Removes the incomplete data of killed starts. */
async function sweep(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(place, name), { recursive: true, force: true })
  }
}

async function refuseIncomplete({ link, home }: { link: string; home: string }): Promise<void> {
  if (!(await stat(join(link, 'PG_VERSION')).catch(() => null))) {
    throw new Error(
      `${link} exists but contains no PostgreSQL data. Restore the data, or remove the folder to start over.`,
    )
  }
  if (!(await stat(join(home, PASSWORD_FILE)).catch(() => null))) {
    throw new Error(
      `${join(home, PASSWORD_FILE)} is missing. The database in ${link} cannot be opened without it.`,
    )
  }
}

/** Moves data from a start that used `unshare` to the system user that runs PostgreSQL now. */
async function moveApart({ link, account }: { link: string; account: Account }): Promise<void> {
  if ((await lstat(link)).isSymbolicLink()) return
  const data = join(account.place, 'postgres')
  const draft = join(account.place, `${DRAFT_PREFIX}${process.pid}`)
  await cp(link, draft, { recursive: true, verbatimSymlinks: true })
  await chmod(draft, 0o700)
  await changeOwner(account, draft)
  await rename(draft, data)
  await rename(link, `${link}-moved`)
  await symlink(data, link)
  await rm(`${link}-moved`, { recursive: true })
}

type Initialization = { account: Account; data: string; password: string; isSynced: boolean }

async function initialize({ account, data, password, isSynced }: Initialization): Promise<void> {
  const draft = join(account.place, `${DRAFT_PREFIX}${process.pid}`)
  const passwordFile = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  await changeOwner(account, draft)
  await runInitdb(account, [
    `--pgdata=${join(draft, 'data')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(await unicodeRules(account)),
    ...(isSynced ? [] : ['--no-sync']),
  ])
  await rename(join(draft, 'data'), data)
  await rm(draft, { recursive: true })
}

/**
 * Case folding and comparison work the same on every platform: builtin from PostgreSQL 17 on, from the system before.
 * Indexes are in byte order.
 */
async function unicodeRules(account: Account): Promise<string[]> {
  const [command, args] = commandOf(account, 'initdb', ['--version'])
  const { stdout } = await promisify(execFile)(command, args, spawnOptionsOf(account))
  const major = Number(/(\d+)/.exec(stdout)?.[1] ?? 0)
  return major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--lc-ctype=C.UTF-8']
}

async function runInitdb(account: Account, args: readonly string[]): Promise<void> {
  const [command, rest] = commandOf(account, 'initdb', args)
  const child = spawn(command, rest, { ...spawnOptionsOf(account), stdio: ['ignore', 'ignore', 'pipe'] })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text))
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  )
  if (code === 0) return
  throw new Error(
    `PostgreSQL could not create its data folder: ${errorOutput.trim() || `initdb exited with code ${code}`}`,
  )
}
