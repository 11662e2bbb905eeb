import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { files, SameContent } from '#contract/files/files.ts'
import { sameFiles, type SameFiles } from '#contract/files/same-files.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { scanMedia, sweepDeletedMedia } from '#server/files/index.ts'
import { clock } from '#server/clock.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { namesIn, ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

const container = 'media'

let forecourt: TestApp
let admin: Caller
let harbor: Caller
let parts: Parameters<typeof scanMedia>[0]
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin')
  const storage = await openFolderStorage(forecourt.filesFolder)
  parts = { storage, iam: forecourt.identity.iam, pool: forecourt.appPool }
})
afterAll(() => forecourt.close())

const Answer = z.object({ message: z.string().nullable(), preview: SameContent.optional() })

async function send(caller: Caller, fields: Record<string, string>, named: Record<string, string>) {
  const sent = Object.entries(named).map(([name, bytes]) => ({ name, bytes }))
  const { status, text } = await sendFiles(forecourt, caller, fields, sent)
  return { status, ...Answer.parse(JSON.parse(text)) }
}

/** The group with a file, if it has others. */
async function groupOf(caller: Caller, path: string): Promise<SameFiles | undefined> {
  let after: string | undefined
  for (;;) {
    const page = await caller.call(sameFiles.list, { ...(after && { after }) })
    const found = page.groups.find((group) => group.files.some((one) => one.path === path))
    if (found !== undefined || page.next === null) return found
    after = page.next
  }
}
const pathsOf = (group: SameFiles | undefined) => group?.files.map(({ path }) => path)

test('who uploads a file that the library has is told where, and decides', async () => {
  const path = await ownFolder(admin)
  const words = randomUUID()
  expect(await send(admin, { path }, { 'first.txt': words })).toMatchObject({ status: 200 })

  const asked = await send(
    admin,
    { path, askIfSame: 'true' },
    { 'second.txt': words, 'other.txt': randomUUID() },
  )
  expect(asked).toMatchObject({
    status: 409,
    message: `The media library has the same file already: ${path}/first.txt.`,
    preview: [{ name: 'second.txt', same: [{ path: `${path}/first.txt`, size: 36, type: 'text/plain' }] }],
  })
  expect(await namesIn(admin, path)).toEqual(['first.txt'])

  // Keeps both: as the specification's call always did.
  expect((await send(admin, { path }, { 'second.txt': words })).status).toBe(200)
  expect(pathsOf(await groupOf(admin, `${path}/first.txt`))).toEqual([
    `${path}/first.txt`,
    `${path}/second.txt`,
  ])
})

test('nothing is asked about a file that was replaced, renamed away from this content, or deleted', async () => {
  const path = await ownFolder(admin)
  const [words, others] = [randomUUID(), randomUUID()]
  await send(admin, { path }, { 'a.txt': words })
  // Replaced by itself.
  expect((await send(admin, { path, overwrite: 'true', askIfSame: 'true' }, { 'a.txt': words })).status).toBe(
    200,
  )
  await admin.call(files.rename, { container, path: `${path}/a.txt`, newName: 'b.txt' })
  const asked = await send(admin, { path, askIfSame: 'true' }, { 'c.txt': words })
  expect(asked.preview?.[0]?.same).toMatchObject([{ path: `${path}/b.txt` }])
  await send(admin, { path, overwrite: 'true' }, { 'b.txt': others })
  expect((await send(admin, { path, askIfSame: 'true' }, { 'c.txt': words })).status).toBe(200)
  await admin.call(files.delete, { container, toDelete: [path] })
  const again = await ownFolder(admin)
  expect((await send(admin, { path: again, askIfSame: 'true' }, { 'd.txt': others })).status).toBe(200)
})

test('a file of another customer is neither named nor counted', async () => {
  const words = randomUUID()
  const [mine, theirs] = [await ownFolder(admin), await ownFolder(harbor)]
  await send(harbor, { path: theirs }, { 'x.txt': words, 'y.txt': words })
  expect((await send(admin, { path: mine, askIfSame: 'true' }, { 'x.txt': words })).status).toBe(200)
  expect(await groupOf(admin, `${mine}/x.txt`)).toBeUndefined()
  const { deleted, undo } = await harbor.call(sameFiles.remove, { paths: [`${theirs}/y.txt`] })
  expect(deleted).toEqual([`${theirs}/y.txt`])
  await expect(admin.call(sameFiles.restore, { undo: undo ?? '' })).toRefuse(404)
})

