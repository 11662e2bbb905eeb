import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './setup-lock.mjs'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('work under one lock is done one after the other', async () => {
  const lock = join(folder, 'dist', 'setup.lock')
  const events = []
  const work = (name) => async () => {
    events.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    events.push(`${name} ends`)
  }
  await Promise.all([withLock(lock, work('one')), withLock(lock, work('two'))])
  const [first, second] = events[0] === 'one starts' ? ['one', 'two'] : ['two', 'one']
  expect(events).toEqual([`${first} starts`, `${first} ends`, `${second} starts`, `${second} ends`])
  expect(await readdir(join(folder, 'dist'))).toEqual([])
})

test('the lock of a process that was killed is taken over', async () => {
  const killed = spawn(process.execPath, ['-e', ''])
  await once(killed, 'exit')
  const lock = join(folder, 'setup.lock')
  await writeFile(lock, `${killed.pid} 1`)
  let isDone = false
  await withLock(lock, async () => (isDone = true))
  expect(isDone).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('a lock that was never written into is taken over', async () => {
  const lock = join(folder, 'setup.lock')
  await writeFile(lock, '')
  await utimes(lock, 0, 0)
  let isDone = false
  await withLock(lock, async () => (isDone = true))
  expect(isDone).toBe(true)
})
