import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createSecureServer, type Server } from 'node:https'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ssh2 from 'ssh2'
import type { OutgoingFile, Remote } from '#server/outside/transfer/remote.ts'
import { fetchFile, sendFile } from '#server/outside/transfer/transfer.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeFtpServer, startFakeFtpServer } from '#test/fakes/ftp.ts'
import { newHostKey, type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'

const login = { user: 'dealer', password: 'right' }
const BIG = Buffer.alloc(300_000, 'vin,price\n')
const certificate = makeCertificate()
const stops: (() => Promise<unknown>)[] = []

let sftp: FakeSftpServer
let ftp: FakeFtpServer
let ftps: FakeFtpServer
let web: {
  port: number
  received: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[]
}
const trusted = getCACertificates()
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  sftp = await startFakeSftpServer(login)
  ftp = await startFakeFtpServer(login, null)
  ftps = await startFakeFtpServer(login, certificate)
  web = await startWeb()
  stops.push(sftp.close, ftp.close, ftps.close)
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await Promise.all(stops.map((stop) => stop()))
})

async function startWeb(): Promise<typeof web> {
  const received: typeof web.received = []
  const server: Server = createSecureServer(certificate, (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      received.push({ method, url, headers, body })
      if (url === '/moved.csv') return response.writeHead(302, { location: '/feed.csv' }).end()
      if (url === '/open.csv') return response.writeHead(302, { location: 'http://localhost/feed.csv' }).end()
      if (url === '/round.csv') return response.writeHead(302, { location: '/round.csv' }).end()
      if (url === '/cut.csv') {
        response.writeHead(200, { 'content-length': '1000' }).write('half')
        return setTimeout(() => response.destroy(), 50)
      }
      if (url === '/silent.csv') return undefined
      if (url === '/closed.csv') return response.writeHead(403).end()
      return url === '/feed.csv' || method === 'PUT'
        ? response.end('vin\n1\n')
        : response.writeHead(404).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => new Promise((done) => server.close(done).closeAllConnections()))
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, received }
}

function remote(protocol: Remote['protocol'], path: string, more: Partial<Remote> = {}): Remote {
  const ports = { sftp: sftp.port, ftp: ftp.port, ftps: ftps.port, https: web.port }
  return {
    protocol,
    host: 'localhost',
    port: ports[protocol],
    path,
    user: login.user,
    secret: login.password,
    hostKey: null,
    isGuarded: false,
    ...more,
  }
}

function outgoing(body: Buffer | Readable, more: Partial<OutgoingFile> = {}): OutgoingFile {
  const stream = body instanceof Readable ? body : Readable.from([body])
  const bytes = body instanceof Readable ? 10 : body.length
  return {
    body: stream,
    bytes,
    type: 'text/csv',
    word: '7',
    key: 'channel-1',
    confirm: async () => {},
    ...more,
  }
}

async function fetched(from: Remote, bounds: Parameters<typeof fetchFile>[1] = {}): Promise<Buffer> {
  return buffer((await fetchFile(from, bounds)).body)
}

describe.each(['sftp', 'ftp', 'ftps'] as const)('by %s', (protocol) => {
  const files = () => ({ sftp, ftp, ftps })[protocol].files

  test('fetches a complete file', async () => {
    files().set('/out/feed.csv', BIG)
    expect((await fetched(remote(protocol, '/out/feed.csv'))).equals(BIG)).toBe(true)
  })

  test('rejects a file that is too large or missing, and a wrong password, naming the server and the step', async () => {
    files().set('/out/feed.csv', BIG)
    const at = `${protocol.toUpperCase()} localhost:`
    await expect(fetched(remote(protocol, '/out/feed.csv'), { maxBytes: 1_000 })).rejects.toThrow(
      new RegExp(`^${at}\\d+, file: It`),
    )
    await expect(fetched(remote(protocol, '/none.csv'))).rejects.toThrow(', file: ')
    await expect(fetched(remote(protocol, '/out/feed.csv', { secret: 'wrong' }))).rejects.toThrow(
      ', sign-in: ',
    )
  })
})

