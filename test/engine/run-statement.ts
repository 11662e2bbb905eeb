import { Client } from 'pg'
import type { Connection } from '#server/database/connect.ts'

/** The migrated and seeded database that every other is copied from. */
export const TEMPLATE = 'forecourt_template'

type Copy = { database: string; template: string; owner: Connection }

/** Makes a database as a copy of another one. As files: the server does not write what it copies twice. */
export function copyDatabase(admin: Connection, { database, template, owner }: Copy): Promise<void> {
  return runStatement(
    admin,
    `create database ${database} template ${template} owner ${owner.user} strategy file_copy`,
  )
}

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
