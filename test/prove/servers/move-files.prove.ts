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
  '7/media/Logos/Überblick 概要.png': 'a logo of another customer',
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
/** Opens the storage of this home with Azure in its settings. */
async function openAzure(): Promise<{ storage: FileStorage; lines: string[] }> {
  const lines: string[] = []
  const settings = readSettings({ FORECOURT_HOME: home, FORECOURT_AZURE_STORAGE: azure.connection })
  return { storage: await openStorage(settings, (line) => void lines.push(line)), lines }
}
const asides = async () => (await readdir(home)).filter((name) => name.startsWith('files-moved-'))

test.runIf(hasAzurite)('moves the files to Azure once it is configured, and renames the folder', async () => {
  await fillFolder()
  const { storage, lines } = await openAzure()
  for (const [path, text] of Object.entries(FILES)) expect(await textOf(storage, path.split('/'))).toBe(text)
  expect(await storage.list(['1', 'media', 'Empty'])).toEqual([])
  expect(lines).toEqual([expect.stringMatching(/^Moved 4 files to Azure Storage; 0 already existed there\./)])
  const [aside = ''] = await asides()
  expect(await readFile(join(home, aside, '1/media/price list #1 (50%).pdf'), 'utf8')).toBe('a list')
  expect((await openAzure()).lines).toEqual([])
})

test.runIf(hasAzurite)('continues an interrupted move and keeps newer files in Azure', async () => {
  await fillFolder()
  await putFile(azure.storage, ['1', 'media', 'Logos', 'Überblick 概要.png'], 'a newer logo')
  const { storage, lines } = await openAzure()
  expect(await textOf(storage, ['1', 'media', 'Logos', 'Überblick 概要.png'])).toBe('a newer logo')
  expect(await textOf(storage, ['7', 'media', 'Logos', 'Überblick 概要.png'])).toBe(
    'a logo of another customer',
  )
  expect(lines).toEqual([expect.stringMatching(/^Moved 3 files to Azure Storage; 1 already existed there\./)])
})

test.runIf(hasAzurite)('moves nothing and leaves the folder unchanged if Azure is unreachable', async () => {
  await fillFolder()
  const { connection } = azure
  await azure.close()
  const settings = readSettings({
    FORECOURT_HOME: home,
    FORECOURT_AZURE_STORAGE: connection.replace(/:\d+\//, ':9/'),
  })
  await expect(openStorage(settings, () => {})).rejects.toThrow('is not writable')
  expect(await asides()).toEqual([])
  azure = await fakeAzureStorage()
  expect((await openAzure()).lines[0]).toMatch(/^Moved 4 files/)
})
