import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlreadyRunning, takeLock } from './lock.ts'
import { identifyProcess } from './running-process.ts'

let folder = ''
let home = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-lock-'))
  home = join(folder, 'home')
})
afterEach(() => rm(folder, { recursive: true }))

const lockFile = () => join(home, 'forecourt.lock')

async function countWinners(claims: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(claims)
  const losers = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(losers.filter((loser) => !(loser.reason instanceof AlreadyRunning))).toEqual([])
  return outcomes.length - losers.length
}

test('creates the home folder for its owner only', async () => {
  const lock = await takeLock(home)
  expect((await stat(home)).mode & 0o777).toBe(0o700)
  expect((await stat(lockFile())).mode & 0o777).toBe(0o600)
  await lock.release()
  expect(await readdir(home)).toEqual([])
})

test('a second start is rejected with the process and folder', async () => {
  const lock = await takeLock(home)
  await expect(takeLock(home)).rejects.toThrow(`already running in ${home} (process ${process.pid})`)
  await lock.release()
  await (await takeLock(home)).release()
})

test('takes over the lock of a dead process', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  await takeLock(home)
  expect(await readFile(lockFile(), 'utf8')).toContain(`${process.pid} `)
})

test('takes over the lock of an earlier process whose PID was reused', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), `${process.pid} earlier-boot/1 abc\n`)
  await expect(takeLock(home)).resolves.toBeDefined()
})

test('takes over an empty lock file, as after a power failure', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '')
  await expect(takeLock(home)).resolves.toBeDefined()
})

test('is not blocked by the guard file of a takeover that was killed', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  await writeFile(`${lockFile()}.takeover`, '4194001 some-boot/18 abc\n')
  expect(await countWinners(Array.from({ length: 4 }, () => takeLock(home)))).toBe(1)
  expect(await readdir(home)).toEqual(['forecourt.lock'])
})

test('only one of many starts takes over a stale lock', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  expect(await countWinners(Array.from({ length: 12 }, () => takeLock(home)))).toBe(1)
})

test('release does not remove the lock of a successor', async () => {
  const lock = await takeLock(home)
  await writeFile(lockFile(), '1 other/1 abc\n')
  await lock.release()
  expect(await readFile(lockFile(), 'utf8')).toBe('1 other/1 abc\n')
})

test('a process has a constant identity while it runs, and none afterwards', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const mark = await identifyProcess(pid)
  expect(mark).not.toBeNull()
  expect(await identifyProcess(pid)).toBe(mark)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await identifyProcess(pid)).toBeNull()
})
