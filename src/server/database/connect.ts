import pg from 'pg'
import { clock } from '../clock.ts'

/** The address of a PostgreSQL server and the login. */
export type Connection = { host: string; port: number; user: string; password: string; database: string }
export type ConnectionSource = Connection | { connectionString: string }

/** The three roles of migrations/0001. Each pool acts as exactly one of them. */
export type Role = 'forecourt_app' | 'forecourt_iam' | 'forecourt_jobs'

const TIMESTAMPTZ = 1184
const DATE = 1082
// Bigints stay digits, timestamps become ISO text in UTC and dates stay text: none of them fits a JavaScript number or Date.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
    if (oid === DATE) return asWritten
    return oid === TIMESTAMPTZ ? isoInstant : pg.types.getTypeParser(oid, 'text')
  },
}

const asWritten = (text: string) => text

/** PostgreSQL's "2026-11-21 04:40:20.127123+00" as "2026-11-21T04:40:20.127Z". All connections use UTC. */
function isoInstant(text: string): string {
  const isUsual = text.length >= 22 && text.endsWith('+00') && text[10] === ' '
  if (!isUsual) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const limits = {
  timezone: 'UTC',
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
}

/**
 * How long this process waits for a statement that may take `statementMs`, in milliseconds. The server ends it before that; a server
 * that doesn't is stopped or can't be reached, and the connection is closed.
 */
const answerMs = (statementMs: number): number => statementMs + 5_000

/** A statement that may take longer than usual, which pg's types don't declare. */
export const withLimit = <C extends pg.QueryConfig>(config: C, statementMs: number): C =>
  Object.assign(config, { query_timeout: answerMs(statementMs) })

/**
 * A pool whose connections act as `role` from the start. The server sends several statements of a transaction in one
 * round trip (pipeline).
 */
export function openPool(source: ConnectionSource, role: Role, size: number): pg.Pool {
  const startOffset = clock.offset()
  const options = [
    `role=${role}`,
    ...Object.entries(limits).map(([name, value]) => `${name}=${value}`),
    ...clockOptions(),
  ]
  return new pg.Pool({
    ...source,
    max: size,
    types,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerMs(limits.statement_timeout),
    application_name: `forecourt ${role}`,
    options: options.map((option) => `-c ${option}`).join(' '),
  })
    .on('error', ignoreBreak)
    .on('connect', (client) => {
      client.on('error', ignoreBreak)
      clockOffsets.set(client, startOffset)
    })
    .on('acquire', followClock)
}

/** The clock offset that is set on each connection, in milliseconds. */
const clockOffsets = new WeakMap<pg.ClientBase, number>()

/** The setting that `app_now()` adds to the system time. In production there is no offset, so nothing is set. */
function clockOptions(): string[] {
  return clock.offset() === 0 ? [] : [`app.clock_offset=${clock.offset()}ms`]
}

/** If a test moved the clock after this connection was opened, sets the new offset before the next statement. */
function followClock(client: pg.ClientBase): void {
  const offset = clock.offset()
  if ((clockOffsets.get(client) ?? 0) === offset) return
  clockOffsets.set(client, offset)
  client.query(`select set_config('app.clock_offset', '${offset}ms', false)`).catch(ignoreBreak)
}

/** A single connection of the owner, for migrations, checks and the demo world. `longestMs`: of a statement; 0: no limit. */
export function openOwner(source: ConnectionSource, longestMs = 0): pg.Client {
  return new pg.Client({
    ...source,
    types,
    options: ['timezone=UTC', ...clockOptions()].map((option) => `-c ${option}`).join(' '),
    connectionTimeoutMillis: 5_000,
    query_timeout: longestMs,
    application_name: 'forecourt owner',
  }).on('error', ignoreBreak)
}

// A connection that breaks between statements emits an error event, which ends the process if there is no listener. The
// pool listens only to idle connections, and a connection can break while it opens. The next statement reports the error.
function ignoreBreak(): void {}
