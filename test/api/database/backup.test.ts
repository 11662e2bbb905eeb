import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { refuseUnfinishedRestore } from '#server/backup/home-files.ts'
import { openOwner } from '#server/database/connect.ts'
import { migrateEmpty, readMigrations } from '#server/database/migrate.ts'
import { withOwner } from '#server/database/open-database.ts'
import { takeLock } from '#server/installation/lock.ts'
import { testApp } from '#test/app.ts'
import { makeArchive, makeHome, putFile, restoreInto, seal } from '#test/factories/installation/backups.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { readWhole, type WholeDatabase } from '#test/harness/whole-database.ts'

const ODD = 'Tab\there, \\N and \\. and "quotes"\nnew line, é, 漢字, 🚗, \u00a0, \\t'
const LEFT_DRAFT = 'killed.tar.gz.other-host.1.draft'
const picture = randomBytes(300_000)

let source: TestDatabase
let place: Awaited<ReturnType<typeof makeHome>>
let archive = ''
let before: WholeDatabase
/** Another installation with the restored archive, and the errors of earlier attempts. */
let restored: { target: TestDatabase; home: string; remove: () => Promise<void>; errors: string[] }

beforeAll(async () => {
  source = await freshDatabase()
  place = await makeHome()
  await seal(source)
  const forecourt = await testApp({}, { database: source })
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { id } = await admin.call(lots.add, { code: 'ODD', name: 'Odd \\N 漢字 🚗' })
  await admin.call(lots.change, { selection: { ids: [id] }, change: { isPublic: false } })
  await forecourt.jobs.runDue()
  await forecourt.close({ keepsDatabase: true })
  await withOwner(source.connection, async (owner) => {
    await owner.query('update lots set address = $1 where id = $2', [ODD, id])
    await owner.query(
      "update vehicles set in_stock_on = '0044-03-15 BC' where id = (select min(id) from vehicles)",
    )
    await owner.query(
      "update vehicles set in_stock_on = 'infinity' where id = (select max(id) from vehicles)",
    )
    await owner.query(
      'insert into job_file_parts (customer_id, job_id, part, bytes) select customer_id, id, 0, $1 from jobs limit 1',
      [randomBytes(5_000_000)],
    )
  })
  await putFile(place.home, 'a/picture.jpg', picture)
  await putFile(place.home, `a/${'long name '.repeat(20)}é.txt`, Buffer.from('x'))
  await putFile(place.home, 'empty', Buffer.alloc(0))
  before = await readWhole(source.connection)
  // What a backup leaves that was killed on another machine.
  await writeFile(join(place.home, LEFT_DRAFT), 'half')
  await utimes(join(place.home, LEFT_DRAFT), 1, 1)
  archive = (await makeArchive(source, place.home)).path
  restored = await restoreOnce()
}, 60_000)

afterAll(async () => {
  await source.drop()
  await place.remove()
  await restored.target.drop()
  await restored.remove()
})

/** Attempts a restore while the database and the home are in use, then restores. */
async function restoreOnce(): Promise<typeof restored> {
  const target = await emptyDatabase()
  const { home, remove } = await makeHome()
  await putFile(home, 'old', Buffer.from('old'))
  const errors: string[] = []
  const attempt = () =>
    restoreInto(target, home, archive).catch((error: unknown) => errors.push(String(error)))
  const other = openOwner(target.connection)
  await other.connect()
  await attempt()
  await other.end()
  const lock = await takeLock(home)
  await attempt()
  await lock.release()
  await restoreInto(target, home, archive)
  return { target, home, remove, errors }
}

/** Runs with an empty database and a separate home, and removes both. */
async function within(
  work: (target: TestDatabase, home: string) => Promise<void>,
  make = emptyDatabase,
): Promise<void> {
  const target = await make()
  const { home, remove } = await makeHome()
  try {
    await work(target, home)
  } finally {
    await target.drop()
    await remove()
  }
}

test('a backup removes the drafts of killed ones beside it', async () => {
  expect((await readdir(place.home)).filter((name) => name.endsWith('.draft'))).toEqual([])
})

const INSTALLATION = '"iam"."installation"'
const RESTORED_AT = '"2026-11-21 15:30:00+00"'
/** Without the mark of a restored copy. */
const unmarked = (database: WholeDatabase): WholeDatabase => ({
  ...database,
  [INSTALLATION]: (database[INSTALLATION] ?? []).map((row) => row.replace(RESTORED_AT, '')),
})

test('restores every row, sequence, foreign key and trigger', async () => {
  const after = await readWhole(restored.target.connection)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  for (const [name, rows] of Object.entries(unmarked(before)))
    expect({ name, rows: unmarked(after)[name] }).toEqual({ name, rows })
  // A restored copy is marked, so that it sends nothing.
  expect(before[INSTALLATION]?.join()).not.toContain(RESTORED_AT)
  expect(after[INSTALLATION]?.join()).toContain(RESTORED_AT)
  expect(before['"public"."jobs"']?.length).toBeGreaterThan(0)
  expect(before['"public"."audit_log"']?.length).toBeGreaterThan(10)
  expect(before['"public"."vehicles"']?.some((row) => row.includes('BC'))).toBe(true)
})

