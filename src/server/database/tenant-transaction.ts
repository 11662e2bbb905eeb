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
import type { DB } from './schema.ts'

/** The tenant's database as a handler sees it: typed, inside one transaction, inside one tenant. */
export type Database = Kysely<DB>

/** Runs work in one transaction of the database's owner, outside every tenant. */
export type AsOwner = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** What the transaction's settings say; row level security, column defaults and the audit log read them. */
export type TenantScope = Readonly<{
  customerId: string
  organizationId: string | null
  reach: 'organization' | 'customer'
  /** Whose days count (`tenantToday`); the customer's where it is not given. */
  timeZone?: string
  actorUserId: string | null
  actorName: string | null
  effectiveUserId: string | null
  effectiveName: string | null
  endpoint: string
  isReadOnly: boolean
  /** The running job whose rows these are: they leave no entry in the audit log each. Never a request's. */
  jobId?: string
}>

/**
 * A transaction inside a tenant that begins with its first statement, in the same trip. It takes no connection
 * before, so a handler that never asks the database holds none.
 */
class TenantTransaction {
  readonly db: Database
  /** The same transaction with the rights of identity. */
  readonly identity: Database
  readonly #pool: pg.Pool
  readonly #scope: TenantScope
  #client: Promise<pg.PoolClient> | null = null
  #hasEnded = false
  #isBroken = false

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
      if (!isFirst) return await client.query(statement(query))
      const { isAlone: mayEnd = false, usesCustomPlan = false } = manners.get(query) ?? {}
      const isAlone = mayEnd && this.#scope.isReadOnly
      if (isAlone) this.#hasEnded = true
      const [, , result] = await inOneWrite(client, () =>
        Promise.all([
          client.query(this.#scope.isReadOnly ? 'begin read only' : 'begin'),
          client.query(settings(this.#scope, { usesCustomPlan })),
          client.query(statement(query)),
          isAlone ? client.query('commit') : null,
        ]),
      )
      return result
    } catch (error) {
      if (isStalePlan(error)) this.#isBroken = true
      throw error
    }
  }

  /** The role changes for this statement alone: the three leave in one piece, so nothing comes between them. */
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

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    // The pool listens only to idle connections: without us a connection that breaks in use would end the process.
    client.on('error', this.#noteBroken)
    return client
  }

  readonly #noteBroken = (): void => {
    this.#isBroken = true
  }

  /**
   * Ends the transaction and gives its connection back, once.
   * @throws when a commit did not come about: the connection is gone, or the transaction had failed before.
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
      client.release(this.#isBroken)
    }
  }
}

type QueryOptions = {
  /** Nothing follows it: where the transaction only reads, its end travels with it. Any further one is refused. */
  isAlone?: boolean
  /**
   * Planned for the values it has each time, not once for all: what it looks for may be rare in one customer and
   * everywhere in another.
   */
  usesCustomPlan?: boolean
}
const manners = new WeakMap<CompiledQuery, QueryOptions>()

/** Runs a statement in its own manner, which counts where it is the first of its transaction. */
export function executeWith<R>(
  db: Database,
  query: CompiledQuery<R>,
  manner: QueryOptions,
): Promise<QueryResult<R>> {
  manners.set(query, manner)
  return db.executeQuery(query)
}

/** Lets statements leave in one piece: each piece would wake the database. */
function inOneWrite<T>(client: pg.PoolClient, send: () => T): T {
  const stream = 'connection' in client ? streamIn(client.connection) : null
  stream?.cork()
  try {
    return send()
  } finally {
    stream?.uncork()
  }
}

/** The socket of a connection of pg, which does not declare it. */
function streamIn(connection: unknown): Writable | null {
  const isThere = typeof connection === 'object' && connection !== null && 'stream' in connection
  return isThere && connection.stream instanceof Writable ? connection.stream : null
}

/** A named statement was planned before a newer copy of the product changed its table. */
function isStalePlan(error: unknown): boolean {
  // feature_not_supported ("cached plan must not change result type"), invalid_sql_statement_name
  const isFromDatabase = typeof error === 'object' && error !== null && 'code' in error
  return isFromDatabase && (error.code === '0A000' || error.code === '26000')
}

type Opened = {
  /** What follows the transaction once it is committed. */
  following: (() => Promise<void>)[]
  /** The same transaction with the rights of identity. */
  identity: Database
}
const opened = new WeakMap<Database, Opened>()

function openedOf(db: Database): Opened {
  const found = opened.get(db)
  if (found === undefined) throw new Error('This is no transaction of a tenant.')
  return found
}

/**
 * Does something after the transaction of `db` is committed, and not at all when it is rolled back: what cannot be rolled
 * back itself, such as the removal of a file. The call waits for it and fails with it, though its rows stay written.
 */
export function afterCommit(db: Database, work: () => Promise<void>): void {
  openedOf(db).following.push(work)
}

/**
 * The transaction of `db` with the rights of identity (the role `forecourt_iam`): what a handler does to links and sessions
 * is committed with the rest of its work, or not at all.
 */
export function asIdentity(db: Database): Database {
  return openedOf(db).identity
}

/** Runs `work` in one tenant transaction: commits when it returns, rolls back when it throws. */
export async function inTenant<T>(
  pool: pg.Pool,
  scope: TenantScope,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const transaction = new TenantTransaction(pool, scope)
  const following: Opened['following'] = []
  opened.set(transaction.db, { following, identity: transaction.identity })
  const result = await workIn(transaction, work)
  for (const follow of following) await follow()
  return result
}

async function workIn<T>(transaction: TenantTransaction, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    const result = await work(transaction.db)
    await transaction.end('commit')
    return result
  } catch (error) {
    // What went wrong is what counts: that the connection is gone as well adds nothing.
    await transaction.end('rollback').catch(() => {})
    throw error
  }
}

// Columns are snake_case in SQL and camelCase in TypeScript; JSON inside a column stays as it is.
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]

/** A typed database over one way of running statements. */
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
 * Says in a transaction of the owner who acts where. Row level security does not hold the owner back; column defaults
 * and the audit log read it.
 */
export async function actAs(db: Database, scope: TenantScope): Promise<void> {
  const calls = Object.entries(settingValues(scope)).map(
    ([name, value]) => sql`set_config(${name}, ${value}, true)`,
  )
  await sql`select ${sql.join(calls)}`.execute(db)
}

/** The statement that says in a transaction who acts where. */
export function settings(
  scope: TenantScope,
  { usesCustomPlan = false }: Pick<QueryOptions, 'usesCustomPlan'> = {},
): pg.QueryConfig {
  const values = {
    // Who does it is written down by triggers alone: nothing asks in a transaction that only reads.
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

/** What row level security looks at, and the call, for whoever looks at what the database does. */
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
  }
}

const NAMED_FROM = 3
const MOST_NAMES = 500
const seen = new Map<string, { times: number; name: string }>()

/**
 * The statement for pg. One that keeps coming back gets a name, so that PostgreSQL parses and plans it once a
 * connection. Of more than 500 different ones the longest unseen lose theirs.
 */
export function statement(query: CompiledQuery): pg.QueryConfig {
  const known = seen.get(query.sql) ?? { times: 0, name: '' }
  known.times += 1
  seen.delete(query.sql)
  seen.set(query.sql, known)
  if (seen.size > MOST_NAMES) seen.delete(seen.keys().next().value ?? '')
  const config = { text: query.sql, values: [...query.parameters] }
  if (known.times < NAMED_FROM) return config
  if (known.name === '') known.name = createHash('sha1').update(query.sql).digest('base64url')
  return { ...config, name: known.name }
}
