import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sameFiles } from '#contract/files/same-files.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'

const FILES = 1_000_000
const MOST_MS = 1_000

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await forecourt.owner.query('alter table media_contents disable trigger repeated')
  await forecourt.owner.query(
    `insert into media_contents (customer_id, folder, name, bytes, version, content)
     select (select customer_id from organizations where name = 'Northgate Ford'), 'Folder ' || n % 1000, n::text, n, 'none',
       encode(sha256(n::text::bytea), 'hex') from generate_series(1, $1::int) n`,
    [FILES],
  )
  await forecourt.owner.query('alter table media_contents enable trigger repeated')
  await forecourt.owner.query('analyze media_contents')
}, 300_000)
afterAll(() => forecourt.close())

test('among a million files, duplicates are found, listed and deleted in less than a second', async () => {
  const path = await ownFolder(admin)
  const bytes = randomUUID()
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work()
    expect(performance.now() - begun).toBeLessThan(MOST_MS)
    return result
  }
  const send = (name: string, fields: Record<string, string> = {}) =>
    timed(() => sendFiles(forecourt, admin, { path, ...fields }, [{ name, bytes }]))
  expect((await send('a.txt', { askIfSame: 'true' })).status).toBe(200)
  expect((await send('b.txt', { askIfSame: 'true' })).status).toBe(409)
  expect((await send('b.txt')).status).toBe(200)
  const { groups } = await timed(() => admin.call(sameFiles.list, {}))
  expect(groups.map(({ total }) => total)).toEqual([2])
  const { deleted, undo } = await timed(() => admin.call(sameFiles.remove, { paths: [`${path}/b.txt`] }))
  expect(deleted).toHaveLength(1)
  await timed(() => admin.call(sameFiles.restore, { undo: undo ?? '' }))
})
