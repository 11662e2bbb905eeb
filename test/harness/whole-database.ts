import type pg from 'pg'
import type { Connection } from '#server/database/connect.ts'
import { withOwner } from '#server/database/open-database.ts'
import { listForeignKeys, listSequences, listTables, listTriggers, sqlName } from '#server/backup/tables.ts'

/** The content of a database as text, for comparing two of them: rows, sequences, foreign keys and triggers. */
export type WholeDatabase = Record<string, string[]>

export function readWhole(connection: Connection): Promise<WholeDatabase> {
  return withOwner(connection, async (client) => {
    const whole: WholeDatabase = {}
    for (const table of await listTables(client)) {
      const name = sqlName(client, table)
      whole[name] = await lines(client, `select t::text as line from ${name} t`)
    }
    for (const sequence of await listSequences(client)) {
      const name = sqlName(client, sequence)
      whole[name] = await lines(client, `select last_value || ' ' || is_called as line from ${name}`)
    }
    whole.foreignKeys = (await listForeignKeys(client)).map((one) => JSON.stringify(one))
    whole.triggers = (await listTriggers(client)).map((one) => JSON.stringify(one))
    return whole
  })
}

async function lines(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(query)
  return rows.map(({ line }) => line).toSorted()
}

/** The URL of a test database, as in DATABASE_URL. */
export const urlOf = ({ host, port, user, password, database }: Connection): string =>
  `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
