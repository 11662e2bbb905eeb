import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openAzureStorage } from '#server/outside/azure-storage.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'

export type FakeStorage = {
  storage: FileStorage
  /** The connection string for the settings. Empty for a folder. */
  connection: string
  close: () => Promise<void>
}

/** A storage in a temporary folder. */
export async function fakeFolderStorage(): Promise<FakeStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'))
  return {
    storage: await openFolderStorage(folder),
    connection: '',
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const AZURITE = resolve(import.meta.dirname, '../../node_modules/azurite/dist/src/blob/main.js')
// The default account of Azurite. Its key is in the documentation.
const ACCOUNT = 'devstoreaccount1'
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Whether Azurite, the Azure Storage emulator, is installed. */
export const hasAzurite = existsSync(AZURITE)

/** A storage in a new Azurite process. */
export async function fakeAzureStorage(): Promise<FakeStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-azurite-'))
  const port = await freePort()
  const options = ['--location', folder, '--blobHost', '127.0.0.1', '--blobPort', String(port)]
  const child = spawn(
    process.execPath,
    [AZURITE, ...options, '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const connection = `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};BlobEndpoint=http://127.0.0.1:${port}/${ACCOUNT};`
  const storage = openAzureStorage({ connection, container: 'forecourt' })
  await untilReady(() => storage.check())
  return {
    storage,
    connection,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(check: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + 20_000
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Stores a new file. */
export async function putFile(
  storage: FileStorage,
  place: StoragePath,
  text: string | Buffer,
): Promise<void> {
  const staged = await storage.stage(place, Readable.from([Buffer.from(text)]), () => {})
  await staged.publish({ replaces: false })
}

/** The text of a file, or null if it does not exist. */
export async function textOf(storage: FileStorage, place: StoragePath): Promise<string | null> {
  const file = await storage.read(place)
  return file && (await buffer(file.body)).toString()
}
