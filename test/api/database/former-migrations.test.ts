import { readdir, readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import former from '#server/database/former-migrations.json' with { type: 'json' }
import { migrate, migrateEmpty, pendingMigrations, readMigrations } from '#server/database/migrate.ts'
import { withOwner } from '#server/database/open-database.ts'
import { emptyDatabase, type TestDatabase } from '#test/engine/database.ts'
import { addFormerColors, NEW_COLORS, readColors } from '#test/factories/database/former-colors.ts'
import { addFormerNames, NEW_NAMES, readNames } from '#test/factories/database/former-names.ts'
import { makeArchive, makeHome, restoreInto, seal } from '#test/factories/installation/backups.ts'
import { readCatalog } from '#test/harness/catalog.ts'

/** The 54 migrations that 0001 to 0014 replaced, unchanged. */
const FOLDER = join(import.meta.dirname, '../../fixtures/former-migrations')

let old: TestDatabase
beforeAll(async () => {
  old = await emptyDatabase()
  await withOwner(old.connection, async (owner) => {
    await runFormer(owner)
    await owner.query("insert into customers (name) values ('Old Motors')")
    await owner.query("insert into organizations (customer_id, name) select id, 'Old Ford' from customers")
    await owner.query(
      "insert into lots (customer_id, organization_id, code, name, dealer_ids) select customer_id, id, 'OLD', 'Old lot', '{D1}' from organizations",
    )
    await addFormerColors(owner)
    await addFormerNames(owner)
  })
  await seal(old)
}, 60_000)
afterAll(() => old.drop())

/** Runs the former migrations as an earlier version did. */
async function runFormer(owner: pg.Client): Promise<void> {
  await owner.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const name of (await readdir(FOLDER)).toSorted()) {
    const text = await readFile(join(FOLDER, name), 'utf8')
    await owner.query(text)
    const checksum = createHash('sha256').update(text).digest('hex')
    await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
}

/** Runs with another database and drops it. */
async function within<Result>(work: (database: TestDatabase) => Promise<Result>): Promise<Result> {
  const database = await emptyDatabase()
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

const LOT = `select l.code, l.name, l.dealer_ids, d.dealer_key, o.name as organization, c.name as customer
  from lots l join organizations o on o.id = l.organization_id join customers c on c.id = l.customer_id
  join lot_dealer_ids d on d.lot_id = l.id`
const OLD_LOT = {
  code: 'OLD',
  name: 'Old lot',
  dealer_ids: ['D1'],
  dealer_key: 'd1',
  organization: 'Old Ford',
  customer: 'Old Motors',
}

test('the replacements create exactly what the former migrations created', async () => {
  const names = former.map(({ name }) => name)
  const replaced = await within(({ connection }) =>
    withOwner(connection, async (owner) => {
      await owner.query('begin')
      await migrateEmpty(owner, names)
      await owner.query('commit')
      return readCatalog(owner)
    }),
  )
  const before = await withOwner(old.connection, readCatalog)
  expect(replaced.length).toBeGreaterThan(1_500)
  expect(replaced).toEqual(before)
})

test('restores a backup that was made with the former migrations', async () => {
  const place = await makeHome()
  const { path } = await makeArchive(old, place.home)
  await within(async (target) => {
    const { home, remove } = await makeHome()
    await restoreInto(target, home, path)
    const restored = await withOwner(target.connection, async (owner) => ({
      rows: (await owner.query<typeof OLD_LOT>(LOT)).rows,
      colors: await readColors(owner),
      names: await readNames(owner),
      pending: await pendingMigrations(owner),
    }))
    await remove()
    expect(restored).toEqual({ rows: [OLD_LOT], colors: NEW_COLORS, names: NEW_NAMES, pending: [] })
  })
  await place.remove()
})

test('refuses a database with some of the former migrations, or with an edited one, and changes nothing', async () => {
  await withOwner(old.connection, async (owner) => {
    await owner.query('begin')
    await owner.query("delete from schema_migrations where name = '0060-schedules.sql'")
    await expect(pendingMigrations(owner)).rejects.toThrow(
      'The database has 53 of the 54 migrations of earlier versions. Start the version with migration 0060-schedules.sql once, which runs the rest, then this one.',
    )
    await owner.query('rollback')
    await owner.query('begin')
    await owner.query("update schema_migrations set checksum = 'x' where name = '0005-lots.sql'")
    await expect(pendingMigrations(owner)).rejects.toThrow('Migration 0005-lots.sql was edited after it ran.')
    await owner.query('rollback')
  })
})

test('upgrades a database with the former migrations and keeps its data', async () => {
  await withOwner(old.connection, async (owner) => {
    const migrations = (await readMigrations()).map(({ name }) => name)
    expect(await pendingMigrations(owner)).toEqual(migrations)
    expect(await migrate(owner, old.login.user)).toEqual(migrations.slice(14))
    expect(await pendingMigrations(owner)).toEqual([])
    expect((await owner.query<typeof OLD_LOT>(LOT)).rows).toEqual([OLD_LOT])
    expect(await readColors(owner)).toEqual(NEW_COLORS)
    expect(await readNames(owner)).toEqual(NEW_NAMES)
    const fresh = await within(({ connection, login }) =>
      withOwner(connection, async (other) => {
        await migrate(other, login.user)
        return readCatalog(other)
      }),
    )
    expect(await readCatalog(owner)).toEqual(fresh)
  })
})
