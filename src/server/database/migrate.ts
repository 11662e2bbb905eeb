import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './schema.ts'

const folder = join(import.meta.dirname, '../../../migrations')
/** An arbitrary number. All copies of the product use the same lock. */
const MIGRATION_LOCK = 7_204_118

type Migration = { name: string; sql: string; checksum: string }

/** The migrations of this version, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, sql: text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * The migrations that have not run on this database, oldest first.
 * @throws Error if the database is newer than this version, or a migration was edited after it ran.
 */
export async function pendingMigrations(owner: pg.Client): Promise<string[]> {
  const { pending } = await compare(owner)
  return pending.map((migration) => migration.name)
}

/** Like `pendingMigrations`, but read-only. Returns all migrations for a new database. */
export async function listPending(owner: pg.Client): Promise<string[]> {
  const { rows: tables } = await owner.query(
    "select from pg_class where oid = to_regclass('public.schema_migrations')",
  )
  const applied =
    tables.length === 0
      ? []
      : (
          await owner.query<{ name: string; checksum: string }>(
            'select name, checksum from public.schema_migrations',
          )
        ).rows
  return (await findPending(applied)).map(({ name }) => name)
}

/**
 * Runs the pending migrations, each in its own transaction, under one lock: copies that start together wait for each
 * other. Then grants the product's roles to `loginRole`.
 */
export async function migrate(owner: pg.Client, loginRole: string): Promise<string[]> {
  await takeMigrationLock(owner)
  try {
    const { pending } = await compare(owner)
    for (const migration of pending) {
      await owner.query('begin')
      try {
        await apply(owner, migration)
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

/**
 * Runs the given migrations on an empty database in the open transaction of `owner`, for a restore. The lock ends with
 * the transaction.
 */
export async function migrateEmpty(owner: pg.Client, names: readonly string[]): Promise<void> {
  await owner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await owner.query(CREATE_MIGRATIONS_TABLE)
  for (const migration of await readMigrations())
    if (names.includes(migration.name)) await apply(owner, migration)
}

/** This table lists the migrations that have run. */
const CREATE_MIGRATIONS_TABLE = `create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`

async function apply(owner: pg.Client, { name, sql: text, checksum }: Migration): Promise<void> {
  await owner.query(text)
  await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

/** Waits up to a minute for another copy that is migrating. */
async function takeMigrationLock(owner: pg.Client): Promise<void> {
  await owner.query("set lock_timeout = '60s'")
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  } catch (error) {
    throw new Error(
      'Another copy of Forecourt is still migrating this database after a minute. Try again later.',
      {
        cause: error,
      },
    )
  }
}

/** Lists pending migrations for a role that can only read the migrations table. The files are read once. */
export function lackingMigrations(): (db: Kysely<DB>) => Promise<string[]> {
  let known: Promise<Migration[]> | null = null
  return async (db) => {
    const migrations = await (known ??= readMigrations())
    const { rows } = await sql<{ name: string }>`select name from public.schema_migrations`.execute(db)
    const applied = new Set(rows.map(({ name }) => name))
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
  }
}

async function compare(owner: pg.Client): Promise<{ pending: Migration[] }> {
  await owner.query(CREATE_MIGRATIONS_TABLE)
  const { rows: applied } = await owner.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  return { pending: await findPending(applied) }
}

/**
 * The migrations that are not among the applied ones.
 * @throws Error if an applied migration is unknown, or its checksum differs.
 */
export async function findPending(
  applied: readonly { name: string; checksum: string }[],
): Promise<Migration[]> {
  const migrations = await readMigrations()
  for (const { name, checksum } of applied) {
    const known = migrations.find((migration) => migration.name === name)
    if (known === undefined) {
      throw new Error(
        `The database is newer than this version of Forecourt: it has migration ${name}. Start the newer version.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was edited after it ran. Restore the file and write a new migration instead.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}
