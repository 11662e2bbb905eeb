import { join } from 'node:path'
import type pg from 'pg'
import type { Settings } from '#server/environment.ts'
import { readOrCreateSecret } from '#server/installation/secret-file.ts'
import { openOwner, type ConnectionSource } from './connect.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { findTenancyHoles } from './safety.ts'
import { kyselyOver, markOwned, statement, type AsOwner } from './tenant-transaction.ts'

/** The product's login on its own server. It owns and inherits nothing and only acts as the roles. */
export const LOGIN = 'forecourt_login'
export const DATABASE = 'forecourt'

export type OpenDatabase = {
  mode: 'embedded' | 'external'
  /** For the product's pools. */
  login: ConnectionSource
  /** For migrations, backups and demo data. */
  owner: ConnectionSource
  stop: () => Promise<void>
  /** Calls the listener if the embedded server stops unexpectedly. */
  onExit: (listener: (reason: string) => void) => void
}

/**
 * Opens the database in the settings, or starts the embedded one, and runs the pending migrations.
 * @throws Error if it is unreachable, is newer than this version, or allows a way around row level security.
 */
export async function openDatabase(settings: Settings, say: (line: string) => void): Promise<OpenDatabase> {
  return settings.databaseUrl === null || settings.ownerUrl === null
    ? openEmbedded(settings, say)
    : openExternal(settings.databaseUrl, settings.ownerUrl, say)
}

async function openEmbedded(settings: Settings, say: (line: string) => void): Promise<OpenDatabase> {
  const server = await startEmbedded({ home: settings.home, say })
  try {
    const password = await readOrCreateSecret(settings.home, 'database-login')
    const superuser = { ...server.connection, database: 'postgres' }
    await withOwner(superuser, (client) => makeDatabase(client, password))
    const owner = { ...server.connection, database: DATABASE }
    const isBehind = await withOwner(owner, async (client) => (await pendingMigrations(client)).length > 0)
    if (isBehind && !server.isFresh)
      say(`Backed up before migrating: ${await server.coldCopy('before-migration')}`)
    await withOwner(owner, (client) => startDatabase(client, LOGIN, say))
    return {
      mode: 'embedded',
      login: { ...owner, user: LOGIN, password },
      owner,
      stop: () => server.stop(),
      onExit: (listener) => server.onExit(listener),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function openExternal(
  url: string,
  ownerUrl: string,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  const login = { connectionString: url }
  const owner = { connectionString: ownerUrl }
  const loginRole = await loginOf(login, say)
  await withOwner(owner, (client) => startDatabase(client, loginRole, say))
  return { mode: 'external', login, owner, stop: async () => {}, onExit: () => {} }
}

/** The role of the login on an external server. @throws Error if the server is older than PostgreSQL 15. */
export async function loginOf(login: ConnectionSource, say: (line: string) => void): Promise<string> {
  return withOwner(login, async (client) => {
    const { rows } = await client.query<{ name: string; version: number; is_super: boolean }>(
      `select current_user as name, current_setting('server_version_num')::int as version,
        (select rolsuper from pg_roles where rolname = current_user) as is_super`,
    )
    const [row] = rows
    if (row === undefined) throw new Error('The database did not return the current user.')
    if (row.version < 150_000) throw new Error('The database must be PostgreSQL 15 or newer.')
    if (row.is_super) say('Note: DATABASE_URL signs in as a superuser. Give Forecourt its own login.')
    return row.name
  })
}

/** Creates the login and the database on the embedded server if they do not exist. */
export async function makeDatabase(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query<{ has_login: boolean; has_database: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as has_login,
      exists (select from pg_database where datname = $2) as has_database`,
    [LOGIN, DATABASE],
  )
  const verb = rows[0]?.has_login ? 'alter' : 'create'
  await client.query(`${verb} role ${LOGIN} login noinherit password ${client.escapeLiteral(password)}`)
  if (!rows[0]?.has_database) await client.query(`create database ${DATABASE}`)
}

/** Runs the pending migrations and checks that tenants are isolated. */
export async function startDatabase(
  client: pg.Client,
  loginRole: string,
  say: (line: string) => void,
): Promise<void> {
  const applied = await migrate(client, loginRole)
  if (applied.length > 0) say(`Migrated the database to ${applied.at(-1)?.replace('.sql', '')}.`)
  const holes = await findTenancyHoles(client)
  if (holes.length > 0)
    throw new Error(`Forecourt cannot start because tenants would not be isolated. ${holes.join(' ')}`)
}

/** How long a statement of such a transaction may take, in milliseconds. */
const OWNER_MS = 120_000

/** Runs a transaction as the owner, such as adding customers, which no tenant can do. Opens its own connection. */
export function ownerTransactions(owner: ConnectionSource): AsOwner {
  return (work) =>
    withOwner(
      owner,
      async (client) => {
        await client.query('begin')
        // If this throws, the transaction ends with its connection and is rolled back.
        const result = await work(markOwned(kyselyOver((query) => client.query(statement(query)))))
        await client.query('commit')
        return result
      },
      OWNER_MS,
    )
}

/** Runs `work` on one connection. `longestMs`: of a statement; absent: no limit. @throws Error without the password if the server is unreachable. */
export async function withOwner<T>(
  source: ConnectionSource,
  work: (client: pg.Client) => Promise<T>,
  longestMs?: number,
): Promise<T> {
  const client = openOwner(source, longestMs)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error)
    throw new Error(
      `The database at ${placeOf(source)} cannot be reached: ${reason.replace(/^Error: /, '')}`,
      { cause: error },
    )
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function placeOf(source: ConnectionSource): string {
  if (!('connectionString' in source)) return join(source.host, source.database)
  const { host, pathname } = new URL(source.connectionString)
  return `${host}${pathname}`
}
