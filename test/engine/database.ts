import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Connection } from '#server/database/connect.ts'
import { LOGIN } from './login.ts'
import { copyDatabase, runStatement, TEMPLATE } from './run-statement.ts'

export type TestDatabase = {
  /** As the application, for its pools. */
  login: Connection
  /** As the owner, whom the application migrates as. */
  connection: Connection
  /** As the server's superuser: for what only an operator may do. */
  superuser: Connection
  drop(): Promise<void>
}

/** A migrated, seeded database of its own, copied from the template. Roles are shared by all: do not alter them. */
export function freshDatabase(): Promise<TestDatabase> {
  return makeDatabase(TEMPLATE)
}

/** A database with nothing in it. */
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