test('after a restore, users sign in with the same password and new rows get new IDs', async () => {
  const forecourt = await testApp({}, { database: restored.target })
  try {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { results } = await admin.call(lots.list, { search: 'odd' })
    expect(results.map(({ address }) => address)).toContain(ODD)
    const added = await admin.call(lots.add, { code: 'NEW', name: 'After the restore' })
    expect(Number(added.id)).toBeGreaterThan(Math.max(...results.map(({ id }) => Number(id))))
  } finally {
    await forecourt.close({ keepsDatabase: true })
  }
})

test('restores the files byte for byte and keeps the previous ones', async () => {
  const { home } = restored
  expect(await readFile(join(home, 'files/a/picture.jpg'))).toEqual(picture)
  expect((await readdir(join(home, 'files'), { recursive: true })).toSorted()).toEqual(
    ['a', 'a/picture.jpg', `a/${'long name '.repeat(20)}é.txt`, 'empty'].toSorted(),
  )
  const kept = (await readdir(home)).find((name) => name.startsWith('files-before-restore-')) ?? ''
  expect(await readdir(join(home, kept))).toEqual(['old'])
  await refuseUnfinishedRestore(home)
})

test('an archive is readable only by its owner and is never overwritten', { tags: 'release' }, async () => {
  expect((await stat(archive)).mode & 0o777).toBe(0o600)
  await expect(makeArchive(source, place.home)).rejects.toThrow('already exists')
  expect((await readdir(place.home)).filter((name) => name.endsWith('.draft'))).toEqual([])
})

test('rejects a database with an installation, and replaces it only on request', () =>
  within(async (target, home) => {
    const untouched = await readWhole(target.connection)
    await expect(restoreInto(target, home, archive)).rejects.toThrow(
      /contains an installation with \d+ customers/,
    )
    expect(await readWhole(target.connection)).toEqual(untouched)
    await restoreInto(target, home, archive, { isReplacing: true })
    expect(unmarked(await readWhole(target.connection))).toEqual(unmarked(before))
  }, freshDatabase))

test('rejects a database of another application, even with --replace', { tags: 'release' }, () =>
  within(async (target, home) => {
    await withOwner(target.connection, (owner) => owner.query('create table recipes (id int)'))
    await expect(restoreInto(target, home, archive, { isReplacing: true })).rejects.toThrow('public.recipes')
  }),
)

test('rejects a restore while the product uses the database or the home', () => {
  expect(restored.errors).toEqual([
    expect.stringContaining('Stop all copies'),
    expect.stringContaining('already running'),
  ])
})

test('reports an interrupted restore before anything starts', { tags: 'release' }, () =>
  within(async (_, home) => {
    await writeFile(join(home, 'restore-unfinished'), '/mnt/a.tar.gz\n')
    await expect(refuseUnfinishedRestore(home)).rejects.toThrow('npm run restore -- --replace /mnt/a.tar.gz')
  }),
)

test('migrates an archive of an older version', { tags: 'release' }, () =>
  within(async (older, olderHome) => {
    const names = (await readMigrations()).map(({ name }) => name)
    await withOwner(older.connection, async (owner) => {
      await owner.query('begin')
      await migrateEmpty(owner, names.slice(0, 8))
      await owner.query("insert into customers (name) values ('Earlier Motors')")
      await owner.query('commit')
    })
    const old = await makeArchive(older, olderHome)
    await within(async (target, home) => {
      await restoreInto(target, home, old.path)
      const { rows } = await withOwner(target.connection, (owner) =>
        owner.query(
          'select (select name from customers) as customer, count(*)::int as migrations from schema_migrations',
        ),
      )
      expect(rows).toEqual([{ customer: 'Earlier Motors', migrations: names.length }])
    })
  }),
)

test('includes the secret only with a backup key, and restores it to the home', { tags: 'release' }, () =>
  within(async (target, home) => {
    const sealed = await makeArchive(source, home, {
      name: 'sealed.tar.gz',
      backupKey: 'correct horse battery',
    })
    expect(JSON.stringify(sealed.manifest)).not.toContain(TEST_SECRET)
    const into = (path: string, backupKey: string | null) =>
      restoreInto(target, home, path, { secret: null, backupKey })
    await expect(into(archive, 'correct horse battery')).rejects.toThrow('does not include the secret')
    await expect(into(sealed.path, null)).rejects.toThrow('Set FORECOURT_BACKUP_KEY')
    await expect(into(sealed.path, 'another horse battery')).rejects.toThrow('is not the key')
    await expect(restoreInto(target, home, archive, { secret: 'quite-another-secret-here' })).rejects.toThrow(
      'FORECOURT_SECRET is not the secret',
    )
    await into(sealed.path, 'correct horse battery')
    expect((await readFile(join(home, 'secret'), 'utf8')).trim()).toBe(TEST_SECRET)
    await rm(join(home, 'secret'))
  }),
)
