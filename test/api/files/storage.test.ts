import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { fakeFolderStorage, putFile } from '#test/fakes/storage.ts'
import { describeStore } from '#test/suites/store.ts'

// Azure Storage is tested by test/prove/servers/storage.prove.ts.
describeStore('a folder', fakeFolderStorage)

describe('a folder', () => {
  test('does not follow links inside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-links-'))
    const outside = await mkdtemp(join(tmpdir(), 'forecourt-outside-'))
    try {
      await writeFile(join(outside, 'secret.txt'), 'secret')
      const storage = await openFolderStorage(folder)
      await mkdir(join(folder, 'kept/1/media'), { recursive: true })
      await symlink(outside, join(folder, 'kept/1/media/Way out'))
      await symlink(join(outside, 'secret.txt'), join(folder, 'kept/1/media/secret.txt'))
      expect(await storage.list(['1', 'media'])).toEqual([])
      expect(await storage.read(['1', 'media', 'secret.txt'])).toBeNull()
      expect(await storage.read(['1', 'media', 'Way out', 'secret.txt'])).toBeNull()
      await expect(putFile(storage, ['1', 'media', 'Way out', 'mine.txt'], 'x')).rejects.toThrow(
        'There is no such',
      )
      await expect(storage.makeFolder(['1', 'media', 'Way out', 'Mine'])).rejects.toThrow('There is no such')
      await storage.remove([['1', 'media', 'Way out', 'secret.txt']])
      expect(await readdir(outside)).toEqual(['secret.txt'])
      expect(await storage.usage(['1'])).toBe(0)
    } finally {
      await rm(folder, { recursive: true })
      await rm(outside, { recursive: true })
    }
  })

  test('discards leftovers of a killed process, at start and later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-half-'))
    try {
      await mkdir(join(folder, 'incoming'))
      await writeFile(join(folder, 'incoming/half'), 'half a file')
      await utimes(join(folder, 'incoming/half'), 0, 0)
      // Another process sharing the folder may be receiving this one.
      await writeFile(join(folder, 'incoming/coming'), 'as much as came')
      const storage = await openFolderStorage(folder)
      expect(await readdir(join(folder, 'incoming'))).toEqual(['coming'])
      await utimes(join(folder, 'incoming/coming'), 0, 0)
      await storage.clearLeftBehind()
      expect(await readdir(join(folder, 'incoming'))).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
