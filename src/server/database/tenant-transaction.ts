import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import {
  CamelCasePlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { withLimit } from './connect.ts'
import { takeConnection, type TakenConnection } from './connection-share.ts'
import { OUTSIDE, type Outside } from './outside-transaction.ts'
import type { DB } from './schema.ts'

/** The database as a handler sees it: typed, in one transaction, limited to one tenant. */
export type Database = Kysely<DB>

/** Runs work in one transaction as the database owner, outside any tenant. */
export type AsOwner = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** The settings of a transaction, which row level security, column defaults and the audit log read. */
export type TenantScope = Readonly<{
  customerId: string
  organizationId: string | null
  reach: 'organization' | 'customer'
  /** The time zone for `tenantToday`. Defaults to the customer's. */
  timeZone?: string
  actorUserId: string | null
  actorName: string | null
  effectiveUserId: string | null
  effectiveName: string | null
  /** Where the request comes from. */
  origin?: { address: string; device: string } | undefined
  endpoint: string
  isReadOnly: boolean
  /** The job that makes the changes, which are then not logged row by row. Never set for a request. */
  jobId?: string
}>

/**
 * A tenant transaction that begins with its first statement, in the same round trip. It takes no connection before that,
 * so a handler that never queries the database holds none.
 */
class TenantTransaction {
  readonly db: Database
  /** The same transaction with the rights of identity. */
  readonly identity: Database
  readonly #pool: pg.Pool
  readonly #scope: TenantScope
  #client: Promise<pg.PoolClient> | null = null
  #release: TakenConnection['release'] = () => {}
  #hasEnded = false
  #isBroken = false
  /** Of statements that may take longer than usual. */
  #statementMs: number | null = null

  constructor(pool: pg.Pool, scope: TenantScope) {
    this.#pool = pool
    this.#scope = scope
    this.db = kyselyOver((query) => this.#run(query))
    this.identity = kyselyOver((query) => this.#runAsIdentity(query))
  }

  async #run(query: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('The transaction has ended: a statement was not awaited.')
    const isFirst = this.#client === null
    this.#client ??= this.#connect()
    const client = await this.#client
    try {
      if (!isFirst) return await client.query(this.#limited(statement(query)))
      const { endsTransaction: mayEnd = false, usesCustomPlan = false } = queryOptions.get(query) ?? {}
      const endsTransaction = mayEnd && this.#scope.isReadOnly
      if (endsTransaction) this.#hasEnded = true
      const [, , result] = await inOneWrite(client, () =>
        Promise.all([
          client.query(this.#scope.isReadOnly ? 'begin read only' : 'begin'),
          client.query(settings(this.#scope, { usesCustomPlan })),
          client.query(statement(query)),
          endsTransaction ? client.query('commit') : null,
        ]),
      )
      return result
    } catch (error) {
      if (isStalePlan(error)) this.#isBroken = true
      throw error
    }
  }

  /** Changes the role for one statement. All three are sent in one write, so that nothing comes in between. */
  async #runAsIdentity(query: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#client === null) await sql`select`.execute(this.db)
    if (this.#hasEnded) throw new Error('The transaction has ended: a statement was not awaited.')
    const client = await this.#client
    if (client === null) throw new Error('The transaction has no connection.')
    const [, answer] = await inOneWrite(client, () =>
      Promise.allSettled([
        client.query('set local role forecourt_iam'),
        client.query(statement(query)),
        client.query('set local role forecourt_app'),
      ]),
    )
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  /** Lets the statements after this one take `statementMs`, here and on the server. */
  async allow(statementMs: number): Promise<void> {
    await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(this.db)
    this.#statementMs = statementMs
  }

  #limited(config: pg.QueryConfig): pg.QueryConfig {
    return this.#statementMs === null ? config : withLimit(config, this.#statementMs)
  }

  async #connect(): Promise<pg.PoolClient> {
    const { client, release } = await takeConnection(this.#pool, this.#scope.customerId)
    this.#release = release
    // The pool listens only to idle connections: without a listener, a connection that breaks in use ends the process.
    client.on('error', this.#noteBroken)
    return client
  }

  readonly #noteBroken = (): void => {
    this.#isBroken = true
  }

  /**
   * Ends the transaction and releases its connection, once.
   * @throws Error if the commit failed: the connection is gone, or the transaction had failed before.
   */
  async end(word: 'commit' | 'rollback'): Promise<void> {
    const taken = this.#client
    const hadEnded = this.#hasEnded
    this.#client = null
    this.#hasEnded = true
    if (taken === null) return
    const client = await taken
    try {
      if (hadEnded) return
      const { command } = await client.query(word)
      if (word === 'commit' && command !== 'COMMIT') {
        throw new Error('The transaction had failed and was rolled back.')
      }
    } catch (error) {
      this.#isBroken = true
      throw error
    } finally {
      client.off('error', this.#noteBroken)
      this.#release({ isBroken: this.#isBroken })
    }
  }
}

type QueryOptions = {
  /** No statement follows. A read-only transaction is committed in the same round trip, and further statements fail. */
  endsTransaction?: boolean
  /**
   * Plans the statement for its actual values each time, because a value may be rare in one customer and common in
   * another.
   */
  usesCustomPlan?: boolean
}
const queryOptions = new WeakMap<CompiledQuery, QueryOptions>()

/** Runs a statement with options. They apply only to the first statement of a transaction. */
export function executeWith<R>(
  db: Database,
  query: CompiledQuery<R>,
  options: QueryOptions,
): Promise<QueryResult<R>> {
  queryOptions.set(query, options)
  return db.executeQuery(query)
}

/** Sends statements in one write, because each write wakes the database. */
function inOneWrite<T>(client: pg.PoolClient, send: () => T): T {
  const stream = 'connection' in client ? streamIn(client.connection) : null
  stream?.cork()
  try {
    return send()
  } finally {
    stream?.uncork()
  }
}

/** The socket of a pg connection, which pg's types do not declare. */
function streamIn(connection: unknown): Writable | null {
  const isThere = typeof connection === 'object' && connection !== null && 'stream' in connection
  return isThere && connection.stream instanceof Writable ? connection.stream : null
}

/** Whether a named statement was planned before a newer version of the product changed its table. */
function isStalePlan(error: unknown): boolean {
  // feature_not_supported ("cached plan must not change result type"), invalid_sql_statement_name
  const isFromDatabase = typeof error === 'object' && error !== null && 'code' in error
  return isFromDatabase && (error.code === '0A000' || error.code === '26000')
}

type OpenTransaction = {
  /** Work to run once the transaction is committed. */
  followUps: ((outside: Outside) => Promise<void>)[]
  /** The same transaction with the rights of identity. */
  identity: Database
  allow: (statementMs: number) => Promise<void>
}
const openTransactions = new WeakMap<Database, OpenTransaction>()

function openTransactionOf(db: Database): OpenTransaction {
  const found = openTransactions.get(db)
  if (found === undefined) throw new Error('This is not a tenant transaction.')
  return found
}

/**
 * Runs work after the transaction of `db` commits, and not if it is rolled back. For work that cannot be rolled back, such
 * as deleting a file. The request waits for the work and fails if it fails, although the rows stay written.
 */
export function afterCommit(db: Database, work: (outside: Outside) => Promise<void>): void {
  openTransactionOf(db).followUps.push(work)
}

/**
 * The transaction of `db` with the rights of the role `forecourt_iam`: a handler's changes to links and sessions are
 * committed with the rest of its work, or not at all.
 */
export function asIdentity(db: Database): Database {
  return ownedTransactions.has(db) ? db : openTransactionOf(db).identity
}

/** Lets the statements of a transaction that follow take longer than usual, in milliseconds. No user may wait for them. */
export async function allowLongStatements(db: Database, statementMs: number): Promise<void> {
  // A transaction of the owner has no limit on the server.
  if (!ownedTransactions.has(db)) await openTransactionOf(db).allow(statementMs)
}

/** Transactions of the database's owner, who has the rights of every role: demo data is created in one. */
const ownedTransactions = new WeakSet<Database>()

/** Lets a transaction of the owner use functions that call `asIdentity`. */
export function markOwned(db: Database): Database {
  ownedTransactions.add(db)
  return db
}

/** Runs `work` in a tenant transaction. Commits when it returns and rolls back when it throws. */
export async function inTenant<T>(
  pool: pg.Pool,
  scope: TenantScope,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const transaction = new TenantTransaction(pool, scope)
  const followUps: OpenTransaction['followUps'] = []
  openTransactions.set(transaction.db, {
    followUps,
    identity: transaction.identity,
    allow: (statementMs) => transaction.allow(statementMs),
  })
  const result = await workIn(transaction, work)
  for (const followUp of followUps) await followUp(OUTSIDE)
  return result
}

async function workIn<T>(transaction: TenantTransaction, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    const result = await work(transaction.db)
    await transaction.end('commit')
    return result
  } catch (error) {
    // Only the original error matters, not that the rollback failed too.
    await transaction.end('rollback').catch(() => {})
    throw error
  }
}

// Columns are snake_case in SQL and camelCase in TypeScript. JSON inside a column is unchanged.
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

/** A Kysely database that runs its statements with `run`. */
export function kyselyOver(run: (query: CompiledQuery) => Promise<pg.QueryResult>): Database {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await run(query)
      return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('A pipelined connection cannot stream rows.')
    },
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: async () => {},
  }
  return new Kysely<DB>({
    plugins,
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

async function noTransaction(): Promise<void> {
  throw new Error('A handler is already in a transaction.')
}

/**
 * Sets the actor and tenant in a transaction of the owner. Row level security does not apply to the owner, but column
 * defaults and the audit log read these settings.
 */
export async function actAs(db: Database, scope: TenantScope): Promise<void> {
  const calls = Object.entries(settingValues(scope)).map(
    ([name, value]) => sql`set_config(${name}, ${value}, true)`,
  )
  await sql`select ${sql.join(calls)}`.execute(db)
}

/** The statement that sets the actor and tenant in a transaction. */
export function settings(
  scope: TenantScope,
  { usesCustomPlan = false }: Pick<QueryOptions, 'usesCustomPlan'> = {},
): pg.QueryConfig {
  const values = {
    // Only triggers on writes need the actor, so a read-only transaction does not set it.
    ...(scope.isReadOnly ? reachOf(scope) : settingValues(scope)),
    plan_cache_mode: usesCustomPlan ? 'force_custom_plan' : 'auto',
  }
  const calls = Object.keys(values).map((name, at) => `set_config('${name}', $${at + 1}, true)`)
  return {
    name: scope.isReadOnly ? 'reader' : 'tenant',
    text: `select ${calls.join(', ')}`,
    values: Object.values(values),
  }
}

/** The settings that row level security reads, and the endpoint, for monitoring the database. */
function reachOf(scope: TenantScope): Record<string, string> {
  return {
    'app.customer_id': scope.customerId,
    'app.organization_id': scope.organizationId ?? '',
    'app.reach': scope.reach,
    'app.time_zone': scope.timeZone ?? '',
    'app.effective_user_id': scope.effectiveUserId ?? '',
    'app.endpoint': scope.endpoint,
  }
}

function settingValues(scope: TenantScope): Record<string, string> {
  return {
    ...reachOf(scope),
    'app.actor_user_id': scope.actorUserId ?? '',
    'app.actor_name': scope.actorName ?? '',
    'app.effective_name': scope.effectiveName ?? '',
    'app.job_id': scope.jobId ?? '',
    'app.address': scope.origin?.address ?? '',
    'app.device': scope.origin?.device ?? '',
  }
}

const NAMED_AFTER_USES = 3
const MAX_NAMED_STATEMENTS = 500
const seen = new Map<string, { times: number; name: string }>()

/**
 * The statement for pg. A repeated statement gets a name, so that PostgreSQL parses and plans it once per connection.
 * Beyond 500 different statements, the least recently used lose their names.
 */
export function statement(query: CompiledQuery): pg.QueryConfig {
  const known = seen.get(query.sql) ?? { times: 0, name: '' }
  known.times += 1
  seen.delete(query.sql)
  seen.set(query.sql, known)
  if (seen.size > MAX_NAMED_STATEMENTS) seen.delete(seen.keys().next().value ?? '')
  const config = { text: query.sql, values: [...query.parameters] }
  if (known.times < NAMED_AFTER_USES) return config
  if (known.name === '') known.name = createHash('sha1').update(query.sql).digest('base64url')
  return { ...config, name: known.name }
}
