import { Client } from 'pg'
import type { Connection } from '#server/database/connect.ts'

/** The migrated and seeded database that every other is copied from. */
export const TEMPLATE = 'forecourt_template'

/** Runs one statement on a connection of its own. */
export async function runStatement(connection: Connection, statement: string): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
