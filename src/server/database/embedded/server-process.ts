import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '#server/error-code.ts'
import { commandOf, spawnOptionsOf, type Account } from './account.ts'
import type { Address } from './address.ts'
import { SUPERUSER } from './data-folder.ts'

export type ServerProcess = {
  /** Resolves when the process ends, with the reason. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type Launch = {
  account: Account
  data: string
  password: string
  address: Address
  logFile: string
  fsync: boolean
  maxConnections: number
  say: (line: string) => void
}

/** The server ended before it was ready. `isTransient`: a retry may help. */
export class ServerDidNotStart extends Error {
  override name = 'ServerDidNotStart'
  readonly isTransient: boolean
  constructor(sentence: string, { isTransient }: { isTransient: boolean }) {
    super(sentence)
    this.isTransient = isTransient
  }
}

const LOG_LIMIT = 10 * 1024 * 1024
const STOP_PATIENCE = 10_000

/** Starts PostgreSQL and resolves when it accepts connections. @throws ServerDidNotStart with the error from its log */
export async function launchServer(launch: Launch): Promise<ServerProcess> {
  const before = await prepareLog(launch.logFile)
  const child = await spawnServer(launch)
  const ended = new Promise<string>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exited with code ${code}`))
    child.on('error', (error) => resolve(error.message))
  })
  // If the application exits without stopping the server (a bug), the server does not keep running.
  const killServer = () => child.kill('SIGINT')
  process.once('exit', killServer)
  void ended.then(() => process.off('exit', killServer))
  const server = {
    ended,
    stop: () => stopServer({ child, ended, data: launch.data, account: launch.account }),
  }
  const outcome = await Promise.race([ended.then(asEnd), waitUntilReady(launch, child)])
  if (outcome === null) return server
  await server.stop()
  throw await explain({ launch, before, failure: outcome })
}

async function spawnServer(launch: Launch): Promise<ChildProcess> {
  const { account, address } = launch
  const settings = {
    listen_addresses: address.isSocket ? '' : address.host,
    unix_socket_directories: address.isSocket ? address.host : '',
    unix_socket_permissions: '0700',
    max_connections: launch.maxConnections,
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(launch.fsync ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', launch.data, '-p', String(address.port), ...options]
  const [command, rest] = commandOf(account, 'postgres', args)
  const log = await open(launch.logFile, 'a', 0o600)
  try {
    // Its own session, so that Ctrl-C in the terminal reaches only the application, which then stops the server.
    return spawn(command, rest, {
      ...spawnOptionsOf(account),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
  } finally {
    await log.close()
  }
}

type StartFailure = { reason: string; isOver: boolean }

const asEnd = (reason: string): StartFailure => ({ reason, isOver: true })

/** Null when ready, otherwise why it failed. */
async function waitUntilReady(launch: Launch, child: ChildProcess): Promise<StartFailure | null> {
  const startedAt = Date.now()
  let isDelayReported = false
  while (child.exitCode === null && child.signalCode === null) {
    const refusal = await tryToConnect(launch)
    if (refusal === null) return null
    if (refusal === '28P01') {
      return { reason: 'the password in postgres-password does not match this data', isOver: false }
    }
    if (!isDelayReported && Date.now() - startedAt > 5_000) {
      isDelayReported = true
      launch.say('The database is recovering from an interrupted run. This can take a while.')
    }
    await wait(25)
  }
  return asEnd('it ended')
}

/** Null if a connection succeeds, otherwise the error code. */
async function tryToConnect({ address, password }: Launch): Promise<string | null> {
  const client = new Client({
    host: address.host,
    port: address.port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
  })
  // Ignore a connection that breaks after it was rejected.
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return codeOf(error) || 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}

type Stopping = { child: ChildProcess; ended: Promise<string>; data: string; account: Account }

/** Fast shutdown, then immediate shutdown (with recovery at the next start) if that takes too long. */
async function stopServer({ child, ended, data, account }: Stopping): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32') {
    // Windows has no signals, so use pg_ctl.
    const [command, args] = commandOf(account, 'pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'])
    spawnSync(command, args, { stdio: 'ignore' })
    return
  }
  child.kill('SIGINT')
  if (await isSettledWithin(ended, STOP_PATIENCE)) return
  child.kill('SIGQUIT')
  if (await isSettledWithin(ended, STOP_PATIENCE)) return
  child.kill('SIGKILL')
  await ended
}

async function isSettledWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const end = new AbortController()
  const late = wait(milliseconds, false, { signal: end.signal }).catch(() => false)
  const isSettled = await Promise.race([promise.then(() => true), late])
  end.abort()
  return isSettled
}

async function prepareLog(logFile: string): Promise<number> {
  const size = (await stat(logFile).catch(() => null))?.size ?? 0
  if (size <= LOG_LIMIT) return size
  await truncate(logFile, 0)
  return 0
}

type FailedLaunch = { launch: Launch; before: number; failure: StartFailure }

async function explain({ launch, before, failure }: FailedLaunch): Promise<ServerDidNotStart> {
  const written = (await readFile(launch.logFile)).subarray(before).toString('utf8')
  const lines = written.split('\n').filter((line) => /\b(FATAL|PANIC|ERROR):/.test(line))
  // A port taken between the check and binding, or processes of a killed server that have not exited yet.
  const isTransient = /could not bind|pre-existing shared memory|lock file ".*" already exists/.test(written)
  const fatal = lines.at(-1)?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '')
  const cause = failure.isOver ? (fatal ?? failure.reason) : failure.reason
  return new ServerDidNotStart(`PostgreSQL did not start: ${cause}. See ${launch.logFile}.`, {
    isTransient,
  })
}
