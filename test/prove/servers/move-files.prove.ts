import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '#server/environment.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { openStorage } from '#server/outside/open-storage.ts'
import { fakeAzureStorage, hasAzurite, putFile, textOf, type FakeStorage } from '#test/fakes/storage.ts'

if (!hasAzurite) console.warn('AZURITE IS NOT INSTALLED: moving files to Azure is not tested.')

const FILES: Readonly<Record<string, string>> = {
  '1/media/Logos/Überblick 概要.png': 'a logo',
  '1/media/price list #1 (50%).pdf': 'a list',
  '1/media/deep/er/still/file': '',
  '7/media/Logos/Überblick 概要.png': 'a logo of somebody else',
}

let home = ''
let azure: FakeStorage

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-move-'))
  if (hasAzurite) azure = await fakeAzureStorage()
})
afterEach(async () => {
  if (hasAzurite) await azure.close()
  await rm(home, { recursive: true, force: true })
})

async function fillFolder(): Promise<void> {
  const folder = await openFolderStorage(join(home, 'files'))
  for (const [path, text] of Object.entries(FILES)) await putFile(folder, path.split('/'), text)
  await folder.makeFolder(['1', 'media', 'Empty'])
}
/** What an installation of this home opens once its settings name Azure. */
async function openThere(): Promise<{ storage: FileStorage; said: string[] }> {
  const said: string[] = []
  const settings = readSettings({ FORECOURT_HOME: home, FORECOURT_AZURE_STORAGE: azure.connection })
  return { storage: await openStorage(settings, (line) => void said.push(line)), said }
}
const asides = async () => (await readdir(home)).filter((name) => name.startsWith('files-moved-'))

test.runIf(hasAzurite)('a folder of files is in Azure once the settings name it, and put aside', async () => {
  await fillFolder()
  const { storage, said } = await openThere()
  for (const [path, text] of Object.entries(FILES)) expect(await textOf(storage, path.split('/'))).toBe(text)
  expect(await storage.list(['1', 'media', 'Empty'])).toEqual([])
  expect(said).toEqual([expect.stringMatching(/^Moved 4 files to Azure Storage; 0 were there already\./)])
  const [aside = ''] = await asides()
  expect(await readFile(join(home, aside, '1/media/price list #1 (50%).pdf'), 'utf8')).toBe('a list')
  expect((await openThere()).said).toEqual([])
})

test.runIf(hasAzurite)('a move that broke half-way goes on, and what is newer there stays', async () => {
  await fillFolder()
  await putFile(azure.storage, ['1', 'media', 'Logos', 'Überblick 概要.png'], 'a newer logo')
  const { storage, said } = await openThere()
  expect(await textOf(storage, ['1', 'media', 'Logos', 'Überblick 概要.png'])).toBe('a newer logo')
  expect(await textOf(storage, ['7', 'media', 'Logos', 'Überblick 概要.png'])).toBe('a logo of somebody else')
  expect(said).toEqual([expect.stringMatching(/^Moved 3 files to Azure Storage; 1 were there already\./)])
})

test.runIf(hasAzurite)('where Azure is away nothing is moved, and the folder stays as it was', async () => {
  await fillFolder()
  const { connection } = azure
  await azure.close()
  const settings = readSettings({
    FORECOURT_HOME: home,
    FORECOURT_AZURE_STORAGE: connection.replace(/:\d+\//, ':9/'),
  })
  await expect(openStorage(settings, () => {})).rejects.toThrow('files')
  expect(await asides()).toEqual([])
  azure = await fakeAzureStorage()
  expect((await openThere()).said[0]).toMatch(/^Moved 4 files/)
})
