import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { clock } from '#server/clock.ts'
import { createHome } from '#server/installation/exclusive-file.ts'
import { chooseAccount, type Account } from './account.ts'
import { chooseAddress, type Address } from './address.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { copyData } from './cold-copy.ts'
import { openDataFolder, SUPERUSER, type DataFolder } from './data-folder.ts'
import { clearLeftover } from './leftover.ts'
import { repairSwap } from './swap-data.ts'
import { launchServer, ServerDidNotStart, type Launch, type ServerProcess } from './server-process.ts'

export type EmbeddedServer = {
  connection: { host: string; port: number; user: string; password: string }
  /** Whether this start created the data. */
  isFresh: boolean
  /** Stops the server, copies its data to `<home>/backups/<time>-<label>` and restarts it. @returns the folder */
  coldCopy(label: string): Promise<string>
  stop(): Promise<void>
  /** Calls the listener with the reason if the server stops unexpectedly. */
  onExit(listener: (reason: string) => void): void
}

export type EmbeddedOptions = {
  /** The folder of data, password, socket, log and backups. The caller must hold its lock. */
  home: string
  settings?: { fsync?: boolean; maxConnections?: number }
  /** A different PostgreSQL than the platform package's. The tests also run on Debian's. */
  binaries?: Binaries
  say: (line: string) => void
}

const ATTEMPTS = 8

/** Starts the embedded PostgreSQL of a home folder, and creates it the first time. @throws Error if it cannot start. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { settings = {}, say } = options
  await createHome(options.home)
  const home = await realpath(options.home)
  const binaries = options.binaries ?? (await findBinaries())
  const account = await chooseAccount({ home, binaries, say })
  const fsync = settings.fsync ?? true
  await repairSwap(home)
  await clearLeftover({ data: join(home, 'postgres'), socketFolder: account.place, say })
  const folder = await openDataFolder({ home, account, isSynced: fsync })
  const base: BaseLaunch = {
    account,
    data: folder.data,
    password: folder.password,
    logFile: join(home, 'postgres.log'),
    fsync,
    maxConnections: settings.maxConnections ?? 100,
    say,
  }
  const { server, address } = await launchSomewhere(base)
  return supervise({ home, folder, account, address, server, start: () => launchAt(base, address) })
}

type BaseLaunch = Omit<Launch, 'address'>

/** Tries another port if the free one is taken before PostgreSQL binds it. */
async function launchSomewhere(base: BaseLaunch): Promise<{ server: ServerProcess; address: Address }> {
  for (let attempt = 1; ; attempt += 1) {
    const address = await chooseAddress(base.account.place)
    try {
      return { address, server: await launchServer({ ...base, address }) }
    } catch (error) {
      await pauseOrThrow(error, attempt)
    }
  }
}

async function launchAt(base: BaseLaunch, address: Address): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchServer({ ...base, address })
    } catch (error) {
      await pauseOrThrow(error, attempt)
    }
  }
}

async function pauseOrThrow(error: unknown, attempt: number): Promise<void> {
  if (!(error instanceof ServerDidNotStart) || !error.isTransient || attempt >= ATTEMPTS) throw error
  await wait(500)
}

type Supervised = {
  home: string
  folder: DataFolder
  account: Account
  address: Address
  server: ServerProcess
  start: () => Promise<ServerProcess>
}

function supervise({ home, folder, account, address, server: first, start }: Supervised): EmbeddedServer {
  const listeners: ((reason: string) => void)[] = []
  let server = first
  let isStopExpected = false
  let isOver = false
  let copying: Promise<unknown> = Promise.resolve()
  const watch = (watched: ServerProcess) =>
    void watched.ended.then((reason) => {
      if (!isStopExpected) for (const listener of listeners) listener(reason)
    })
  watch(server)
  const copyWhileStopped = async (label: string): Promise<string> => {
    isStopExpected = true
    await server.stop()
    try {
      return await copyData({ home, data: folder.data, label, account, now: clock.date() })
    } finally {
      // If it was told to stop during the copy, it stays stopped.
      if (!isOver) {
        server = await start()
        isStopExpected = isOver
        watch(server)
      }
    }
  }
  return {
    connection: { host: address.host, port: address.port, user: SUPERUSER, password: folder.password },
    isFresh: folder.isFresh,
    onExit: (listener) => void listeners.push(listener),
    coldCopy(label) {
      const copy = copyWhileStopped(label)
      copying = copy.catch(() => {})
      return copy
    },
    async stop() {
      isOver = true
      isStopExpected = true
      await copying
      await server.stop()
    },
  }
}
