import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Remote } from '#server/outside/transfer/remote.ts'
import { clearFile, fetchFile } from '#server/outside/transfer/transfer.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeFtpServer, startFakeFtpServer } from '#test/fakes/ftp.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'

const login = { user: 'dealer', password: 'right' }
const certificate = makeCertificate()
const trusted = getCACertificates()
let sftp: FakeSftpServer
let ftp: FakeFtpServer
let ftps: FakeFtpServer
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  sftp = await startFakeSftpServer(login)
  ftp = await startFakeFtpServer(login, null)
  ftps = await startFakeFtpServer(login, certificate)
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await Promise.all([sftp, ftp, ftps].map((one) => one.close()))
})
beforeEach(() => {
  for (const twin of [sftp, ftp, ftps]) {
    for (const kept of [twin.files, twin.times, twin.locked]) kept.clear()
  }
  ftp.isOld = false
  ftp.listsForPeople = false
})

const remote = (protocol: 'sftp' | 'ftp' | 'ftps', path: string): Remote => ({
  protocol,
  host: 'localhost',
  port: { sftp, ftp, ftps }[protocol].port,
  path,
  user: login.user,
  secret: login.password,
  hostKey: null,
  isGuarded: false,
})

/** Lays files on a server, each with its name as its text. */
function lay(twin: FakeSftpServer | FakeFtpServer, files: Record<string, string>): void {
  for (const [path, changedAt] of Object.entries(files)) {
    twin.files.set(path, Buffer.from(path))
    twin.times.set(path, new Date(changedAt))
  }
}

async function fetched(from: Remote, bounds: Parameters<typeof fetchFile>[1] = {}) {
  const { body, file } = await fetchFile(from, bounds)
  return { text: (await buffer(body)).toString(), file }
}

describe.each(['sftp', 'ftp', 'ftps'] as const)('by %s', (protocol) => {
  const twin = () => ({ sftp, ftp, ftps })[protocol]

  test('the newest file of a pattern is fetched, of equal ones the last by name', async () => {
    lay(twin(), {
      '/out/cars_9.csv': '2026-11-20T03:10:00Z',
      '/out/cars_1.csv': '2026-11-22T03:10:00Z',
      '/out/cars_2.csv': '2026-11-22T03:10:00Z',
      '/out/.cars_3.csv.7.part': '2026-11-23T03:10:00Z',
      '/out/vans_4.csv': '2026-11-23T03:10:00Z',
      '/out/old/cars_5.csv': '2026-11-23T03:10:00Z',
    })
    const { text, file } = await fetched(remote(protocol, '/out/cars_*.csv'))
    expect(text).toBe('/out/cars_2.csv')
    expect(file).toEqual({
      path: '/out/cars_2.csv',
      bytes: text.length,
      changedAt: new Date('2026-11-22T03:10:00Z'),
    })
    expect((await fetched(remote(protocol, '/out/*'))).text).toBe('/out/vans_4.csv')
  })

  test('the place that the server opens with, and its top, are folders as well', async () => {
    lay(twin(), { 'cars_1.csv': '2026-11-22T03:10:00Z', '/cars_2.csv': '2026-11-23T03:10:00Z' })
    expect((await fetched(remote(protocol, 'cars_*.csv'))).text).toBe('cars_1.csv')
    expect((await fetched(remote(protocol, '/cars_*.csv'))).text).toBe('/cars_2.csv')
  })

  test('where none is meant, it is said what was looked for and how many are there', async () => {
    await expect(fetchFile(remote(protocol, '/out/cars_*.csv'))).rejects.toThrow(
      ', the file: No file in /out is called cars_*.csv: there are no files.',
    )
    lay(twin(), { '/out/Cars_1.csv': '2026-11-22T03:10:00Z', '/out/vans.csv': '2026-11-22T03:10:00Z' })
    await expect(fetchFile(remote(protocol, '/out/cars_*.csv'))).rejects.toThrow(
      ', the file: No file in /out is called cars_*.csv: 2 files are there, such as Cars_1.csv, vans.csv.',
    )
  })

  test('a folder of many names is looked through, and one of too many is refused', async () => {
    for (let at = 0; at < 5_000; at += 1) twin().files.set(`/many/other_${at}.csv`, Buffer.from('x'))
    lay(twin(), { '/many/cars_1.csv': '2026-11-22T03:10:00Z' })
    expect((await fetched(remote(protocol, '/many/cars_*.csv'))).text).toBe('/many/cars_1.csv')
    await expect(fetchFile(remote(protocol, '/many/cars_*.csv'), { maxNames: 1_000 })).rejects.toThrow(
      ', the file: The folder has more than 1,000 names and is not looked through.',
    )
  })

  test('a file is deleted, or moved to a folder beside it or at the top', async () => {
    lay(twin(), {
      '/out/cars_1.csv': '2026-11-22T03:10:00Z',
      '/out/cars_2.csv': '2026-11-23T03:10:00Z',
      '/out/cars_3.csv': '2026-11-24T03:10:00Z',
    })
    const from = remote(protocol, '/out/cars_*.csv')
    const clear = async (by: Parameters<typeof clearFile>[1]['by']) =>
      clearFile(from, { file: (await fetched(from)).file, by })
    expect(await clear({ kind: 'delete' })).toBe(null)
    expect(await clear({ kind: 'move', folder: 'done' })).toBe('/out/done/cars_2.csv')
    expect(await clear({ kind: 'move', folder: '/read' })).toBe('/read/cars_1.csv')
    expect([...twin().files.keys()].toSorted()).toEqual(['/out/done/cars_2.csv', '/read/cars_1.csv'])
    expect(twin().files.get('/read/cars_1.csv')?.toString()).toBe('/out/cars_1.csv')
  })

  test('what was moved before is kept: the next one of its name gets the moment into its own', async () => {
    lay(twin(), {
      '/out/cars.csv.gz': '2026-11-22T03:10:00Z',
      '/out/done/cars.csv.gz': '2026-11-21T03:10:00Z',
    })
    const from = remote(protocol, '/out/cars.csv.gz')
    const { file } = await fetched(from)
    const to = await clearFile(from, { file, by: { kind: 'move', folder: 'done' } })
    expect(to).toMatch(/^\/out\/done\/cars_\d{8}T\d{6}Z\.csv\.gz$/)
    expect(twin().files.get('/out/done/cars.csv.gz')?.toString()).toBe('/out/done/cars.csv.gz')
    expect(
      twin()
        .files.get(to ?? '')
        ?.toString(),
    ).toBe('/out/cars.csv.gz')
  })

  test('a file that was replaced meanwhile stays', async () => {
    lay(twin(), { '/out/cars.csv': '2026-11-22T03:10:00Z' })
    const from = remote(protocol, '/out/cars.csv')
    const { file } = await fetched(from)
    twin().times.set('/out/cars.csv', new Date('2026-11-22T03:11:00Z'))
    const clearing = clearFile(from, { file, by: { kind: 'delete' } })
    await expect(clearing).rejects.toThrow(
      'It changed while it was fetched, so it stays and is fetched again.',
    )
    twin().times.set('/out/cars.csv', new Date('2026-11-22T03:10:00Z'))
    twin().files.set('/out/cars.csv', Buffer.from('longer than it was'))
    await expect(clearFile(from, { file, by: { kind: 'delete' } })).rejects.toThrow('It changed')
    expect(twin().files.size).toBe(1)
  })

  test('where the server does not allow it, it says so and the file stays', async () => {
    lay(twin(), { '/out/cars.csv': '2026-11-22T03:10:00Z' })
    twin().locked.add('/out/cars.csv')
    const from = remote(protocol, '/out/cars.csv')
    const { file } = await fetched(from)
    for (const by of [{ kind: 'delete' as const }, { kind: 'move' as const, folder: 'done' }]) {
      await expect(clearFile(from, { file, by })).rejects.toThrow(
        new RegExp(`^${protocol.toUpperCase()} localhost:\\d+, the file: .*Permission denied`, 'i'),
      )
    }
    await expect(clearFile(from, { file, by: { kind: 'move', folder: '/out' } })).rejects.toThrow(
      'It is in that folder already.',
    )
    expect([...twin().files.keys()]).toEqual(['/out/cars.csv'])
  })
})

