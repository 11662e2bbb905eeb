import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Connection } from '#server/database/connect.ts'
import { LOGIN } from './login.ts'
import { copyDatabase, runStatement, TEMPLATE } from './run-statement.ts'

export type TestDatabase = {
  /** The application's login, for its pools. */
  login: Connection
  /** The owner, which runs the migrations. */
  connection: Connection
  /** The server's superuser, for what only an operator may do. */
  superuser: Connection
  drop(): Promise<void>
}

/** A new migrated and seeded database, copied from the template. All databases share the roles, so don't alter those. */
export function freshDatabase(): Promise<TestDatabase> {
  return makeDatabase(TEMPLATE)
}

/** An empty database. */
export function emptyDatabase(): Promise<TestDatabase> {
  return makeDatabase('template1')
}

async function makeDatabase(template: string): Promise<TestDatabase> {
  const { admin, owner } = inject('engine')
  const database = `test_${randomBytes(6).toString('hex')}`
  await copyDatabase(admin, { database, template, owner })
  return {
    login: { ...owner, ...LOGIN, database },
    connection: { ...owner, database },
    superuser: { ...admin, database },
    drop: () => runStatement(admin, `drop database if exists ${database} with (force)`),
  }
}
