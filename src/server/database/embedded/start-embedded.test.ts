import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntilGone } from '#server/installation/running-process.ts'
import { isServerOn } from './leftover.ts'
import { startEmbedded, type EmbeddedServer } from './start-embedded.ts'

let home = ''
let said: string[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-pg-'))
  said = []
})
afterEach(() => rm(home, { recursive: true }))

const start = () => startEmbedded({ home, settings: { fsync: false }, say: (line) => said.push(line) })

async function ask(server: EmbeddedServer, statement: string): Promise<unknown[]> {
  const client = new Client({ ...server.connection, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function serverPid(): Promise<number> {
  return Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

test('the data survive a stop, a cold copy and a start; only the first start is fresh', async () => {
  const first = await start()
  expect(first.isFresh).toBe(true)
  await ask(first, 'create table kept as select 7 as answer')
  const copy = await first.coldCopy('before-0002')
  expect(await ask(first, 'select answer from kept')).toEqual([{ answer: 7 }])
  await first.stop()
  expect(await readdir(join(home, 'backups'))).toEqual([copy.split('/').at(-1)])

  const second = await start()
  expect(second.isFresh).toBe(false)
  expect(await ask(second, 'select answer from kept')).toEqual([{ answer: 7 }])
  await second.stop()
  expect(said).toEqual([])
})

test('a server that a killed application left behind is stopped, one that never was is forgotten', async () => {
  const left = await start()
  const reasons: string[] = []
  left.onExit((reason) => reasons.push(reason))
  const pid = await serverPid()
  const next = await start()
  expect(said).toEqual([`Stopping the database server that an earlier run left behind (process ${pid}).`])
  expect(reasons).toEqual(['ended with code 0'])
  await next.stop()

  // The number of a living process that is no PostgreSQL, as after a power cut.
  await writeFile(join(home, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(home, 'postgres')}\n`)
  expect(await isServerOn(process.pid, join(home, 'postgres'))).toBe(false)
  await (await start()).stop()
})

test('what a killed first start left half-made is made again', async () => {
  await mkdir(join(home, 'postgres-making-1', 'data'), { recursive: true })
  const server = await start()
  expect(server.isFresh).toBe(true)
  await server.stop()
  expect(await readdir(home)).toEqual(['postgres', 'postgres-password', 'postgres.log'])
})

test('a server that was shot down recovers at the next start', async () => {
  const server = await start()
  const pid = await serverPid()
  process.kill(pid, 'SIGQUIT')
  await waitUntilGone(pid, 5_000)
  await server.stop()
  const again = await start()
  expect(await ask(again, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await again.stop()
})

test('lost passwords and foreign folders are refused with a sentence', async () => {
  await mkdir(join(home, 'postgres'))
  await expect(start()).rejects.toThrow('no PostgreSQL data is in it')
  await rm(join(home, 'postgres'), { recursive: true })
  await (await start()).stop()
  await rm(join(home, 'postgres-password'))
  await expect(start()).rejects.toThrow('postgres-password is missing')
  await writeFile(join(home, 'postgres-password'), 'x'.repeat(43))
  await chmod(join(home, 'postgres-password'), 0o600)
  await expect(start()).rejects.toThrow('is not the one of these data')
})
