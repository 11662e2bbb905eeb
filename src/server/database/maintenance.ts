import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#server/environment.ts'
import { AlreadyRunning, takeLock } from '#server/installation/lock.ts'
import { readOrCreateSecret, readSecretFile } from '#server/installation/secret-file.ts'
import type { Connection, ConnectionSource } from './connect.ts'
import { PASSWORD_FILE, SUPERUSER } from './embedded/data-folder.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { DATABASE, loginOf, makeDatabase, LOGIN, withOwner } from './open-database.ts'

/** The open database for commands, without running migrations. */
export type Maintenance = {
  owner: ConnectionSource
  /** The product's login, to which migrations grant their roles. */
  loginRole: string
  stop: () => Promise<void>
}

/**
 * Opens the database for a command that needs exclusive use, under the lock of the home folder. Starts the embedded
 * server, and creates it if there is none.
 * @throws AlreadyRunning while the product runs in this home.
 */
export async function openExclusively(settings: Settings, say: (line: string) => void): Promise<Maintenance> {
  const lock = await takeLock(settings.home)
  try {
    const opened = await openUnlocked(settings, say)
    return {
      ...opened,
      async stop() {
        await opened.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Opens the database for a command that reads, or writes as a request would, whether or not the product is running.
 * @throws Error if there is no database yet.
 */
export async function openWhileRunning(
  settings: Settings,
  say: (line: string) => void,
): Promise<Maintenance> {
  if (settings.databaseUrl !== null) return openUnlocked(settings, say)
  if ((await lstat(join(settings.home, 'postgres')).catch(() => null)) === null)
    throw new Error(`There is no database in ${settings.home} yet.`)
  try {
    return await openExclusively(settings, say)
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
    const owner = await findRunning(settings.home)
    // Not found: it is starting or stopping right now.
    if (owner === null) throw error
    return { owner, loginRole: LOGIN, stop: async () => {} }
  }
}

async function openUnlocked(settings: Settings, say: (line: string) => void): Promise<Maintenance> {
  if (settings.databaseUrl !== null && settings.ownerUrl !== null) {
    const owner = { connectionString: settings.ownerUrl }
    const loginRole = await loginOf({ connectionString: settings.databaseUrl }, say)
    return { owner, loginRole, stop: async () => {} }
  }
  const server = await startEmbedded({ home: settings.home, say })
  try {
    const password = await readOrCreateSecret(settings.home, 'database-login')
    await withOwner({ ...server.connection, database: 'postgres' }, (client) =>
      makeDatabase(client, password),
    )
    return {
      owner: { ...server.connection, database: DATABASE },
      loginRole: LOGIN,
      stop: () => server.stop(),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The address of a running product's embedded server, from PostgreSQL's PID file. */
async function findRunning(home: string): Promise<Connection | null> {
  const note = await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const [, , , port = '', socketFolder = '', address = ''] = note.split('\n').map((line) => line.trim())
  const password = await readSecretFile(home, PASSWORD_FILE)
  const host = socketFolder === '' ? address : socketFolder
  if (password === null || host === '' || !/^\d+$/.test(port)) return null
  return { host, port: Number(port), user: SUPERUSER, password, database: DATABASE }
}
