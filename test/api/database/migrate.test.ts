import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openOwner, type Connection } from '#server/database/connect.ts'
import { migrate, pendingMigrations } from '#server/database/migrate.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { runStatement } from '#test/engine/run-statement.ts'

let database: TestDatabase
let owner: pg.Client
beforeEach(async () => {
  database = await freshDatabase()
  owner = await connect(database.connection)
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

async function connect(connection: Connection): Promise<pg.Client> {
  const client = openOwner(connection)
  await client.connect()
  return client
}

const listFiles = async () =>
  (await readdir(join(import.meta.dirname, '../../../migrations')))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

test('a second migration does nothing', async () => {
  expect(await migrate(owner, database.login.user)).toEqual([])
})

test('two copies that start on an empty database migrate it only once', async () => {
  const { admin, owner: maker } = inject('engine')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runStatement(admin, `create database ${name} owner ${maker.user}`)
  const copies = await Promise.all([
    connect({ ...maker, database: name }),
    connect({ ...maker, database: name }),
  ])
  const applied = await Promise.all(copies.map((copy) => migrate(copy, database.login.user)))
  await Promise.all(copies.map((copy) => copy.end()))
  await runStatement(admin, `drop database ${name} with (force)`)
  expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], await listFiles()])
})

test('rejects a database that is newer than the code, naming the migration', async () => {
  await owner.query(`insert into schema_migrations (name, checksum) values ('9999-later.sql', 'x')`)
  await expect(migrate(owner, database.login.user)).rejects.toThrow(
    'The database is newer than this version of Forecourt: it has migration 9999-later.sql. Start the newer version.',
  )
})

test('rejects a migration that was edited after it ran, by name', async () => {
  const [first] = await listFiles()
  await owner.query('update schema_migrations set checksum = $1 where name = $2', ['edited', first])
  await expect(pendingMigrations(owner)).rejects.toThrow(
    `Migration ${first} was edited after it ran. Restore the file and write a new migration instead.`,
  )
})

test('does not leave a rejected database locked', async () => {
  await owner.query(`insert into schema_migrations (name, checksum) values ('9999-later.sql', 'x')`)
  await expect(migrate(owner, database.login.user)).rejects.toThrow('newer')
  await owner.query(`delete from schema_migrations where name = '9999-later.sql'`)
  const other = await connect(database.connection)
  const applied = await migrate(other, database.login.user)
  await other.end()
  expect(applied).toEqual([])
})

test('rolls back a failed migration and names it', async () => {
  // A migration that creates a table fails when it runs again.
  const last = (await listFiles()).find((name) => name.startsWith('0013-'))
  await owner.query('delete from schema_migrations where name = $1', [last])
  await expect(migrate(owner, database.login.user)).rejects.toThrow(
    `Migration ${last} failed and was rolled back:`,
  )
  expect(await pendingMigrations(owner)).toEqual([last])
})
