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

/** Who runs PostgreSQL, and where. PostgreSQL refuses to run as root, so root needs one of two ways round. */
export type Account = {
  /** The folder of data and socket. Home, but for the system user's. */
  place: string
  bin: string
  /** What stands before the program on the command line. */
  prefix: readonly string[]
  /** The user to become; null: the one we are. */
  user: User | null
}
export type User = { uid: number; gid: number }

/** For root, `unshare` gives PostgreSQL another number for the same user: no system user, any folder. */
const UNSHARE = ['unshare', '--user', '--map-user=1000', '--map-group=1000']
const APART = '/var/lib/forecourt'

/**
 * Chooses who runs PostgreSQL for this home. Not root: ourselves. Root: the owner of existing data who is not
 * root; else root renumbered by `unshare`; where that is forbidden (many containers) the system user `nobody`,
 * with data and programs under /var/lib/forecourt and a link to them in home.
 */
export async function chooseAccount(wanted: {
  home: string
  binaries: Binaries
  say: (line: string) => void
}): Promise<Account> {
  const { home, binaries } = wanted
  const ourselves: Account = { place: home, bin: binaries.bin, prefix: [], user: null }
  if (process.getuid?.() !== 0) return ourselves
  const owner = await stat(join(home, 'postgres')).catch(() => null)
  if (owner !== null && owner.uid !== 0) {
    const place = join(await realpath(join(home, 'postgres')), '..')
    const user = { uid: owner.uid, gid: owner.gid }
    return { place, bin: await reachableBin({ binaries, user, place }), prefix: [], user }
  }
  if (spawnSync('unshare', [...UNSHARE.slice(1), 'true'], { stdio: 'ignore' }).status === 0) {
    return { ...ourselves, prefix: UNSHARE }
  }
  return useNobody(wanted)
}

/** The arguments of `spawn` for a program of PostgreSQL. */
export function commandOf(account: Account, program: string, args: readonly string[]): [string, string[]] {
  const [first, ...rest] = [...account.prefix, join(account.bin, program), ...args]
  return [first ?? program, rest]
}

/** The options of `spawn` that make the account's user run it. */
export function spawnOptionsOf(account: Account): {
  cwd: string
  env: NodeJS.ProcessEnv
  uid?: number
  gid?: number
} {
  // Not the caller's: PGDATA, PGPORT or a locale that is not installed would change what runs.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', SystemRoot: process.env.SystemRoot }
  return { cwd: account.place, env, ...account.user }
}

/** Gives a file or a whole folder to the account's user. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (account.user !== null) await giveTree(path, account.user)
}

async function giveTree(path: string, user: User): Promise<void> {
  await lchown(path, user.uid, user.gid)
  if (!(await lstat(path)).isDirectory()) return
  for (const name of await readdir(path)) await giveTree(join(path, name), user)
}

async function useNobody({ home, binaries, say }: Parameters<typeof chooseAccount>[0]): Promise<Account> {
  const user = await findNobody()
  const place = join(APART, createHash('sha256').update(home).digest('hex').slice(0, 16))
  say(`Running as root without user namespaces: PostgreSQL runs as the system user nobody in ${place}.`)
  try {
    await mkdir(place, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, and ${place} cannot be made (${codeOf(error) || 'unknown'}). ` +
        'Start as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    )
  }
  await chown(place, user.uid, user.gid)
  const bin = await reachableBin({ binaries, user, place })
  await clearAbandoned({ place, say })
  return { place, bin, prefix: [], user }
}

/** Home has no data of its own account: what lies in the place belongs to an earlier home of the same name. */
async function clearAbandoned({ place, say }: { place: string; say: (line: string) => void }): Promise<void> {
  const data = join(place, 'postgres')
  if ((await lstat(data).catch(() => null)) === null) return
  await clearLeftover({ data, socketFolder: place, say })
  const aside = join(place, 'postgres-abandoned')
  await rm(aside, { recursive: true, force: true })
  await rename(data, aside)
  say(`Data of an earlier installation at this path was moved to ${aside}.`)
}

async function findNobody(): Promise<User> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new Error('PostgreSQL cannot run as root, and there is no user nobody. Set DATABASE_URL.')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The programs where the user can start them: as installed, or else a copy in its place. */
async function reachableBin(wanted: { binaries: Binaries; user: User; place: string }): Promise<string> {
  const { binaries, user, place } = wanted
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
