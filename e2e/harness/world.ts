import { randomBytes, randomInt } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { inject } from 'vitest'
import { clock } from '#server/clock.ts'
import type { Connection } from '#server/database/connect.ts'
import { LOGIN } from '#test/engine/login.ts'
import { copyDatabase, runStatement } from '#test/engine/run-statement.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { startProcess } from './product.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { moveSession, type StoredSession } from './sessions.ts'

/** Shared by all workers of a run: the installation that every world is a copy of. */
export type Installation = {
  /** The database that worlds are copied from. */
  template: string
  /** Its home, whose files are copied too. */
  home: string
  /** The parent folder of the worlds' homes. */
  homes: string
  /** Sessions of the demo users by `sessionKey`, stored in the template. */
  sessions: Record<string, StoredSession>
  /** The certificate of servers played by tests, and the file by which the product trusts it. */
  certificate: { cert: string; key: string }
  trusted: string
  /** How far the clock of the run is ahead of the machine's, in milliseconds. */
  offset: number
}

declare module 'vitest' {
  interface ProvidedContext {
    installation: Installation
  }
}

/** The product with its own data. */
export type World = {
  address: string
  /** The owner of its database, for reading and changing data directly. */
  owner: Connection
  /** Stops it and removes its data. */
  close: () => Promise<void>
}

export const sessionKey = (userName: string, organization?: string): string =>
  `${userName} ${organization ?? ''}`

/** Lives as long as the worker: its files run one after another and share the server process. */
type Worker = { server: ServerProcess; address: string | null; port: number | null }
const WORKER = Symbol.for('forecourt.e2e.worker')

function worker(): Worker {
  const held: unknown = Reflect.get(globalThis, WORKER)
  if (isWorker(held)) return held
  const { trusted } = inject('installation')
  const made: Worker = {
    server: startServerProcess({ NODE_EXTRA_CA_CERTS: trusted }),
    address: null,
    port: null,
  }
  Reflect.set(globalThis, WORKER, made)
  return made
}

const isWorker = (held: unknown): held is Worker =>
  typeof held === 'object' && held !== null && 'server' in held

/** Not an ephemeral port: an outgoing connection could take the address between two worlds. */
async function findFreePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const probe = createServer()
  const isFree = await new Promise<boolean>((done) => {
    probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
  })
  if (!isFree) return findFreePort()
  await new Promise((done) => probe.close(done))
  return port
}

/** The clock of the run, in milliseconds since 1970. */
export const now = (): number => Date.now() + inject('installation').offset

/** Serves the product on a copy of the installation, replacing the previous world. */
export async function openWorld(environment: Record<string, string> = {}): Promise<World> {
  const { template, home: from } = inject('installation')
  const shared = worker()
  // The next world uses the same address, so that the browser cache stays valid.
  shared.port ??= await findFreePort()
  const { owner, home, clear } = await makeWorld(template)
  await cp(from, home, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const address = await shared.server.open({
    environment: { ...worldEnvironment({ owner, home }), PORT: String(shared.port), ...environment },
    clock: new Date(now()).toISOString(),
    isFirst: false,
  })
  shared.address = address
  const close = async () => {
    shared.address = null
    await shared.server.close()
    await clear()
  }
  return { address, owner, close }
}

/** Starts the product as `npm start` does, on an empty database. */
export async function openEmptyWorld(): Promise<World & { output: () => string }> {
  const { owner, home, clear } = await makeWorld('template1')
  const { address, output, end } = await startProcess(home, {
    ...worldEnvironment({ owner, home }),
    FORECOURT_DEMO: '0',
    FORECOURT_CLOCK: new Date(now()).toISOString(),
  })
  const close = async () => {
    await end()
    await clear()
  }
  return { address, owner, output, close }
}

async function makeWorld(
  template: string,
): Promise<{ owner: Connection; home: string; clear: () => Promise<void> }> {
  // Code shared with the API tests reads the server's clock.
  clock.set(new Date(now()))
  const { owner, admin } = inject('engine')
  const database = `e2e_${randomBytes(6).toString('hex')}`
  const home = await mkdtemp(join(inject('installation').homes, 'world-'))
  await copyDatabase(admin, { database, template, owner })
  const clear = async () => {
    await runStatement(admin, `drop database if exists ${database} with (force)`)
    await rm(home, { recursive: true, force: true })
  }
  return { owner: { ...owner, database }, home, clear }
}

/** The stored session of a demo user for the current world. */
export function sessionOf(userName: string, organization?: string): StoredSession {
  const { address } = worker()
  const key = sessionKey(userName, organization)
  const found = inject('installation').sessions[key]
  if (address === null) throw new Error('No world is open.')
  if (found === undefined) throw new Error(`There is no stored session for ${key}: add it to setup.ts.`)
  return moveSession(found, address)
}

/** The settings of a product that uses this database. */
export function worldEnvironment({
  owner,
  home,
}: {
  owner: Connection
  home: string
}): Record<string, string> {
  return {
    FORECOURT_HOME: home,
    FORECOURT_SECRET: TEST_SECRET,
    FORECOURT_DEMO: '1',
    FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000',
    FORECOURT_LOG_REQUESTS: '0',
    // Tests play feed and mail servers on this machine.
    FORECOURT_PRIVATE_ADDRESSES: '1',
    DATABASE_URL: urlOf({ ...owner, ...LOGIN }),
    DATABASE_OWNER_URL: urlOf(owner),
  }
}

/** The folder of a Unix socket is also a host. */
function urlOf({ host, port, user, password, database }: Connection): string {
  const part = encodeURIComponent
  return `postgres://${part(user)}:${part(password)}@${part(host)}:${port}/${database}`
}
