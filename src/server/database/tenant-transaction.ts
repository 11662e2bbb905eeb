import { createHash } from 'node:crypto'
import {
  CamelCasePlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
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
  actorUserId: string | null
  actorName: string | null
  effectiveUserId: string | null
  effectiveName: string | null
  endpoint: string
  isReadOnly: boolean
}>

/**
 * A transaction inside a tenant that begins with its first statement, in the same trip. It takes no connection
 * before, so a handler that never asks the database holds none.
 */
class TenantTransaction {
  readonly db: Database
  readonly #pool: pg.Pool
  readonly #scope: TenantScope
  #client: Promise<pg.PoolClient> | null = null
  #hasEnded = false

  constructor(pool: pg.Pool, scope: TenantScope) {
    this.#pool = pool
    this.#scope = scope
    this.db = kyselyOver((query) => this.#run(query))
  }

  async #run(query: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('The transaction has ended: a statement was not awaited.')
    const isFirst = this.#client === null
    this.#client ??= this.#pool.connect()
    const client = await this.#client
    if (!isFirst) return client.query(statement(query))
    const [, , result] = await Promise.all([
      client.query(this.#scope.isReadOnly ? 'begin read only' : 'begin'),
      client.query(settings(this.#scope)),
      client.query(statement(query)),
    ])
    return result
  }

  /** @throws when the transaction had failed before: a commit of it would silently roll back. */
  async commit(): Promise<void> {
    const client = await this.#end()
    if (client === null) return
    try {
      const result = await client.query('commit')
      client.release()
      if (result.command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async rollback(): Promise<void> {
    const client = await this.#end().catch(() => null)
    if (client === null) return
    try {
      await client.query('rollback')
      client.release()
    } catch {
      // The connection is gone, and the transaction with it.
      client.release(true)
    }
  }

  async #end(): Promise<pg.PoolClient | null> {
    this.#hasEnded = true
    return this.#client
  }
}

/** Runs `work` in one tenant transaction: commits when it returns, rolls back when it throws. */
export async function inTenant<T>(
  pool: pg.Pool,
  scope: TenantScope,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const transaction = new TenantTransaction(pool, scope)
  try {
    const result = await work(transaction.db)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback()
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

function settings(scope: TenantScope): pg.QueryConfig {
  const values: Record<string, string> = {
    'app.customer_id': scope.customerId,
    'app.organization_id': scope.organizationId ?? '',
    'app.reach': scope.reach,
    'app.actor_user_id': scope.actorUserId ?? '',
    'app.actor_name': scope.actorName ?? '',
    'app.effective_user_id': scope.effectiveUserId ?? '',
    'app.effective_name': scope.effectiveName ?? '',
    'app.endpoint': scope.endpoint,
  }
  const calls = Object.keys(values).map((name, at) => `set_config('${name}', $${at + 1}, true)`)
  return { name: 'tenant', text: `select ${calls.join(', ')}`, values: Object.values(values) }
}

const NAMED_FROM = 3
const MOST_NAMES = 500
const timesSeen = new Map<string, number>()

/**
 * The statement for pg. One that keeps coming back gets a name, so that PostgreSQL parses and plans it once a
 * connection; at most 500 do, so that statements with lists of changing length cannot fill its memory.
 */
export function statement(query: CompiledQuery): pg.QueryConfig {
  const seen = (timesSeen.get(query.sql) ?? 0) + 1
  if (seen <= NAMED_FROM && timesSeen.size < MOST_NAMES) timesSeen.set(query.sql, seen)
  const config = { text: query.sql, values: [...query.parameters] }
  if (!timesSeen.has(query.sql) || seen < NAMED_FROM) return config
  return { ...config, name: createHash('sha1').update(query.sql).digest('base64url') }
}