describe.each(['sftp', 'ftps'] as const)('to %s', (protocol) => {
  const fake = () => ({ sftp, ftps })[protocol]

  test('sends a file under a temporary name and then replaces the old one', async () => {
    fake().files.set('/in/cars.csv', Buffer.from('old'))
    let seen = ''
    const confirm = async () => {
      seen = fake().files.get('/in/cars.csv')?.toString() ?? ''
      expect(fake().files.get('/in/.cars.csv.7.part')?.length).toBe(BIG.length)
    }
    await sendFile(remote(protocol, '/in/cars.csv'), outgoing(BIG, { confirm }))
    expect(seen).toBe('old')
    expect(fake().files.get('/in/cars.csv')?.equals(BIG)).toBe(true)
    expect([...fake().files.keys()].filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('a canceled transfer leaves the old file and no partial one', async () => {
    fake().files.set('/in/cars.csv', Buffer.from('old'))
    const confirm = () => Promise.reject(new Error('Another server has the lease.'))
    await expect(sendFile(remote(protocol, '/in/cars.csv'), outgoing(BIG, { confirm }))).rejects.toThrow(
      'Another server has the lease.',
    )
    expect(fake().files.get('/in/cars.csv')?.toString()).toBe('old')
    expect([...fake().files.keys()].filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('a failing source leaves the old file', async () => {
    fake().files.set('/in/cars.csv', Buffer.from('old'))
    async function* broken() {
      yield Buffer.from('vin\n')
      throw new Error('The disk is gone.')
    }
    await expect(
      sendFile(remote(protocol, '/in/cars.csv'), outgoing(Readable.from(broken()))),
    ).rejects.toThrow(', transfer: The disk is gone.')
    expect(fake().files.get('/in/cars.csv')?.toString()).toBe('old')
  })
})

describe('SFTP', () => {
  test('returns the server fingerprint, and rejects a different one before sending the password', async () => {
    const { body, hostKey } = await fetchFile(remote('sftp', '/out/feed.csv'))
    body.destroy()
    expect(hostKey).toMatch(/^SHA256:[\w+/]{43}$/)
    const other = await startFakeSftpServer(login, { hostKey: newHostKey() })
    stops.push(other.close)
    const place = remote('sftp', '/in/cars.csv', { port: other.port, hostKey })
    await expect(sendFile(place, outgoing(BIG))).rejects.toThrow(', host key: The server presented SHA256:')
    expect(other.files.size).toBe(0)
  })

  test('accepts a private key instead of a password', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const parsed = ssh2.utils.parseKey(pem)
    if (parsed instanceof Error) throw parsed
    const publicKey = parsed.getPublicSSH().toString('base64')
    const own = await startFakeSftpServer({ user: 'dealer', password: 'none', publicKey })
    stops.push(own.close)
    own.files.set('/feed.csv', Buffer.from('vin\n'))
    const place = remote('sftp', '/feed.csv', { port: own.port, secret: pem })
    expect((await fetched(place)).toString()).toBe('vin\n')
  })

  test('a connection closed during the transfer leaves the old file and reports an error', async () => {
    const own = await startFakeSftpServer(login)
    stops.push(own.close)
    own.files.set('/cars.csv', Buffer.from('old'))
    own.closesAfterBytes = 100_000
    await expect(sendFile(remote('sftp', '/cars.csv', { port: own.port }), outgoing(BIG))).rejects.toThrow(
      ', transfer: ',
    )
    expect(own.files.get('/cars.csv')?.toString()).toBe('old')
  })
})

describe('HTTPS', () => {
  test('follows redirects, but not to URLs without TLS and not endlessly', async () => {
    expect((await fetched(remote('https', '/moved.csv'))).toString()).toBe('vin\n1\n')
    await expect(fetched(remote('https', '/open.csv'))).rejects.toThrow('without HTTPS')
    await expect(fetched(remote('https', '/round.csv'))).rejects.toThrow('more than 5 redirects')
  })

  test('reports an error status, a closed connection and a silent server', async () => {
    await expect(fetched(remote('https', '/none.csv'))).rejects.toThrow(
      'file: The server returned status 404.',
    )
    await expect(fetched(remote('https', '/cut.csv'))).rejects.toThrow(', transfer: ')
    await expect(fetched(remote('https', '/silent.csv'), { stepMs: 200 })).rejects.toThrow(
      'The server is not responding.',
    )
  })

  test('sends a file with its length, idempotency key and credentials', async () => {
    await sendFile(remote('https', '/in?x=1', { user: null, secret: 'token' }), outgoing(BIG))
    const last = web.received.at(-1)
    expect(last).toMatchObject({ method: 'PUT', url: '/in?x=1' })
    expect(last?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-length': String(BIG.length),
      'idempotency-key': 'channel-1',
    })
    expect(last?.body.length).toBe(BIG.length)
    await expect(sendFile(remote('https', '/closed.csv'), outgoing(Buffer.from('x')))).rejects.toThrow(
      'sign-in: The server returned status 403.',
    )
  })

  test('rejects an untrusted certificate', async () => {
    setDefaultCACertificates(trusted)
    try {
      await expect(fetched(remote('https', '/feed.csv'))).rejects.toThrow(', connection: ')
    } finally {
      setDefaultCACertificates([...trusted, certificate.cert])
    }
  })
})

test.each(['sftp', 'ftp', 'ftps', 'https'] as const)(
  'by %s, an untrusted host cannot be a private address',
  async (protocol) => {
    await expect(fetched(remote(protocol, '/out/feed.csv', { isGuarded: true }))).rejects.toThrow(
      'host lookup: localhost is not on the public internet',
    )
  },
)

test('gives up on a server that never responds', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  stops.push(() => new Promise((done) => silent.close(done).closeAllConnections()))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(fetched(remote('sftp', '/x', { port }), { stepMs: 300, totalMs: 500 })).rejects.toThrow(
    'SFTP localhost',
  )
  await expect(fetched(remote('ftps', '/x', { port }), { stepMs: 300, totalMs: 500 })).rejects.toThrow(
    'FTPS localhost',
  )
})

test('does not send files over plain FTP', async () => {
  await expect(sendFile(remote('ftp', '/cars.csv'), outgoing(BIG))).rejects.toThrow('Use FTPS.')
})
