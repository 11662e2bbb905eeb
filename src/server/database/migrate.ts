import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import former from './former-migrations.json' with { type: 'json' }
import type { DB } from './schema.ts'

const folder = join(import.meta.dirname, '../../../migrations')
/** An arbitrary number. All copies of the product use the same lock. */
const MIGRATION_LOCK = 7_204_118

type Migration = { name: string; sql: string; checksum: string }
type Applied = { name: string; checksum: string }

/**
 * The last of the migrations that replaced the ones in former-migrations.json: 0001 to this one create exactly the same
 * tables, functions and permissions.
 */
const LAST_REPLACEMENT = '0014-carbon-calculation.sql'

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
      : (await owner.query<Applied>('select name, checksum from public.schema_migrations')).rows
  return (await findPending(applied)).map(({ name }) => name)
}

/**
 * Runs the pending migrations, each in its own transaction, under one lock: copies that start together wait for each
 * other. Then grants the product's roles to `loginRole`. A database that has exactly the former migrations first gets the
 * names of their replacements, in one transaction.
 */
export async function migrate(owner: pg.Client, loginRole: string): Promise<string[]> {
  await takeMigrationLock(owner)
  try {
    await replaceFormerNames(owner)
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
  const migrations = await readMigrations()
  const isFormer = names.includes(former.at(-1)?.name ?? '')
  for (const migration of migrations)
    if (isFormer ? migration.name <= LAST_REPLACEMENT : names.includes(migration.name))
      await apply(owner, migration)
}

/** Records the replacements in place of the former migrations, if the database has exactly those. */
async function replaceFormerNames(owner: pg.Client): Promise<void> {
  await owner.query(CREATE_MIGRATIONS_TABLE)
  const migrations = await readMigrations()
  if (!isFormerSet(await readApplied(owner), migrations)) return
  const replacements = migrations.filter(({ name }) => name <= LAST_REPLACEMENT)
  await owner.query('begin')
  try {
    await owner.query('delete from schema_migrations')
    for (const { name, checksum } of replacements)
      await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

/**
 * Whether these are exactly the former migrations.
 * @throws Error if only some of them ran, or one was edited.
 */
function isFormerSet(applied: readonly Applied[], migrations: readonly Migration[]): boolean {
  const names = new Set(applied.map(({ name }) => name))
  const found = former.filter(({ name }) => names.has(name))
  // Some of the replacements have the name of a former one.
  if (found.every(({ name }) => migrations.some((one) => one.name === name))) return false
  for (const { name, checksum } of found)
    if (applied.some((one) => one.name === name && one.checksum !== checksum)) throw wasEdited(name)
  if (found.length === former.length) return found.length === applied.length
  throw new Error(
    `The database has ${found.length} of the ${former.length} migrations of earlier versions. Start the version with migration ${former.at(-1)?.name} once, which runs the rest, then this one.`,
  )
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
  return { pending: await findPending(await readApplied(owner)) }
}

async function readApplied(owner: pg.Client): Promise<Applied[]> {
  const { rows } = await owner.query<Applied>(
    'select name, checksum from public.schema_migrations order by name',
  )
  return rows
}

const wasEdited = (name: string): Error =>
  new Error(`Migration ${name} was edited after it ran. Restore the file and write a new migration instead.`)

/**
 * The migrations that are not among the applied ones. All of them if the applied ones are the former migrations.
 * @throws Error if an applied migration is unknown, or its checksum differs.
 */
export async function findPending(applied: readonly Applied[]): Promise<Migration[]> {
  const migrations = await readMigrations()
  if (isFormerSet(applied, migrations)) return migrations
  for (const { name, checksum } of applied) {
    const known = migrations.find((migration) => migration.name === name)
    if (known === undefined) {
      throw new Error(
        `The database is newer than this version of Forecourt: it has migration ${name}. Start the newer version.`,
      )
    }
    if (known.checksum !== checksum) throw wasEdited(name)
  }
  const done = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}
