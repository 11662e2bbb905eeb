import { Client } from 'pg'
import type { Connection } from '#server/database/connect.ts'

/** The migrated and seeded database from which all others are copied. */
export const TEMPLATE = 'forecourt_template'

type Copy = { database: string; template: string; owner: Connection }

/** Creates a database as a file copy of another one, which avoids writing the data to the WAL too. */
export function copyDatabase(admin: Connection, { database, template, owner }: Copy): Promise<void> {
  return runStatement(
    admin,
    `create database ${database} template ${template} owner ${owner.user} strategy file_copy`,
  )
}

/** Runs one statement on a new connection. */
export async function runStatement(connection: Connection, statement: string): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
