import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { withLimit } from './connect.ts'
import { kyselyOver, settings, statement, type Database, type TenantScope } from './tenant-transaction.ts'

const ROWS_AT_ONCE = 500
/** The first rows of a long list arrive only when all of it is sorted. */
const STATEMENT_MS = 120_000

/** A tenant's tables as of one moment, for exports that are sent while they are read. */
export type Snapshot = {
  db: Database
  /** Reads the rows of a query in order, in batches, so that few are in memory. Each row is an array of its columns. */
  rows: (query: RawBuilder<unknown>) => Promise<AsyncGenerator<unknown[][]>>
  /** Ends the transaction and releases its connection. Safe to call twice, and while rows are read. */
  close: () => Promise<void>
}

/** Opens a read-only transaction with a consistent snapshot. The caller must close it. */
export async function openSnapshot(pool: pg.Pool, scope: TenantScope): Promise<Snapshot> {
  const client = await pool.connect()
  let isBroken = false
  const noteBroken = (): void => {
    isBroken = true
  }
  client.on('error', noteBroken)
  let closing: Promise<void> | null = null
  const db = kyselyOver((query) => client.query(withLimit(statement(query), STATEMENT_MS)))

  async function end(): Promise<void> {
    // If the reader was idle too long, the server has ended the transaction.
    await client.query('rollback').catch(noteBroken)
    client.off('error', noteBroken)
    client.release(isBroken)
  }
  const close = (): Promise<void> => (closing ??= end())

  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(settings(scope))
    await client.query(`set local statement_timeout = ${STATEMENT_MS}`)
  } catch (error) {
    await close()
    throw error
  }

  async function fetchSome(): Promise<unknown[][]> {
    // Unnamed: a named statement would keep the columns of the first list it was used for.
    const fetch = { text: `fetch forward ${ROWS_AT_ONCE} from snapshot_rows`, rowMode: 'array' as const }
    const { rows } = await client.query<unknown[]>(withLimit(fetch, STATEMENT_MS))
    return rows
  }

  async function* rowsFrom(first: unknown[][]): AsyncGenerator<unknown[][]> {
    let some = first
    for (;;) {
      if (some.length > 0) yield some
      if (some.length < ROWS_AT_ONCE) return
      some = await fetchSome()
    }
  }

  return {
    db,
    async rows(query) {
      const { sql: text, parameters } = query.compile(db)
      const declare = {
        text: `declare snapshot_rows no scroll cursor for ${text}`,
        values: [...parameters],
      }
      await client.query(withLimit(declare, STATEMENT_MS))
      // Fetch the first rows now, so that errors in the query occur before anything is sent.
      return rowsFrom(await fetchSome())
    },
    close,
  }
}
