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

test('the home folder is made for its owner alone', async () => {
  const lock = await takeLock(home)
  expect((await stat(home)).mode & 0o777).toBe(0o700)
  expect((await stat(lockFile())).mode & 0o777).toBe(0o600)
  await lock.release()
  expect(await readdir(home)).toEqual([])
})

test('a second start is told which process holds which folder', async () => {
  const lock = await takeLock(home)
  await expect(takeLock(home)).rejects.toThrow(`already running in ${home} (process ${process.pid})`)
  await lock.release()
  await (await takeLock(home)).release()
})

test('the lock of a dead process is taken over', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  await takeLock(home)
  expect(await readFile(lockFile(), 'utf8')).toContain(`${process.pid} `)
})

test('the lock of an earlier process with the number of a living one is taken over', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), `${process.pid} earlier-boot/1 abc\n`)
  await expect(takeLock(home)).resolves.toBeDefined()
})

test('an empty lock file, as a power cut may leave it, is taken over', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '')
  await expect(takeLock(home)).resolves.toBeDefined()
})

test('a guard left by a start that was killed while taking over does not block', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  await writeFile(`${lockFile()}.takeover`, '4194001 some-boot/18 abc\n')
  expect(await countWinners(Array.from({ length: 4 }, () => takeLock(home)))).toBe(1)
  expect(await readdir(home)).toEqual(['forecourt.lock'])
})

test('of many that find the same stale lock one gets it', async () => {
  await (await takeLock(home)).release()
  await writeFile(lockFile(), '4194000 some-boot/17 abc\n')
  expect(await countWinners(Array.from({ length: 12 }, () => takeLock(home)))).toBe(1)
})

test('releasing leaves the lock of a successor alone', async () => {
  const lock = await takeLock(home)
  await writeFile(lockFile(), '1 other/1 abc\n')
  await lock.release()
  expect(await readFile(lockFile(), 'utf8')).toBe('1 other/1 abc\n')
})

test('a process has one mark while it lives and none after', async () => {
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