test('unused duplicates are deleted together and come back; the last one stays', async () => {
  const path = await ownFolder(admin)
  const words = randomUUID()
  await send(admin, { path }, { 'a.txt': words, 'b.txt': words, 'c.txt': words, 'alone.txt': randomUUID() })
  const all = ['a', 'b', 'c'].map((name) => `${path}/${name}.txt`)
  expect(await groupOf(admin, all[0] ?? '')).toMatchObject({
    bytes: 36,
    total: 3,
    files: all.map((one) => ({ path: one, used: { total: 0 } })),
  })

  const { deleted, kept, undo } = await admin.call(sameFiles.remove, { paths: [...all, `${path}/alone.txt`] })
  expect(deleted).toEqual(all.slice(0, 2))
  expect(kept.map((one) => one.path)).toEqual([`${path}/c.txt`, `${path}/alone.txt`])
  expect(kept[0]?.reason).toBe('No other file has this content anymore, so it stays.')
  expect(await namesIn(admin, path)).toEqual(['alone.txt', 'c.txt'])
  expect(await groupOf(admin, `${path}/c.txt`)).toBeUndefined()

  await send(admin, { path }, { 'b.txt': 'something else' })
  expect(await admin.call(sameFiles.restore, { undo: undo ?? '' })).toEqual({
    restored: [`${path}/a.txt`],
    kept: [{ path: `${path}/b.txt`, reason: 'Another file has this name now.' }],
  })
  expect(pathsOf(await groupOf(admin, `${path}/a.txt`))).toEqual([`${path}/a.txt`, `${path}/c.txt`])
})

test('a duplicate that a vehicle shows is named with it and stays', async () => {
  const path = await ownFolder(admin)
  const bytes = `\x89PNG\r\n\x1a\n${randomUUID()}`
  const picture = Buffer.from(bytes, 'latin1')
  await sendFiles(forecourt, admin, { path }, [
    { name: 'a.png', bytes: picture },
    { name: 'b.png', bytes: picture },
  ])
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const place = `${path}/a.png`
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    make: 'Kia',
    photos: [{ kind: 'file', place }],
  })
  const group = await groupOf(admin, place)
  expect(group?.files.map(({ used }) => used)).toMatchObject([
    { total: 1, uses: [{ kind: 'vehicle', id }] },
    { total: 0 },
  ])
  const { deleted, kept } = await admin.call(sameFiles.remove, { paths: [place, `${path}/b.png`] })
  expect(deleted).toEqual([`${path}/b.png`])
  expect(kept).toEqual([{ path: place, reason: expect.stringContaining('One vehicle or page shows it') }])
})

test('two users who delete each the other duplicate leave one', async () => {
  const path = await ownFolder(admin)
  const words = randomUUID()
  await send(admin, { path }, { 'a.txt': words, 'b.txt': words })
  const answers = await Promise.all(
    ['a', 'b'].map((name) => admin.call(sameFiles.remove, { paths: [`${path}/${name}.txt`] })),
  )
  expect(answers.flatMap(({ deleted }) => deleted)).toHaveLength(1)
  expect(await namesIn(admin, path)).toHaveLength(1)
})

test('files from before are found by the scan, also if they were changed or deleted beside the product', async () => {
  const path = await ownFolder(admin)
  const words = randomUUID()
  await send(admin, { path }, { 'a.txt': words, 'b.txt': words })
  await forecourt.owner.query('delete from media_contents')
  expect((await send(admin, { path, askIfSame: 'true' }, { 'c.txt': words })).status).toBe(200)
  await scanMedia(parts)
  expect(await groupOf(admin, `${path}/a.txt`)).toMatchObject({ total: 3 })
  await scanMedia(parts)
  const { rows } = await forecourt.owner.query<{ count: string }>(
    'select count(*) from media_contents where content in (select content from media_contents where folder = $1)',
    [path],
  )
  expect(rows[0]?.count).toBe('3')
})

test('deleted duplicates are gone after a day', async () => {
  const path = await ownFolder(admin)
  const words = randomUUID()
  await send(admin, { path }, { 'a.txt': words, 'b.txt': words })
  const { undo } = await admin.call(sameFiles.remove, { paths: [`${path}/a.txt`] })
  clock.advance(25 * 3_600_000)
  const customers = await parts.iam.selectFrom('customers').select('id').execute()
  await sweepDeletedMedia(
    parts.storage,
    customers.map(({ id }) => id),
  )
  const later = await forecourt.as('northgate.admin', 'Northgate Ford')
  await expect(later.call(sameFiles.restore, { undo: undo ?? '' })).toRefuse(404, 'Deletion not found.')
})
