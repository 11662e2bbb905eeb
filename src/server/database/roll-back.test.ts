import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '#server/environment.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { openDatabase, withOwner } from './open-database.ts'
import { rollBack } from './roll-back.ts'

const OLD = '2026-11-20T08-00-00-000Z-before-migration'
const NEW = '2026-11-21T08-00-00-000Z-before-migration'
const NOW = new Date('2026-11-23T10:20:30Z')
const KEPT = 'postgres-before-rollback-2026-11-23T10-20-30-000Z'

let home = ''
const say = () => {}
const settings = () => readSettings({ FORECOURT_HOME: home })

/** An up-to-date database. Its copies differ by a word in an extra table. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-rollback-'))
  const database = await openDatabase(settings(), say)
  await withOwner(database.owner, async (client) => {
    await client.query(`create table word as select 'before' as word`)
    await client.query(`insert into iam.installation (install_id, key_check_sealed) values ('test', 'x')`)
  })
  await database.stop()
  await mkdir(join(home, 'backups'))
  for (const name of [OLD, NEW])
    await cp(join(home, 'postgres'), join(home, 'backups', name), { recursive: true })
  await write('after')
}, 60_000)
afterAll(() => rm(home, { recursive: true }))

async function query(statement: string): Promise<{ word: string }[]> {
  const server = await startEmbedded({ home, settings: { fsync: false }, say })
  try {
    const owner = { ...server.connection, database: 'forecourt' }
    return await withOwner(owner, async (client) => (await client.query<{ word: string }>(statement)).rows)
  } finally {
    await server.stop()
  }
}
const write = (word: string) => query(`update word set word = '${word}'`)
const read = async () => (await query('select word from word'))[0]?.word

const roll = (copy: string | null = null, more: Record<string, string> = {}) =>
  rollBack({
    settings: { ...settings(), ...readSettings({ FORECOURT_HOME: home, ...more }) },
    copy,
    now: NOW,
    say,
  })

test('rolls back an upgrade and keeps the newer data; rejected calls change nothing', async () => {
  await expect(roll('2026-11-22T08-00-00-000Z-before-migration')).rejects.toThrow(
    `There is no copy named 2026-11-22T08-00-00-000Z-before-migration. Available copies: ${NEW}, ${OLD}.`,
  )
  await expect(roll(null, { DATABASE_URL: 'postgres://a:b@host/db' })).rejects.toThrow('on your own server')
  expect(await read()).toBe('after')

  expect(await roll()).toEqual({ copy: NEW, kept: join(home, KEPT) })
  // What waited in the copy may have been sent since.
  expect(await query('select restored_at::text as word from iam.installation')).toEqual([
    { word: expect.stringContaining('2026-11-23 10:20:30') },
  ])
  expect(await read()).toBe('before')
  await write('later')
  await rm(join(home, KEPT), { recursive: true })

  // Make the newest copy one from an older version.
  const aside = join(home, 'aside')
  await rename(join(home, 'postgres'), aside)
  await cp(join(home, 'backups', NEW), join(home, 'postgres'), { recursive: true })
  await query(`delete from schema_migrations where name = (select max(name) from schema_migrations)`)
  await rm(join(home, 'backups', NEW), { recursive: true })
  await rename(join(home, 'postgres'), join(home, 'backups', NEW))
  await rename(aside, join(home, 'postgres'))
  await expect(roll()).rejects.toThrow(
    /would migrate that database again \(pending migrations: 1, starting with/,
  )
  expect(await read()).toBe('later')
  expect((await readdir(home)).filter((name) => name.startsWith('postgres-'))).toEqual(['postgres-password'])
}, 60_000)

test('a rollback killed between its two renames leaves the database unchanged', async () => {
  await write('still')
  const data = join(home, 'postgres')
  await writeFile(join(home, 'rollback-unfinished'), `${data}\n${join(home, KEPT)}\n`)
  await rename(data, join(home, KEPT))
  expect(await read()).toBe('still')
  expect((await readdir(home)).filter((name) => name.includes('rollback'))).toEqual([])
}, 60_000)
