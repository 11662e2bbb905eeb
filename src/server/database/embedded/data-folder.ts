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
import { commandOf, giveTo, spawnOptionsOf, type Account } from './account.ts'

/** The superuser of the embedded server. */
export const SUPERUSER = 'postgres'

/** The file of its password, in the home folder. */
export const PASSWORD_FILE = 'postgres-password'
const MAKING = 'postgres-making-'

export type DataFolder = { data: string; password: string; isFresh: boolean }

/**
 * The data folder of this home, made by initdb at the first time. It is made under another name and renamed
 * when complete: what a killed start left half-made is thrown away, what is finished is never touched.
 */
export async function openDataFolder(wanted: {
  home: string
  account: Account
  isSynced: boolean
}): Promise<DataFolder> {
  const { home, account } = wanted
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
  await initialize({ ...wanted, data, password })
  if (account.place !== home) await symlink(data, link)
  return { data: await realpath(link), password, isFresh: true }
}

/** Removes what killed starts left half-made. */
async function sweep(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (name.startsWith(MAKING)) await rm(join(place, name), { recursive: true, force: true })
  }
}

async function refuseIncomplete({ link, home }: { link: string; home: string }): Promise<void> {
  if (!(await stat(join(link, 'PG_VERSION')).catch(() => null))) {
    throw new Error(
      `${link} is there, but no PostgreSQL data is in it. Put it back, or remove it to begin anew.`,
    )
  }
  if (!(await stat(join(home, PASSWORD_FILE)).catch(() => null))) {
    throw new Error(
      `${join(home, PASSWORD_FILE)} is missing: the database in ${link} cannot be opened without it.`,
    )
  }
}

/** Data made when root could be renumbered goes to the system user who runs PostgreSQL now. */
async function moveApart({ link, account }: { link: string; account: Account }): Promise<void> {
  if ((await lstat(link)).isSymbolicLink()) return
  const data = join(account.place, 'postgres')
  const draft = join(account.place, `${MAKING}${process.pid}`)
  await cp(link, draft, { recursive: true, verbatimSymlinks: true })
  await chmod(draft, 0o700)
  await giveTo(account, draft)
  await rename(draft, data)
  await rename(link, `${link}-moved`)
  await symlink(data, link)
  await rm(`${link}-moved`, { recursive: true })
}

type Initialization = { account: Account; data: string; password: string; isSynced: boolean }

async function initialize({ account, data, password, isSynced }: Initialization): Promise<void> {
  const making = join(account.place, `${MAKING}${process.pid}`)
  const passwordFile = join(making, 'password')
  await mkdir(making, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveTo(account, making)
  await runInitdb(account, [
    `--pgdata=${join(making, 'data')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(await unicodeRules(account)),
    ...(isSynced ? [] : ['--no-sync']),
  ])
  await rename(join(making, 'data'), data)
  await rm(making, { recursive: true })
}

/**
 * Letters of every script fold and compare the same on every platform: built in from PostgreSQL 17 on, the system's
 * before. Indexes stay in byte order.
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
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  )
  if (code === 0) return
  throw new Error(
    `PostgreSQL could not make its data folder: ${complaint.trim() || `initdb ended with ${code}`}`,
  )
}
