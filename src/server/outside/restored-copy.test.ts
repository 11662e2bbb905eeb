import { createSocket } from 'node:dgram'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postWebhook } from '#server/leads/webhooks/post-webhook.ts'
import { fetchPhoto } from '#server/vehicles/vehicles/photos/fetch-photo.ts'
import { openDnsResolver } from './dns-resolver.ts'
import { openPostmark } from './postmark.ts'
import { guardOutgoing } from './restored-copy.ts'
import { openNamedSmtp, openSmtp } from './smtp.ts'
import type { Remote } from './transfer/remote.ts'
import { clearFile, fetchFile, sendFile } from './transfer/transfer.ts'

const SERVER = join(import.meta.dirname, '..')
/** Modules, globals and calls that can connect to another machine. */
const NETWORK =
  /from '(node:(https?|http2|net|tls|dns|dns\/promises|dgram|child_process)|pg|nodemailer|ssh2|basic-ftp|undici|@azure\/[\w-]+)'|import\('nodemailer'\)|\bcreateRemoteJWKSet\(|(?<![.\w]|async )fetch\(|new WebSocket\(/
/** How a file asks before it connects. */
const ASKS = /await (requireOutgoing|isRestoredCopy|addressFor)\(/

/** Every file that uses one of them: whether it asks, or why it doesn't have to. */
const FILES: Record<string, 'asks' | `no: ${string}`> = {
  'database/connect.ts': 'no: our own database',
  'database/database-watch.ts': 'no: our own database',
  'database/embedded/account.ts': 'no: this machine',
  'database/embedded/address.ts': 'no: this machine',
  'database/embedded/data-folder.ts': 'no: this machine',
  'database/embedded/leftover.ts': 'no: this machine',
  'database/embedded/server-process.ts': 'no: this machine',
  'http/connection-errors.ts': 'no: receives',
  'installation/running-process.ts': 'no: this machine',
  'leads/webhooks/post-webhook.ts': 'asks',
  'outside/azure-storage.ts': 'no: the storage of this installation',
  'outside/dns-resolver.ts': 'asks',
  'outside/google.ts': 'no: public keys, while a user signs in',
  'outside/postmark.ts': 'asks',
  'outside/public-address.ts': 'no: looks up names for those that ask',
  'outside/smtp.ts': 'asks',
  'outside/transfer/ftp.ts': 'asks',
  'outside/transfer/https.ts': 'asks',
  'outside/transfer/remote.ts': 'asks',
  'outside/transfer/sftp.ts': 'asks',
  'reports/pdf.ts': 'no: a process of this product that lays out a document',
}

test('every file that can connect to another machine asks first, or is listed with the reason', async () => {
  const paths = (await readdir(SERVER, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.map(async (path) => ({ path: relative(SERVER, path), text: await readFile(path, 'utf8') })),
  )
  const connecting = texts.filter(({ text }) =>
    NETWORK.test(text.replaceAll(/^import type .*$/gm, '').replaceAll(/^\s*(\*|\/\/).*$/gm, '')),
  )
  const found = connecting.map(({ path, text }) => [
    path,
    ASKS.test(text) ? 'asks' : (FILES[path] ?? 'not listed'),
  ])
  expect(Object.fromEntries(found)).toEqual(FILES)
})

/** Counts what arrives, and hangs up. */
let arrived = 0
const server = createServer((socket) => {
  arrived += 1
  socket.destroy()
})
const names = createSocket('udp4')
let port = 0
let end: () => void
let isCopy = false
beforeAll(async () => {
  names.on('message', () => void (arrived += 1))
  await new Promise<void>((bound) => names.bind(0, '127.0.0.1', bound))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  end = guardOutgoing(async () => isCopy)
})
afterAll(() => {
  end()
  server.close()
  names.close()
})

const MAIL = { key: 'k', toName: '', toEmail: 'a@b.example', subject: 'S', text: 'T' }
const SENDER = { name: null, email: 'us@b.example', replyTo: null }
const remote = (protocol: Remote['protocol']): Remote => ({
  protocol,
  host: '127.0.0.1',
  port,
  path: '/a.csv',
  user: 'u',
  secret: 'p',
  hostKey: null,
  isGuarded: false,
})
const outgoing = () => ({
  body: Readable.from([Buffer.from('x')]),
  bytes: 1,
  type: 'text/csv',
  word: 'w',
  key: 'k',
  confirm: async () => {},
})
const file = { path: '/a.csv', bytes: 1, changedAt: null }
const PROTOCOLS = ['https', 'sftp', 'ftp', 'ftps'] as const

/** Every way out, used at a server that hangs up. */
const WAYS: Record<string, () => Promise<unknown>> = {
  'the mail server of the installation': () =>
    openSmtp({ url: `smtp://127.0.0.1:${port}`, from: 'us@b.example' }).send(MAIL),
  'the mail server of a customer': () =>
    openNamedSmtp({
      host: '127.0.0.1',
      port,
      security: 'none',
      login: null,
      sender: SENDER,
      isGuarded: false,
    }).send(MAIL),
  Postmark: () =>
    openPostmark({ url: `http://127.0.0.1:${port}`, token: 't', stream: null, sender: SENDER }).send(MAIL),
  'a webhook': () =>
    postWebhook(`https://127.0.0.1:${port}/hook`, { body: '{}', headers: {}, allowsPrivate: true }),
  'a photo': () => fetchPhoto(`https://127.0.0.1:${port}/a.jpg`, { isGuarded: false }),
  'a name server': async () => {
    const texts = openDnsResolver([`127.0.0.1:${names.address().port}`]).readTexts('a.example')
    // It never answers.
    await Promise.race([texts, once(names, 'message')])
    texts.catch(() => {})
  },
  ...Object.fromEntries(PROTOCOLS.map((one) => [`fetching by ${one}`, () => fetchFile(remote(one))])),
  ...Object.fromEntries(
    (['sftp', 'ftp', 'ftps'] as const).map((one) => [
      `deleting by ${one}`,
      () => clearFile(remote(one), { file, by: { kind: 'delete' } }),
    ]),
  ),
  ...Object.fromEntries(
    (['https', 'sftp', 'ftps'] as const).map((one) => [
      `sending by ${one}`,
      () => sendFile(remote(one), outgoing()),
    ]),
  ),
}

test.each(Object.entries(WAYS))('%s is not used in a restored copy', async (_, use) => {
  const tryIt = async (): Promise<string> => {
    const result = await use().then(JSON.stringify, String)
    return result ?? ''
  }
  isCopy = true
  arrived = 0
  expect(await tryIt()).toContain('This installation is a restored copy.')
  expect(arrived).toBe(0)
  isCopy = false
  expect(await tryIt()).not.toContain('restored copy')
  expect(arrived).toBeGreaterThan(0)
})

test('nothing leaves while it is not known whether this is a copy', async () => {
  const endUnknown = guardOutgoing(() => Promise.reject(new Error('The database is away.')))
  arrived = 0
  await Promise.allSettled(Object.values(WAYS).map((use) => use()))
  endUnknown()
  expect(arrived).toBe(0)
})
