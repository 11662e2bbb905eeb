// @module-tag release
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
  for (const server of [sftp, ftp, ftps]) {
    for (const kept of [server.files, server.times, server.locked]) kept.clear()
  }
  ftp.isRfc959Only = false
  ftp.hasPlainListings = false
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

/** Puts files on a server, each with its path as its content. */
function putFiles(server: FakeSftpServer | FakeFtpServer, files: Record<string, string>): void {
  for (const [path, changedAt] of Object.entries(files)) {
    server.files.set(path, Buffer.from(path))
    server.times.set(path, new Date(changedAt))
  }
}

async function fetched(from: Remote, bounds: Parameters<typeof fetchFile>[1] = {}) {
  const { body, file } = await fetchFile(from, bounds)
  return { text: (await buffer(body)).toString(), file }
}

describe.each(['sftp', 'ftp', 'ftps'] as const)('by %s', (protocol) => {
  const server = () => ({ sftp, ftp, ftps })[protocol]

  test('fetches the newest file of a pattern, and of equally new ones the last by name', async () => {
    putFiles(server(), {
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

  test('supports the login folder and the root folder', async () => {
    putFiles(server(), { 'cars_1.csv': '2026-11-22T03:10:00Z', '/cars_2.csv': '2026-11-23T03:10:00Z' })
    expect((await fetched(remote(protocol, 'cars_*.csv'))).text).toBe('cars_1.csv')
    expect((await fetched(remote(protocol, '/cars_*.csv'))).text).toBe('/cars_2.csv')
  })

  test('reports the pattern and the number of files if none match', async () => {
    await expect(fetchFile(remote(protocol, '/out/cars_*.csv'))).rejects.toThrow(
      ', file: No file in /out matches cars_*.csv. The folder is empty.',
    )
    putFiles(server(), { '/out/Cars_1.csv': '2026-11-22T03:10:00Z', '/out/vans.csv': '2026-11-22T03:10:00Z' })
    await expect(fetchFile(remote(protocol, '/out/cars_*.csv'))).rejects.toThrow(
      ', file: No file in /out matches cars_*.csv. The folder has 2 files, such as Cars_1.csv, vans.csv.',
    )
  })

  test('searches a large folder and rejects one that is too large', async () => {
    for (let at = 0; at < 5_000; at += 1) server().files.set(`/many/other_${at}.csv`, Buffer.from('x'))
    putFiles(server(), { '/many/cars_1.csv': '2026-11-22T03:10:00Z' })
    expect((await fetched(remote(protocol, '/many/cars_*.csv'))).text).toBe('/many/cars_1.csv')
    await expect(fetchFile(remote(protocol, '/many/cars_*.csv'), { maxNames: 1_000 })).rejects.toThrow(
      ', file: The folder has more than 1,000 files, which is too many to search.',
    )
  })

  test('deletes a file, or moves it to a relative or absolute folder', async () => {
    putFiles(server(), {
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
    expect([...server().files.keys()].toSorted()).toEqual(['/out/done/cars_2.csv', '/read/cars_1.csv'])
    expect(server().files.get('/read/cars_1.csv')?.toString()).toBe('/out/cars_1.csv')
  })

  test('keeps a previously moved file by adding a timestamp to the name of the next one', async () => {
    putFiles(server(), {
      '/out/cars.csv.gz': '2026-11-22T03:10:00Z',
      '/out/done/cars.csv.gz': '2026-11-21T03:10:00Z',
    })
    const from = remote(protocol, '/out/cars.csv.gz')
    const { file } = await fetched(from)
    const to = await clearFile(from, { file, by: { kind: 'move', folder: 'done' } })
    expect(to).toMatch(/^\/out\/done\/cars_\d{8}T\d{6}Z\.csv\.gz$/)
    expect(server().files.get('/out/done/cars.csv.gz')?.toString()).toBe('/out/done/cars.csv.gz')
    expect(
      server()
        .files.get(to ?? '')
        ?.toString(),
    ).toBe('/out/cars.csv.gz')
  })

  test('leaves a file that was replaced meanwhile', async () => {
    putFiles(server(), { '/out/cars.csv': '2026-11-22T03:10:00Z' })
    const from = remote(protocol, '/out/cars.csv')
    const { file } = await fetched(from)
    server().times.set('/out/cars.csv', new Date('2026-11-22T03:11:00Z'))
    const clearing = clearFile(from, { file, by: { kind: 'delete' } })
    await expect(clearing).rejects.toThrow(
      'It changed during the transfer, so it was left there and will be fetched again.',
    )
    server().times.set('/out/cars.csv', new Date('2026-11-22T03:10:00Z'))
    server().files.set('/out/cars.csv', Buffer.from('longer than it was'))
    await expect(clearFile(from, { file, by: { kind: 'delete' } })).rejects.toThrow('It changed')
    expect(server().files.size).toBe(1)
  })

  test('reports missing permission and leaves the file', async () => {
    putFiles(server(), { '/out/cars.csv': '2026-11-22T03:10:00Z' })
    server().locked.add('/out/cars.csv')
    const from = remote(protocol, '/out/cars.csv')
    const { file } = await fetched(from)
    for (const by of [{ kind: 'delete' as const }, { kind: 'move' as const, folder: 'done' }]) {
      await expect(clearFile(from, { file, by })).rejects.toThrow(
        new RegExp(`^${protocol.toUpperCase()} localhost:\\d+, file: .*Permission denied`, 'i'),
      )
    }
    await expect(clearFile(from, { file, by: { kind: 'move', folder: '/out' } })).rejects.toThrow(
      'It is already in that folder.',
    )
    expect([...server().files.keys()]).toEqual(['/out/cars.csv'])
  })
})

test('uses file names on an FTP server without timestamps, and overwrites nothing', async () => {
  ftp.isRfc959Only = true
  putFiles(ftp, {
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

test('asks for the time of each file on an FTP server without machine-readable listings', async () => {
  putFiles(ftp, { '/out/cars_1.csv': '2026-11-23T03:10:00Z', '/out/cars_2.csv': '2026-11-22T03:10:00Z' })
  ftp.hasPlainListings = true
  expect((await fetched(remote('ftp', '/out/cars_*.csv'))).text).toBe('/out/cars_1.csv')
})

test('ignores a name that contains a path or a command', async () => {
  putFiles(sftp, { '/out/cars_1.csv': '2026-11-22T03:10:00Z' })
  sftp.files.set('/out/cars_\r\nDELE x.csv', Buffer.from('bad'))
  sftp.times.set('/out/cars_\r\nDELE x.csv', new Date('2026-11-23T03:10:00Z'))
  expect((await fetched(remote('sftp', '/out/cars_*.csv'))).text).toBe('/out/cars_1.csv')
})
