import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { putFile, textOf, type FakeStorage } from '#test/fakes/storage.ts'

const admitAll = (): void => {}
const bytesOf = (text: string | Buffer) => Readable.from([Buffer.from(text)])
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function namesIn(storage: FileStorage, place: StoragePath): Promise<string[]> {
  return ((await storage.list(place)) ?? []).map(({ kind, name }) => `${kind} ${name}`).toSorted()
}

/** Tests for every storage implementation. */
export function describeStore(where: string, open: () => Promise<FakeStorage>): void {
  describe(`a storage in ${where}`, () => {
    let fake: FakeStorage
    let storage: FileStorage
    beforeAll(async () => {
      fake = await open()
      storage = fake.storage
      await storage.check()
    })
    afterAll(async () => {
      await fake.close()
    })

    test('returns stored files with their size and detected type', async () => {
      await putFile(storage, ['1', 'media', 'picture.txt'], PNG)
      await putFile(
        storage,
        ['1', 'media', 'Überblick 概要 نظرة.svg'],
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
      )
      const found = await storage.list(['1', 'media'])
      expect(found?.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
        { kind: 'file', name: 'picture.txt', size: PNG.length, type: 'image/png' },
        { kind: 'file', name: 'Überblick 概要 نظرة.svg', type: 'image/svg+xml' },
      ])
      const file = await storage.read(['1', 'media', 'picture.txt'])
      expect(file?.type).toBe('image/png')
      expect(file && (await buffer(file.body))).toEqual(PNG)
      expect(await storage.read(['1', 'media', 'other.txt'])).toBeNull()
      expect(await storage.read(['1', 'media'])).toBeNull()
    })

    test('keeps empty folders, and returns null for missing ones', async () => {
      await storage.makeFolder(['2', 'media', 'Empty'])
      expect(await storage.list(['2', 'media', 'Empty'])).toEqual([])
      expect(await storage.find(['2', 'media', 'Empty'])).toEqual({ kind: 'folder', name: 'Empty' })
      expect(await storage.list(['2', 'media', 'Nowhere'])).toBeNull()
      expect(await storage.find(['2', 'media', 'Nowhere'])).toBeNull()
      await expect(storage.makeFolder(['2', 'media', 'Empty'])).rejects.toMatchObject({ why: 'taken' })
    })

    test('does not replace a file unless requested', async () => {
      const place = ['3', 'media', 'price.txt']
      await putFile(storage, place, 'first')
      const second = await storage.stage(place, bytesOf('second'), admitAll)
      await expect(second.publish({ replaces: false })).rejects.toMatchObject({ why: 'taken' })
      await second.discard()
      expect(await textOf(storage, place)).toBe('first')
      const third = await storage.stage(place, bytesOf('third'), admitAll)
      await third.publish({ replaces: true })
      expect(await textOf(storage, place)).toBe('third')
    })

    test('accepts only one of two concurrent uploads with the same name', async () => {
      const place = ['4', 'media', 'race.txt']
      const both = await Promise.all(['a', 'b'].map((text) => storage.stage(place, bytesOf(text), admitAll)))
      const ends = await Promise.allSettled(both.map((one) => one.publish({ replaces: false })))
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(['a', 'b']).toContain(await textOf(storage, place))
    })

    test('does not show a file before it is published or after it failed', async () => {
      const place = ['5', 'media', 'late.bin']
      const staged = await storage.stage(place, bytesOf('x'.repeat(100_000)), admitAll)
      expect(await storage.find(place)).toBeNull()
      await staged.discard()
      const broken = Readable.from(
        (async function* () {
          yield Buffer.alloc(1_000)
          throw new Error('The connection was lost.')
        })(),
      )
      await expect(storage.stage(place, broken, admitAll)).rejects.toThrow('The connection was lost.')
      const tooMuch = (bytes: number): void => {
        if (bytes > 10) throw new Error('Enough.')
      }
      await expect(storage.stage(place, bytesOf('x'.repeat(100)), tooMuch)).rejects.toThrow('Enough.')
      expect(await storage.find(place)).toBeNull()
      expect(await storage.usage(['5'])).toBe(0)
    })

    test('renames files, and folders with their contents', async () => {
      await storage.makeFolder(['6', 'media', 'Old'])
      await storage.makeFolder(['6', 'media', 'Old', 'Inner'])
      await putFile(storage, ['6', 'media', 'Old', 'Inner', 'a.txt'], 'deep')
      await putFile(storage, ['6', 'media', 'b.txt'], 'top')
      await storage.move(['6', 'media', 'Old'], ['6', 'media', 'New'])
      await storage.move(['6', 'media', 'b.txt'], ['6', 'media', 'c.txt'])
      expect(await namesIn(storage, ['6', 'media'])).toEqual(['file c.txt', 'folder New'])
      expect(await textOf(storage, ['6', 'media', 'New', 'Inner', 'a.txt'])).toBe('deep')
      const taken = storage.move(['6', 'media', 'New'], ['6', 'media', 'c.txt'])
      await expect(taken).rejects.toMatchObject({ why: 'taken' })
      const missing = storage.move(['6', 'media', 'Nothing'], ['6', 'media', 'd.txt'])
      await expect(missing).rejects.toMatchObject({ why: 'missing' })
      expect(await textOf(storage, ['6', 'media', 'New', 'Inner', 'a.txt'])).toBe('deep')
    })

    test('deletes the given files and folders and nothing else', async () => {
      await storage.makeFolder(['7', 'media', 'Go'])
      await putFile(storage, ['7', 'media', 'Go', 'a.txt'], 'a')
      await putFile(storage, ['7', 'media', 'Gone.txt'], 'b')
      await putFile(storage, ['7', 'media', 'Goes on.txt'], 'c')
      await storage.remove([
        ['7', 'media', 'Go'],
        ['7', 'media', 'Gone.txt'],
        ['7', 'media', 'never was'],
      ])
      expect(await namesIn(storage, ['7', 'media'])).toEqual(['file Goes on.txt'])
    })

    test('counts only the bytes below a path', async () => {
      await putFile(storage, ['8', 'media', 'a.txt'], '12345')
      await storage.makeFolder(['8', 'media', 'In'])
      await putFile(storage, ['8', 'media', 'In', 'b.txt'], '123')
      await putFile(storage, ['80', 'media', 'c.txt'], '1234567')
      expect(await storage.usage(['8'])).toBe(8)
      expect(await storage.usage(['800'])).toBe(0)
    })

    test.for(
      [[], ['..'], ['9', '..', '8'], ['9', 'a/b'], ['9', 'a\\b'], ['9', ''], ['9', 'a\0']].map((place) => ({
        place,
      })),
    )('rejects a path outside the space: $place', async ({ place }) => {
      for (const attempt of [
        () => storage.list(place),
        () => storage.find(place),
        () => storage.read(place),
        () => storage.makeFolder(place),
        () => storage.remove([place]),
        () => storage.usage(place),
        () => storage.move(place, ['9', 'x']),
        () => putFile(storage, place, 'x'),
      ]) {
        await expect(attempt()).rejects.toThrow('A path is outside its storage space.')
      }
    })
  })
}
