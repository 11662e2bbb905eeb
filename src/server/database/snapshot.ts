import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { kyselyOver, settings, statement, type Database, type TenantScope } from './tenant-transaction.ts'

const ROWS_AT_ONCE = 500
/** The first rows of a long list come when all of it is sorted. */
const STATEMENT_TIMEOUT = '120s'

/** What stood in a tenant's tables at one moment, for rows that go out while they are read. */
export type Snapshot = {
  db: Database
  /** Reads the rows of one query in order, some at a time: no more are in memory. The query's columns come as a list. */
  rows: (query: RawBuilder<unknown>) => Promise<AsyncGenerator<unknown[][]>>
  /** Ends it and gives its connection back. Safe to call twice, and while rows are read. */
  close: () => Promise<void>
}

/** Opens a read-only transaction that sees one moment. Whoever opens it closes it. */
export async function openSnapshot(pool: pg.Pool, scope: TenantScope): Promise<Snapshot> {
  const client = await pool.connect()
  let isBroken = false
  const noteBroken = (): void => {
    isBroken = true
  }
  client.on('error', noteBroken)
  let closing: Promise<void> | null = null
  const db = kyselyOver((query) => client.query(statement(query)))

  async function end(): Promise<void> {
    // A reader who was away too long finds the transaction ended by the server.
    await client.query('rollback').catch(noteBroken)
    client.off('error', noteBroken)
    client.release(isBroken)
  }
  const close = (): Promise<void> => (closing ??= end())

  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(settings(scope))
    await client.query(`set local statement_timeout = '${STATEMENT_TIMEOUT}'`)
  } catch (error) {
    await close()
    throw error
  }

  async function fetchSome(): Promise<unknown[][]> {
    // Unnamed: a statement under one name would keep the columns of the first list it was used for.
    const { rows } = await client.query<unknown[]>({
      text: `fetch forward ${ROWS_AT_ONCE} from snapshot_rows`,
      rowMode: 'array',
    })
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
      await client.query({
        text: `declare snapshot_rows no scroll cursor for ${text}`,
        values: [...parameters],
      })
      // The first of them now: what goes wrong with a query goes wrong before anything is sent.
      return rowsFrom(await fetchSome())
    },
    close,
  }
}
