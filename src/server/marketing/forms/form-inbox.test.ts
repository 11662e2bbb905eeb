import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { DatabaseAway } from '#server/database/database-watch.ts'
import { openFormInbox, type WaitingForm } from './form-inbox.ts'

let folder = ''
let errors: unknown[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-inbox-'))
  errors = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (limits?: { total: number; customer: number }) =>
  openFormInbox(folder, { ...(limits && { limits }), onError: (error) => void errors.push(error) })
const formOf = (key: string, customerId = '1'): WaitingForm => ({
  site: {
    customerId,
    host: 'cars.example',
    title: 'Cars',
    logo: null,
    favicon: null,
    footer: '',
    brand: '#000000',
  },
  key,
  receivedAt: clock.now(),
  senderAddress: '192.0.2.1',
  token: { number: 1, openedAt: 0, sentKey: 'k' },
  isProven: false,
  fields: [['name', 'Ann']],
  files: [],
  refused: [],
})

test('forms survive the end of the process, readable by no one else, and are handed over in order', async () => {
  const first = await open()
  for (const key of ['a', 'b', 'c']) {
    await first.add(formOf(key))
    clock.advance(1)
  }
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  await writeFile(join(folder, 'half.json.1-ab.draft'), '{"si')
  const second = await open()
  expect(second.size()).toBe(3)
  const seen: string[] = []
  await second.ingest(async ({ key }) => void seen.push(key))
  expect([seen, second.size(), await readdir(folder)]).toEqual([['a', 'b', 'c'], 0, []])
})

test('a form is handed over again if the database is away, or the process ends before it is removed', async () => {
  const inbox = await open()
  await inbox.add(formOf('a'))
  let attempts = 0
  await inbox.ingest(() => {
    attempts += 1
    return Promise.reject(new DatabaseAway())
  })
  await inbox.ingest(async () => void (attempts += 1))
  expect([attempts, inbox.size(), errors]).toEqual([2, 0, []])
})

test('a form that cannot be stored stays, is reported, and does not hold up others', async () => {
  const inbox = await open()
  await inbox.add(formOf('broken'))
  await inbox.add(formOf('good'))
  const seen: string[] = []
  const store = async ({ key }: WaitingForm): Promise<void> => {
    seen.push(key)
    if (key === 'broken') throw new Error('a bug')
  }
  await inbox.ingest(store)
  await inbox.ingest(store)
  expect([seen.toSorted(), inbox.size()]).toEqual([['broken', 'good'], 1])
  expect(errors).toMatchObject([{ message: expect.stringContaining('could not be stored and stays in') }])
  clock.advance(6_000)
  await inbox.ingest(async () => {})
  expect(inbox.size()).toBe(0)
})

test('a customer has a share of the space', async () => {
  const inbox = await open({ total: 3_000, customer: 1_000 })
  await inbox.add(formOf('a'))
  expect([inbox.hasRoom('1', 100), inbox.hasRoom('1', 900), inbox.hasRoom('2', 900)]).toEqual([
    true,
    false,
    true,
  ])
  expect(inbox.hasRoom('2', 2_900)).toBe(false)
})
