import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { flawOf } from '#test/harness/bad-responses.ts'
import { downloadFile, namesIn, ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'

const container = 'media'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Attempts to escape the current folder. */
const WAYS_OUT = [
  '..',
  '../..',
  '../../etc/passwd',
  '..\\..\\secret',
  'a/../../b',
  './x',
  'a//b',
  '//etc',
  '/../x',
  '\\\\server\\share',
  'C:\\Windows',
  'C:x',
  'a\u0000.png',
  '\u0000',
  '....//',
  '. .',
  '.. ',
  ' ..',
  '．．',
  '．．／x',
  'a／..／b',
  '‥',
  '\u202Egnp.exe',
  'a\u200Bb',
  'con',
  'NUL.txt',
  'com1',
  'LPT9.log',
  'x.',
  '.hidden',
  '.folder',
  'a\nb',
  'a\u2028b',
  'x'.repeat(300),
  'é'.repeat(150),
  `${'a/'.repeat(40)}b`,
  'x/'.repeat(600),
  'name?',
  'a*b',
  '<b>',
  'a|b',
]
/** Unusual but valid names: they find nothing, and escape nothing. */
const HARMLESS = [
  '%2e%2e',
  '%2e%2e%2fetc',
  'a..%2f..x',
  'etc/passwd',
  '/etc/passwd',
  'proc/self/environ',
  '~',
  '$HOME',
  'a..b',
]

test('a path of two periods says what is wrong with it', async () => {
  await expect(admin.call(files.getChildren, { container, folder: '..' })).toRefuse(
    400,
    "This isn't a valid path. A name can't begin or end with a period or a space.",
  )
})

describe('a path traversal', () => {
  beforeAll(async () => {
    await writeFile(join(forecourt.filesFolder, 'outside.txt'), 'outside')
    await mkdir(join(forecourt.filesFolder, 'kept', '0'), { recursive: true })
    await writeFile(join(forecourt.filesFolder, 'kept', '0', 'stranger.txt'), 'stranger')
  })
  const tree = async () =>
    (await readdir(forecourt.filesFolder, { recursive: true }))
      .filter((path) => !path.startsWith('kept/2/'))
      .toSorted()

  const calls = (way: string) => ({
    'getChildren folder': () => admin.call(files.getChildren, { container, folder: way }),
    'getChildren root': () => admin.call(files.getChildren, { container, root: way }),
    'createDirectory folder': () =>
      admin.call(files.createDirectory, { container, folder: way, dirName: 'x' }),
    'createDirectory root': () =>
      admin.call(files.createDirectory, { container, root: way, folder: 'y', dirName: 'x' }),
    'rename path': () => admin.call(files.rename, { container, path: way, newName: 'x.txt' }),
    'rename root': () =>
      admin.call(files.rename, { container, root: way, path: 'stranger.txt', newName: 'x.txt' }),
    'delete toDelete': () => admin.call(files.delete, { container, toDelete: [way] }),
    'delete root': () => admin.call(files.delete, { container, root: way, toDelete: ['stranger.txt'] }),
  })

  test.for(WAYS_OUT)('written as %j is rejected in every parameter, without effect', async (way) => {
    const before = await tree()
    const statuses = await Promise.all(
      Object.entries(calls(way)).map(async ([name, ask]) => `${name} ${(await refusalOf(ask())).status}`),
    )
    expect(statuses).toEqual(Object.keys(calls(way)).map((name) => `${name} 400`))
    for (const field of ['path', 'root'] as const) {
      const answer = await sendFiles(forecourt, admin, { [field]: way }, [{ name: 'x.txt', bytes: 'x' }])
      expect({ field, status: answer.status, flaw: flawOf(answer) }).toEqual({
        field,
        status: 400,
        flaw: null,
      })
      const query = new URLSearchParams({ container, path: 'stranger.txt', [field]: way })
      const file = await admin.send({ method: 'GET', url: `${files.download.path}?${query}` })
      expect({ field, status: file.status, flaw: flawOf(file) }).toEqual({ field, status: 400, flaw: null })
    }
    expect(await tree()).toEqual(before)
  })

  test.for(WAYS_OUT.filter((way) => way.trim() === way))(
    'written as %j is rejected as a new name',
    async (way) => {
      const path = await ownFolder(admin)
      await sendFiles(forecourt, admin, { path }, [{ name: 'a.txt', bytes: 'a' }])
      await expect(admin.call(files.rename, { container, path: `${path}/a.txt`, newName: way })).toRefuse(400)
      expect(await namesIn(admin, path)).toEqual(['a.txt'])
    },
  )

  test.for(HARMLESS)('written as %j finds nothing', async (way) => {
    const before = await tree()
    await expect(admin.call(files.getChildren, { container, folder: way })).toRefuse(404)
    await expect(admin.call(files.delete, { container, toDelete: [way] })).toRefuse(404)
    expect((await downloadFile(admin, way)).status).toBe(404)
    expect(await tree()).toEqual(before)
  })

  test.for(['../../x', '..\\..\\x', '/etc/x', 'C:\\x'])('in a file name %j is cut off', async (name) => {
    const path = await ownFolder(admin)
    expect((await sendFiles(forecourt, admin, { path }, [{ name, bytes: 'x' }])).status).toBe(200)
    expect(await namesIn(admin, path)).toEqual(['x'])
  })

  test.for([
    '..',
    '',
    'media/..',
    '../media',
    '%2e%2e',
    'Media',
    'a',
    'a--b',
    'm\u0000',
    'x'.repeat(64),
    '.',
    'con.',
  ])('as a container named %j is rejected', async (name) => {
    await expect(admin.call(files.getChildren, { container: name })).toRefuse(400)
    await expect(admin.call(files.delete, { container: name, toDelete: ['x'] })).toRefuse(400)
  })

  test('is impossible by deleting an empty path, which would delete everything', async () => {
    for (const nothing of ['', '/']) {
      await expect(admin.call(files.delete, { container, toDelete: [nothing] })).toRefuse(400)
      await expect(admin.call(files.rename, { container, path: nothing, newName: 'x' })).toRefuse(400)
    }
  })
})
