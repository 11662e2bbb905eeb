import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/error-code.ts'
import type { Binaries } from './binaries.ts'
import { clearLeftover } from './leftover.ts'

/** The user that runs PostgreSQL, and where. PostgreSQL refuses to run as root, so root needs one of two workarounds. */
export type Account = {
  /** The folder of data and socket: home, except for the system user. */
  place: string
  bin: string
  /** Words before the program on the command line. */
  prefix: readonly string[]
  /** The user to switch to. Null: the current user. */
  user: User | null
}
export type User = { uid: number; gid: number }

/** For root, `unshare` maps the same user to another ID: this needs no system user and works in any folder. */
const UNSHARE = ['unshare', '--user', '--map-user=1000', '--map-group=1000']
const SYSTEM_USER_DATA = '/var/lib/forecourt'

/**
 * Chooses the user that runs PostgreSQL for this home. If not root: the current user. If root: the owner of existing data,
 * unless that is root; else root mapped by `unshare`; if that is forbidden (in many containers) the system user `nobody`,
 * with data and programs under /var/lib/forecourt and a link to them in home.
 */
export async function chooseAccount(options: {
  home: string
  binaries: Binaries
  say: (line: string) => void
}): Promise<Account> {
  const { home, binaries } = options
  const current: Account = { place: home, bin: binaries.bin, prefix: [], user: null }
  if (process.getuid?.() !== 0) return current
  const owner = await stat(join(home, 'postgres')).catch(() => null)
  if (owner !== null && owner.uid !== 0) {
    const place = join(await realpath(join(home, 'postgres')), '..')
    const user = { uid: owner.uid, gid: owner.gid }
    return { place, bin: await reachableBin({ binaries, user, place }), prefix: [], user }
  }
  if (spawnSync('unshare', [...UNSHARE.slice(1), 'true'], { stdio: 'ignore' }).status === 0) {
    return { ...current, prefix: UNSHARE }
  }
  return useNobody(options)
}

/** The arguments of `spawn` for a PostgreSQL program. */
export function commandOf(account: Account, program: string, args: readonly string[]): [string, string[]] {
  const [first, ...rest] = [...account.prefix, join(account.bin, program), ...args]
  return [first ?? program, rest]
}

/** The options of `spawn` that run a program as the account's user. */
export function spawnOptionsOf(account: Account): {
  cwd: string
  env: NodeJS.ProcessEnv
  uid?: number
  gid?: number
} {
  // Not inherited, because PGDATA, PGPORT or a missing locale would change the behavior.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', SystemRoot: process.env.SystemRoot }
  return { cwd: account.place, env, ...account.user }
}

/** Makes the account's user the owner of a file, or of a folder and its contents. */
export async function changeOwner(account: Account, path: string): Promise<void> {
  if (account.user !== null) await changeOwnerRecursively(path, account.user)
}

async function changeOwnerRecursively(path: string, user: User): Promise<void> {
  await lchown(path, user.uid, user.gid)
  if (!(await lstat(path)).isDirectory()) return
  for (const name of await readdir(path)) await changeOwnerRecursively(join(path, name), user)
}

async function useNobody({ home, binaries, say }: Parameters<typeof chooseAccount>[0]): Promise<Account> {
  const user = await findNobody()
  const place = join(SYSTEM_USER_DATA, createHash('sha256').update(home).digest('hex').slice(0, 16))
  say(`Running as root without user namespaces: PostgreSQL runs as the system user nobody in ${place}.`)
  try {
    await mkdir(place, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, and ${place} cannot be created (${codeOf(error) || 'unknown'}). ` +
        'Start Forecourt as a regular user, or set DATABASE_URL.',
      { cause: error },
    )
  }
  await chown(place, user.uid, user.gid)
  const bin = await reachableBin({ binaries, user, place })
  await clearAbandoned({ place, say })
  return { place, bin, prefix: [], user }
}

/** Moves away data in the system user's folder that home does not link to: it is from an earlier home at the same path. */
async function clearAbandoned({ place, say }: { place: string; say: (line: string) => void }): Promise<void> {
  const data = join(place, 'postgres')
  if ((await lstat(data).catch(() => null)) === null) return
  await clearLeftover({ data, socketFolder: place, say })
  const aside = join(place, 'postgres-abandoned')
  await rm(aside, { recursive: true, force: true })
  await rename(data, aside)
  say(`Moved the data of an earlier installation at this path to ${aside}.`)
}

async function findNobody(): Promise<User> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new Error('PostgreSQL cannot run as root, and there is no user named nobody. Set DATABASE_URL.')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The PostgreSQL programs as installed, or a copy in the account's folder if the user cannot run those. */
async function reachableBin(options: { binaries: Binaries; user: User; place: string }): Promise<string> {
  const { binaries, user, place } = options
  if (isStartable(binaries.bin, user)) return binaries.bin
  const copy = join(place, `programs-${binaries.version}`)
  if (!isStartable(join(copy, 'bin'), user)) {
    const draft = `${copy}-${process.pid}`
    await cp(binaries.root, draft, { recursive: true, verbatimSymlinks: true })
    await rm(copy, { recursive: true, force: true })
    await rename(draft, copy)
  }
  return join(copy, 'bin')
}

function isStartable(bin: string, user: User): boolean {
  return spawnSync(join(bin, 'postgres'), ['--version'], { stdio: 'ignore', cwd: '/', ...user }).status === 0
}
