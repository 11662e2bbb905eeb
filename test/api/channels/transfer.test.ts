import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutgoingFile, Remote } from '#server/outside/transfer/remote.ts'
import { fetchFile, sendFile } from '#server/outside/transfer/transfer.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'

// test/prove/servers/transfer.prove.ts covers every protocol and error.

const login = { user: 'dealer', password: 'right' }
const FEED = Buffer.alloc(300_000, 'vin,price\n')

let sftp: FakeSftpServer
beforeAll(async () => {
  sftp = await startFakeSftpServer(login)
})
afterAll(() => sftp.close())

const remote = (path: string, more: Partial<Remote> = {}): Remote => ({
  protocol: 'sftp',
  host: 'localhost',
  port: sftp.port,
  path,
  user: login.user,
  secret: login.password,
  hostKey: null,
  isGuarded: false,
  ...more,
})

const outgoing = (confirm: OutgoingFile['confirm']): OutgoingFile => ({
  body: Readable.from([FEED]),
  bytes: FEED.length,
  type: 'text/csv',
  word: '7',
  key: 'channel-1',
  confirm,
})

test('fetches a complete file and reports the step at which a wrong password fails', async () => {
  sftp.files.set('/out/feed.csv', FEED)
  expect((await buffer((await fetchFile(remote('/out/feed.csv'))).body)).equals(FEED)).toBe(true)
  await expect(fetchFile(remote('/out/feed.csv', { secret: 'wrong' }))).rejects.toThrow(', sign-in: ')
})

test('sends a file under a temporary name before replacing the old one', async () => {
  sftp.files.set('/in/cars.csv', Buffer.from('old'))
  let seen = ''
  const confirm = async () => {
    seen = sftp.files.get('/in/cars.csv')?.toString() ?? ''
  }
  await sendFile(remote('/in/cars.csv'), outgoing(confirm))
  expect(seen).toBe('old')
  expect(sftp.files.get('/in/cars.csv')?.equals(FEED)).toBe(true)
  const cancel = () => Promise.reject(new Error('Another server has the turn.'))
  await expect(sendFile(remote('/in/cars.csv'), outgoing(cancel))).rejects.toThrow('Another server')
  expect([...sftp.files.keys()].filter((name) => name.endsWith('.part'))).toEqual([])
})

test.each(['sftp', 'ftp', 'ftps', 'https'] as const)(
  'does not connect to private addresses by %s',
  async (protocol) => {
    await expect(fetchFile(remote('/out/feed.csv', { protocol, isGuarded: true }))).rejects.toThrow(
      'host lookup: localhost is not on the public internet',
    )
  },
)

test('does not send files without encryption', async () => {
  await expect(
    sendFile(
      remote('/cars.csv', { protocol: 'ftp' }),
      outgoing(async () => {}),
    ),
  ).rejects.toThrow('Use FTPS.')
})
