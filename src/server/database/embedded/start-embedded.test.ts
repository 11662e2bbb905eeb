import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntilGone } from '#server/installation/running-process.ts'
import { isServerOn } from './leftover.ts'
import { startEmbedded, type EmbeddedServer } from './start-embedded.ts'

let home = ''
let lines: string[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-pg-'))
  lines = []
})
afterEach(() => rm(home, { recursive: true }))

const start = () => startEmbedded({ home, settings: { fsync: false }, say: (line) => lines.push(line) })

async function query(server: EmbeddedServer, statement: string): Promise<unknown[]> {
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

test('keeps its data through a stop, a cold copy and a start, and only the first start is fresh', async () => {
  const first = await start()
  expect(first.isFresh).toBe(true)
  await query(first, 'create table kept as select 7 as answer')
  const copy = await first.coldCopy('before-0002')
  expect(await query(first, 'select answer from kept')).toEqual([{ answer: 7 }])
  await first.stop()
  expect(await readdir(join(home, 'backups'))).toEqual([copy.split('/').at(-1)])

  const second = await start()
  expect(second.isFresh).toBe(false)
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 7 }])
  await second.stop()
  expect(lines).toEqual([])
})

test('stops a server left by a killed application, and removes a stale PID file', async () => {
  const left = await start()
  const reasons: string[] = []
  left.onExit((reason) => reasons.push(reason))
  const pid = await serverPid()
  const next = await start()
  expect(lines).toEqual([`Stopping the database server of an earlier run (process ${pid}).`])
  expect(reasons).toEqual(['exited with code 0'])
  await next.stop()

  // The PID of a running process that is not PostgreSQL, as after a power failure.
  await writeFile(join(home, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(home, 'postgres')}\n`)
  expect(await isServerOn(process.pid, join(home, 'postgres'))).toBe(false)
  await (await start()).stop()
})

test('starts over after a killed first start', async () => {
  await mkdir(join(home, 'postgres-making-1', 'data'), { recursive: true })
  const server = await start()
  expect(server.isFresh).toBe(true)
  await server.stop()
  expect(await readdir(home)).toEqual(['postgres', 'postgres-password', 'postgres.log'])
})

test('recovers a killed server at the next start', async () => {
  const server = await start()
  const pid = await serverPid()
  process.kill(pid, 'SIGQUIT')
  await waitUntilGone(pid, 5_000)
  await server.stop()
  const again = await start()
  expect(await query(again, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await again.stop()
})

test('rejects a lost password and a foreign folder with a sentence', async () => {
  await mkdir(join(home, 'postgres'))
  await expect(start()).rejects.toThrow('contains no PostgreSQL data')
  await rm(join(home, 'postgres'), { recursive: true })
  await (await start()).stop()
  await rm(join(home, 'postgres-password'))
  await expect(start()).rejects.toThrow('postgres-password is missing')
  await writeFile(join(home, 'postgres-password'), 'x'.repeat(43))
  await chmod(join(home, 'postgres-password'), 0o600)
  await expect(start()).rejects.toThrow('does not match this data')
})
