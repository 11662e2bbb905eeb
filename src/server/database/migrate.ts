import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const folder = join(import.meta.dirname, '../../../migrations')
/** Any number will do, as long as every copy of the product takes the same lock. */
const MIGRATION_LOCK = 7_204_118

type Migration = { name: string; sql: string; checksum: string }

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * The migrations that this database still lacks, oldest first.
 * @throws Error when the database is newer than the code, or a landed migration was edited.
 */
export async function pendingMigrations(owner: pg.Client): Promise<string[]> {
  const { pending } = await compare(owner)
  return pending.map((migration) => migration.name)
}

/**
 * Brings the database up to the code, each migration in a transaction of its own, under one lock: copies that start
 * together wait for each other. Afterwards `loginRole` may act as the product's roles.
 */
export async function migrate(owner: pg.Client, loginRole: string): Promise<string[]> {
  await takeMigrationLock(owner)
  try {
    const { pending } = await compare(owner)
    for (const migration of pending) {
      await owner.query('begin')
      try {
        await owner.query(migration.sql)
        await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
          migration.name,
          migration.checksum,
        ])
        await owner.query('commit')
      } catch (error) {
        await owner.query('rollback')
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(`Migration ${migration.name} failed and was rolled back: ${reason}`, { cause: error })
      }
    }
    const login = owner.escapeIdentifier(loginRole)
    for (const role of ['forecourt_app', 'forecourt_iam', 'forecourt_jobs']) {
      const { rows } = await owner.query<{ is_member: boolean }>(
        `select pg_has_role($1, $2, 'MEMBER') is_member`,
        [loginRole, role],
      )
      if (!rows[0]?.is_member) await owner.query(`grant ${role} to ${login}`)
    }
    return pending.map((migration) => migration.name)
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }
}

/** Waits a minute for another copy that migrates, and for no longer. */
async function takeMigrationLock(owner: pg.Client): Promise<void> {
  await owner.query("set lock_timeout = '60s'")
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  } catch (error) {
    throw new Error(
      'Another copy of Forecourt has been migrating this database for a minute. Try again later.',
      {
        cause: error,
      },
    )
  }
}

async function compare(owner: pg.Client): Promise<{ pending: Migration[] }> {
  await owner.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const migrations = await readMigrations()
  const { rows: applied } = await owner.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  for (const { name, checksum } of applied) {
    const known = migrations.find((migration) => migration.name === name)
    if (known === undefined) {
      throw new Error(
        `The database is newer than this copy of Forecourt: it has migration ${name}. Start the newer copy.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it had run. Restore the file; write a new migration instead.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return { pending: migrations.filter(({ name }) => !done.has(name)) }
}
