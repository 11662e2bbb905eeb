import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { flawOf } from '#test/harness/bad-responses.ts'
import {
  downloadFile as download,
  namesIn as children,
  ownFolder,
  sendFiles,
  type SentFile,
} from '#test/factories/files/file-calls.ts'
import { multipart } from '#test/harness/multipart.ts'

const container = 'media'

let forecourt: TestApp
let admin: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_FILE_LIMIT_MB: '1', FORECOURT_CUSTOMER_FILES_LIMIT_MB: '4' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

/** The calls of test/factories/files/file-calls.ts, in this installation. */
const send = (caller: Caller, fields: Record<string, string>, sent: readonly SentFile[]) =>
  sendFiles(forecourt, caller, fields, sent)

async function events(what: string) {
  const { rows } = await forecourt.owner.query<{
    row_id: string
    actor_name: string
    endpoint: string
    after: unknown
  }>(
    `select row_id, actor_name, endpoint, after from audit_log
    where table_name = 'files' and after ->> 'event' = $1 order by id desc limit 1`,
    [what],
  )
  return rows[0]
}

test('a new container is empty', async () => {
  expect(await harbor.call(files.getChildren, { container: 'nothing-yet' })).toEqual({ leafs: [], nodes: [] })
})

test('uploads a file, lists it with its size and detected type, and downloads it unchanged', async () => {
  const path = await ownFolder(admin)
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  // The sender claims it's a page.
  expect(
    (await send(admin, { path }, [{ name: 'Wagen für Ödön 車.html', bytes: png, type: 'text/html' }])).status,
  ).toBe(200)
  const { leafs } = await admin.call(files.getChildren, { container, folder: path })
  expect(leafs).toEqual([
    {
      path: `${path}/Wagen für Ödön 車.html`,
      name: 'Wagen für Ödön 車.html',
      size: 16,
      type: 'image/png',
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ])
  const file = await download(admin, leafs[0]?.path ?? '')
  expect(file.bytes).toEqual(png)
  expect(file.headers['content-type']).toBe('image/png')
})

test.for([
  ['page.png', '<!doctype html><script>alert(1)</script>', 'text/html'],
  ['drawing.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
] as const)('%s that contains a script is only served as an attachment', async ([name, bytes, type]) => {
  const path = await ownFolder(admin)
  await send(admin, { path }, [{ name, bytes, type: 'image/png' }])
  const { headers } = await download(admin, `${path}/${name}`)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining(type),
    'content-disposition': expect.stringMatching(/^attachment;/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
})

describe('a new folder', () => {
  test.for([
    ['Summer -- sale!', 'Summer sale'],
    ['  a__b/../c  ', 'a b c'],
    ['../../etc', 'etc'],
    ['Überland', 'Überland'],
    ['Größe--Ä', 'Größe Ä'],
    ['Отчёты / 2026', 'Отчёты 2026'],
    ['2026.05', '2026 05'],
  ] as const)('entered as %j is named %j', async ([dirName, name]) => {
    const folder = await ownFolder(admin)
    const node = await admin.call(files.createDirectory, { container, folder, dirName })
    expect(node).toEqual({ path: `${folder}/${name}`, name })
    expect(await children(admin, folder)).toEqual([`${name}/`])
  })

  test.for(['', '   ', '--', '!?', '..'])('entered as %j is rejected with a message', async (dirName) => {
    await expect(admin.call(files.createDirectory, { container, dirName })).toRefuse(
      400,
      'needs at least one letter',
    )
  })

  test('is rejected if its name is in use or its parent does not exist', async () => {
    const folder = await ownFolder(admin)
    await admin.call(files.createDirectory, { container, folder, dirName: 'Twice' })
    await expect(admin.call(files.createDirectory, { container, folder, dirName: 'Twice!' })).toRefuse(409)
    await expect(admin.call(files.createDirectory, { container, folder: 'Nowhere', dirName: 'x' })).toRefuse(
      404,
      'Folder not found.',
    )
  })
})

describe('renaming', () => {
  test('renames a file, but not to a name in use', async () => {
    const path = await ownFolder(admin)
    await send(admin, { path }, [
      { name: 'a.txt', bytes: 'a' },
      { name: 'b.txt', bytes: 'b' },
    ])
    await expect(admin.call(files.rename, { container, path: `${path}/a.txt`, newName: 'b.txt' })).toRefuse(
      409,
      'A file named b.txt already exists here.',
    )
    const node = await admin.call(files.rename, { container, path: `${path}/a.txt`, newName: 'Ж.txt' })
    expect(node).toEqual({ path: `${path}/Ж.txt`, name: 'Ж.txt' })
    expect((await download(admin, `${path}/b.txt`)).text).toBe('b')
    expect((await download(admin, node.path)).text).toBe('a')
    expect(await events('renamed')).toMatchObject({
      row_id: `media/${path}/a.txt`,
      endpoint: 'files.rename',
      actor_name: 'Dana Whitfield',
      after: { to: node.path },
    })
  })

  test('applies the folder naming rule to folders', async () => {
    const path = await ownFolder(admin)
    const { path: inner } = await admin.call(files.createDirectory, {
      container,
      folder: path,
      dirName: 'In',
    })
    await send(admin, { path: inner }, [{ name: 'a.txt', bytes: 'deep' }])
    const node = await admin.call(files.rename, { container, path: inner, newName: 'Out_side (2)' })
    expect(node.name).toBe('Out side 2')
    expect((await download(admin, `${node.path}/a.txt`)).text).toBe('deep')
    await expect(admin.call(files.rename, { container, path: node.path, newName: '--' })).toRefuse(400)
  })
})

test('deleting removes files and folders with their contents, and is logged', async () => {
  const path = await ownFolder(admin)
  const { path: inner } = await admin.call(files.createDirectory, { container, folder: path, dirName: 'In' })
  await send(admin, { path: inner }, [{ name: 'a.txt', bytes: 'a' }])
  await send(admin, { path }, [
    { name: 'b.txt', bytes: 'b' },
    { name: 'c.txt', bytes: 'c' },
  ])
  await admin.call(files.delete, { container, toDelete: [inner, `${path}/b.txt`, `${path}/not there`] })
  expect(await children(admin, path)).toEqual(['c.txt'])
  expect(await events('deleted')).toMatchObject({
    endpoint: 'files.delete',
    after: { paths: [inner, `${path}/b.txt`] },
  })
  await expect(admin.call(files.delete, { container, toDelete: [inner] })).toRefuse(404)
})

describe('a second upload with the same name', () => {
  test('is rejected and leaves the first unchanged', async () => {
    const path = await ownFolder(admin)
    await send(admin, { path }, [{ name: 'price.txt', bytes: 'first' }])
    const second = await send(admin, { path }, [
      { name: 'other.txt', bytes: 'x' },
      { name: 'price.txt', bytes: 'second' },
    ])
    expect(second).toMatchObject({
      status: 409,
      message: expect.stringContaining('price.txt already exists here'),
    })
    expect((await download(admin, `${path}/price.txt`)).text).toBe('first')
    // All of them or none.
    expect(await children(admin, path)).toEqual(['price.txt'])
    expect(await readdir(join(forecourt.filesFolder, 'incoming'))).toEqual([])
  })

  test('replaces the first if requested, and is logged', async () => {
    const path = await ownFolder(admin)
    await send(admin, { path }, [{ name: 'price.txt', bytes: 'first' }])
    expect(
      (await send(admin, { path, overwrite: 'true' }, [{ name: 'price.txt', bytes: 'second' }])).status,
    ).toBe(200)
    expect((await download(admin, `${path}/price.txt`)).text).toBe('second')
    expect(await events('uploaded')).toMatchObject({ after: { replaced: [`${path}/price.txt`] } })
  })

  test('replaces nothing for users who can add but not change files', async () => {
    const path = await ownFolder(admin)
    await send(admin, { path }, [{ name: 'price.txt', bytes: 'first' }])
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 36, opr, opr <> 4 from users, unnest(array[1, 2, 3, 4]) opr where user_name = 'northgate.dealer'`,
    )
    const dealer = await forecourt.as('northgate.dealer')
    const answer = await send(dealer, { path, overwrite: 'true' }, [{ name: 'price.txt', bytes: 'x' }])
    expect(answer).toMatchObject({
      status: 403,
      message: expect.stringContaining("you don't have permission to replace it"),
    })
    expect((await download(admin, `${path}/price.txt`)).text).toBe('first')
  })
})

describe('an upload', () => {
  test('over the file size limit leaves nothing behind', async () => {
    const path = await ownFolder(admin)
    const answer = await send(admin, { path }, [
      { name: 'small.txt', bytes: 'small' },
      { name: 'large.bin', bytes: Buffer.alloc(1_048_577) },
    ])
    expect(answer).toMatchObject({ status: 413, message: 'A file can be at most 1 MB.' })
    expect(await children(admin, path)).toEqual([])
    expect(await readdir(join(forecourt.filesFolder, 'incoming'))).toEqual([])
  })

  test("over the customer's storage limit is rejected, without counting other customers", async () => {
    const path = await ownFolder(harbor)
    const megabyte = (name: string) => ({ name, bytes: Buffer.alloc(1_048_576) })
    const many = ['1', '2', '3', '4', '5'].map(megabyte)
    expect(await send(harbor, { path }, many)).toMatchObject({
      status: 413,
      message: expect.stringContaining('storage limit of 4 MB'),
    })
    expect((await send(harbor, { path }, many.slice(0, 3))).status).toBe(200)
    expect((await send(harbor, { path }, [megabyte('4'), megabyte('5')])).status).toBe(413)
    expect(await children(harbor, path)).toEqual(['1', '2', '3'])
    expect((await send(admin, { path: await ownFolder(admin) }, [megabyte('1')])).status).toBe(200)
    await harbor.call(files.delete, { container, toDelete: [path] })
  })

  test('without a file, or into a missing folder, is rejected', async () => {
    expect(await send(admin, {}, [])).toMatchObject({ status: 400, message: 'Send at least one file.' })
    const nowhere = await send(admin, { path: 'Nowhere' }, [{ name: 'a.txt', bytes: 'a' }])
    expect(nowhere).toMatchObject({ status: 404, message: 'Folder not found.' })
  })

  test('that is not multipart is rejected', async () => {
    const answer = await admin.send({ method: 'POST', url: files.upload.path, payload: { container } })
    expect({ status: answer.status, flaw: flawOf(answer) }).toEqual({ status: 400, flaw: null })
  })

  test('that cannot be logged is rejected, and leaves no files', async () => {
    const path = await ownFolder(admin)
    const first = await send(admin, { path }, [{ name: 'before.txt', bytes: 'before' }])
    await forecourt.owner.query('revoke insert on audit_log from forecourt_iam')
    const refused = await send(admin, { path }, [{ name: 'after.txt', bytes: 'after' }])
    await forecourt.owner.query('grant insert on audit_log to forecourt_iam')
    expect([first.status, refused.status]).toEqual([200, 500])
    expect(await children(admin, path)).toEqual(['before.txt'])
  })

  test('whose connection breaks leaves nothing behind', async () => {
    const path = await ownFolder(admin)
    const address = await forecourt.app.listen({ port: 0, host: '127.0.0.1' })
    const { payload, headers } = multipart({ container, path }, [
      { name: 'half.bin', bytes: Buffer.alloc(900_000) },
    ])
    const sending = request(`${address}${files.upload.path}`, {
      method: 'POST',
      headers: { ...headers, 'content-length': payload.length, authorization: `Bearer ${admin.token}` },
    })
    sending.on('error', () => {})
    sending.write(payload.subarray(0, 500_000))
    const incoming = join(forecourt.filesFolder, 'incoming')
    await expect.poll(() => readdir(incoming)).toHaveLength(1)
    sending.destroy()
    // A staged file leaves this folder only by being published or discarded.
    await expect.poll(() => readdir(incoming)).toEqual([])
    expect(await children(admin, path)).toEqual([])
  })
})

test('paths cannot go above the root', async () => {
  const root = await ownFolder(admin)
  await send(admin, { root }, [{ name: 'in.txt', bytes: 'in' }])
  expect((await admin.call(files.getChildren, { container, root })).leafs).toMatchObject([{ path: 'in.txt' }])
  await expect(admin.call(files.delete, { container, root, toDelete: [root] })).toRefuse(404)
})

describe('another customer', () => {
  test('cannot see, read, rename or delete our files', async () => {
    const path = await ownFolder(admin)
    await send(admin, { path }, [{ name: 'secret.txt', bytes: 'secret' }])
    const theirs = `${path}/secret.txt`
    await expect(harbor.call(files.getChildren, { container, folder: path })).toRefuse(404)
    expect((await download(harbor, theirs)).status).toBe(404)
    await expect(harbor.call(files.rename, { container, path: theirs, newName: 'x.txt' })).toRefuse(404)
    await expect(harbor.call(files.delete, { container, toDelete: [theirs, path] })).toRefuse(404)
    expect((await send(harbor, { path }, [{ name: 'x.txt', bytes: 'x' }])).status).toBe(404)
    expect((await download(admin, theirs)).text).toBe('secret')
  })

  test('can have a file with the same path', async () => {
    await send(admin, {}, [{ name: 'same.txt', bytes: 'ours' }])
    await send(harbor, {}, [{ name: 'same.txt', bytes: 'theirs' }])
    expect((await download(admin, 'same.txt')).text).toBe('ours')
    expect((await download(harbor, 'same.txt')).text).toBe('theirs')
  })

  test('is accessible to platform staff only by switching to it', async () => {
    const staff = await forecourt.as('super', 'Harbor Honda')
    expect((await download(staff, 'same.txt')).text).toBe('theirs')
  })
})

test('each endpoint requires its own operation of function 36', () => {
  expect(files.upload.allow).toEqual({ func: 36, opr: 3 })
  expect(files.getChildren.allow).toEqual({ func: 36, opr: 1 })
  expect(files.download.allow).toEqual({ func: 36, opr: 2 })
  expect(files.rename.allow).toEqual({ func: 36, opr: 4 })
  expect(files.delete.allow).toEqual({ func: 36, opr: 5 })
})