test('an FTP server that tells no times is gone through by name, and nothing there is overwritten', async () => {
  ftp.isOld = true
  lay(ftp, {
    '/out/cars_1.csv': '2026-11-23T03:10:00Z',
    '/out/cars_2.csv': '2026-11-22T03:10:00Z',
    '/out/done/cars_2.csv': '2026-11-22T03:10:00Z',
  })
  const from = remote('ftp', '/out/cars_*.csv')
  const { text, file } = await fetched(from)
  expect([text, file.bytes, file.changedAt]).toEqual(['/out/cars_2.csv', null, null])
  const to = await clearFile(from, { file, by: { kind: 'move', folder: 'done' } })
  expect(to).toMatch(/^\/out\/done\/cars_2_\d{8}T\d{6}Z\.csv$/)
  expect(ftp.files.get('/out/done/cars_2.csv')?.toString()).toBe('/out/done/cars_2.csv')
})

test('an FTP server that lists for people alone is asked for the time of each file', async () => {
  lay(ftp, { '/out/cars_1.csv': '2026-11-23T03:10:00Z', '/out/cars_2.csv': '2026-11-22T03:10:00Z' })
  ftp.listsForPeople = true
  expect((await fetched(remote('ftp', '/out/cars_*.csv'))).text).toBe('/out/cars_1.csv')
})

test('a name that leads elsewhere or holds a command is passed by', async () => {
  lay(sftp, { '/out/cars_1.csv': '2026-11-22T03:10:00Z' })
  sftp.files.set('/out/cars_\r\nDELE x.csv', Buffer.from('bad'))
  sftp.times.set('/out/cars_\r\nDELE x.csv', new Date('2026-11-23T03:10:00Z'))
  expect((await fetched(remote('sftp', '/out/cars_*.csv'))).text).toBe('/out/cars_1.csv')
})
