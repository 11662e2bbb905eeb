import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { files } from '#contract/files/files.ts'
import { largeUploads, PART_BYTES } from '#contract/files/large-uploads.ts'
import { clock } from '#server/clock.ts'
import { sweepLargeUploads } from '#server/files/index.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { downloadFile, namesIn, ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'

const container = 'media'
const BYTES = PART_BYTES + 1_000

let forecourt: TestApp
let admin: Caller
let colleague: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_FILE_LIMIT_MB: '6', FORECOURT_CUSTOMER_FILES_LIMIT_MB: '60' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  colleague = await forecourt.as('super', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const newFile = () => Buffer.concat([PNG, randomBytes(BYTES - PNG.length)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const Answer = z.object({
  data: z.object({ received: z.number() }).nullable(),
  message: z.string().nullable(),
  current: z.unknown().optional(),
})

async function begin(path: string, name = 'large.bin', more: { bytes?: number; overwrite?: boolean } = {}) {
  return admin.call(largeUploads.begin, { container, path, name, bytes: BYTES, fileTime: 1, ...more })
}

async function sendPart(
  caller: Caller,
  query: { id: string; offset: number; sha256?: string },
  bytes: Buffer,
) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { statusCode, body } = await forecourt.app.inject({
    method: 'POST',
    url: `${largeUploads.part.path}?${search}`,
    payload: bytes,
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${caller.token}` },
  })
  return { status: statusCode, ...Answer.parse(JSON.parse(body)) }
}

/** Sends all parts from an offset. */
async function sendRest(id: string, bytes: Buffer, from = 0) {
  for (let offset = from; offset < bytes.length; offset += PART_BYTES)
    // oxlint-disable-next-line no-await-in-loop -- In order.
    expect(await sendPart(admin, { id, offset }, bytes.subarray(offset, offset + PART_BYTES))).toMatchObject({
      status: 200,
    })
}

test('an upload that broke off goes on from where it was and is stored as one file', async () => {
  const path = await ownFolder(admin)
  const bytes = newFile()
  const { id } = await begin(path)
  const first = bytes.subarray(0, PART_BYTES)
  expect(await sendPart(admin, { id, offset: 0, sha256: sha256(first) }, first)).toMatchObject({
    status: 200,
    data: { received: PART_BYTES },
  })
  // The connection broke within the second part, whose beginning arrived.
  expect(
    await sendPart(admin, { id, offset: PART_BYTES }, bytes.subarray(PART_BYTES, BYTES - 1)),
  ).toMatchObject({ status: 400 })
  await expect(admin.call(largeUploads.complete, { id })).toRefuse(409, 'still missing')

  const open = await admin.call(largeUploads.list, { container })
  expect(open.filter((one) => one.id === id)).toEqual([
    { id, path, name: 'large.bin', bytes: BYTES, fileTime: 1, received: PART_BYTES, parts: [sha256(first)] },
  ])
  await sendRest(id, bytes, PART_BYTES)
  expect(await admin.call(largeUploads.complete, { id })).toMatchObject({
    path: `${path}/large.bin`,
    size: BYTES,
    type: 'image/png',
  })
  expect((await downloadFile(admin, `${path}/large.bin`)).bytes.equals(bytes)).toBe(true)
  expect((await admin.call(largeUploads.list, { container })).some((one) => one.id === id)).toBe(false)
  await expect(admin.call(largeUploads.complete, { id })).toRefuse(404)
})

test('a part at another offset, a repeated and a damaged one are rejected', async () => {
  const bytes = newFile()
  const { id } = await begin(await ownFolder(admin))
  const first = bytes.subarray(0, PART_BYTES)
  expect(await sendPart(admin, { id, offset: PART_BYTES }, first)).toMatchObject({
    status: 409,
    current: { received: 0 },
  })
  expect(await sendPart(admin, { id, offset: 0, sha256: sha256(bytes) }, first)).toMatchObject({
    status: 400,
    message: 'This part was damaged on its way.',
  })
  // Two tabs at once: one is first.
  const both = await Promise.all(
    [first, newFile().subarray(0, PART_BYTES)].map((part) => sendPart(admin, { id, offset: 0 }, part)),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const [open] = (await admin.call(largeUploads.list, { container })).filter((one) => one.id === id)
  expect(open?.parts).toHaveLength(1)
})

test('uploads of other users and customers are not found', async () => {
  const { id } = await begin(await ownFolder(admin))
  for (const other of [colleague, harbor]) {
    expect(await sendPart(other, { id, offset: 0 }, newFile().subarray(0, PART_BYTES))).toMatchObject({
      status: 404,
    })
    await expect(other.call(largeUploads.complete, { id })).toRefuse(404)
    await expect(other.call(largeUploads.cancel, { id })).toRefuse(404)
    expect(await other.call(largeUploads.list, { container })).toEqual([])
  }
})

test('the limits, names and folders of ordinary uploads apply before the first byte is sent', async () => {
  const path = await ownFolder(admin)
  await sendFiles(forecourt, admin, { path }, [{ name: 'large.bin', bytes: 'here' }])
  await expect(begin(path)).toRefuse(409, 'A file named large.bin already exists here.')
  await expect(begin('Nowhere')).toRefuse(404, 'Folder not found.')
  await expect(begin(path, 'huge.bin', { bytes: 7_000_000 })).toRefuse(413, 'A file can be at most 6 MB.')
  const { id } = await begin(path, 'large.bin', { overwrite: true })
  await sendRest(id, newFile())
  await expect(admin.call(largeUploads.complete, { id })).toRefuse(409, 'already exists here')
  expect(await admin.call(largeUploads.complete, { id, overwrite: true })).toMatchObject({ size: BYTES })
})

test('who uploads a large file that the library has is told where, and decides', async () => {
  const path = await ownFolder(admin)
  const bytes = newFile()
  await sendFiles(forecourt, admin, { path }, [{ name: 'first.png', bytes }])
  const { id } = await begin(path)
  await sendRest(id, bytes)
  for (const attempt of [1, 2]) {
    // oxlint-disable-next-line no-await-in-loop -- Asked again.
    const { status, refusal } = await refusalOf(admin.call(largeUploads.complete, { id, askIfSame: true }))
    expect([attempt, status]).toEqual([attempt, 409])
    expect(refusal.preview).toMatchObject([{ name: 'large.bin', same: [{ path: `${path}/first.png` }] }])
  }
  await admin.call(largeUploads.complete, { id })
  expect(await namesIn(admin, path)).toEqual(['first.png', 'large.bin'])
})

test('an upload ends with its reason when its user may not upload anymore', async () => {
  const { id } = await begin(await ownFolder(admin))
  const { owner } = forecourt
  const values = `select customer_id, id, 36, 3, false from users where user_name = 'northgate.admin'`
  await owner.query(`insert into user_permissions (customer_id, user_id, func, opr, is_allowed) ${values}`)
  const part = newFile().subarray(0, PART_BYTES)
  expect(await sendPart(admin, { id, offset: 0 }, part)).toMatchObject({
    status: 403,
    message: expect.stringContaining('permission'),
  })
  await owner.query('delete from user_permissions where func = 36')
  expect(await sendPart(admin, { id, offset: 0 }, part)).toMatchObject({ status: 200 })
})

test('canceled uploads leave nothing, and abandoned ones are removed after a day', async () => {
  const storage = await openFolderStorage(forecourt.filesFolder)
  const customers = await forecourt.identity.iam.selectFrom('customers').select('id').execute()
  const ids = customers.map((one) => one.id)
  const sweep = () => sweepLargeUploads({ storage, pool: forecourt.appPool }, ids)
  const path = await ownFolder(admin)
  const [canceled, abandoned] = [await begin(path, 'a.bin'), await begin(path, 'b.bin')]
  const part = newFile().subarray(0, PART_BYTES)
  for (const { id } of [canceled, abandoned])
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    await sendPart(admin, { id, offset: 0 }, part)
  await admin.call(largeUploads.cancel, { id: canceled.id })
  const stored = async () =>
    (await readdir(join(forecourt.filesFolder, 'kept', 'uploads'), { recursive: true })).join()
  expect(await stored()).not.toContain(canceled.id)
  await sweep()
  expect(await stored()).toContain(abandoned.id)
  clock.advance(25 * 3_600_000)
  await sweep()
  expect(await stored()).not.toContain(abandoned.id)
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  expect(await admin.call(files.getChildren, { container, folder: path })).toEqual({ leafs: [], nodes: [] })
})

test('an unknown upload is not found', async () => {
  await expect(admin.call(largeUploads.cancel, { id: randomUUID() })).toRefuse(404)
})
