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
let web: { port: number; got: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] }
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
  const got: typeof web.got = []
  const server: Server = createSecureServer(certificate, (request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      got.push({ method, url, headers, body })
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
  return { port: typeof address === 'object' && address !== null ? address.port : 0, got }
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

  test('a file is fetched whole', async () => {
    files().set('/out/feed.csv', BIG)
    expect((await fetched(remote(protocol, '/out/feed.csv'))).equals(BIG)).toBe(true)
  })

  test('what is larger than wanted, not there, or behind a wrong password is refused with the place and the step', async () => {
    files().set('/out/feed.csv', BIG)
    const at = `${protocol.toUpperCase()} localhost:`
    await expect(fetched(remote(protocol, '/out/feed.csv'), { maxBytes: 1_000 })).rejects.toThrow(
      new RegExp(`^${at}\\d+, the file: It`),
    )
    await expect(fetched(remote(protocol, '/none.csv'))).rejects.toThrow(', the file: ')
    await expect(fetched(remote(protocol, '/out/feed.csv', { secret: 'wrong' }))).rejects.toThrow(
      ', signing in: ',
    )
  })
})

describe.each(['sftp', 'ftps'] as const)('to %s', (protocol) => {
  const twin = () => ({ sftp, ftps })[protocol]

  test('a file is sent under another name and then takes the place of the old one', async () => {
    twin().files.set('/in/cars.csv', Buffer.from('old'))
    let seen = ''
    const confirm = async () => {
      seen = twin().files.get('/in/cars.csv')?.toString() ?? ''
      expect(twin().files.get('/in/.cars.csv.7.part')?.length).toBe(BIG.length)
    }
    await sendFile(remote(protocol, '/in/cars.csv'), outgoing(BIG, { confirm }))
    expect(seen).toBe('old')
    expect(twin().files.get('/in/cars.csv')?.equals(BIG)).toBe(true)
    expect([...twin().files.keys()].filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('one that is called off leaves the old one, and nothing half', async () => {
    twin().files.set('/in/cars.csv', Buffer.from('old'))
    const confirm = () => Promise.reject(new Error('Another server has the turn.'))
    await expect(sendFile(remote(protocol, '/in/cars.csv'), outgoing(BIG, { confirm }))).rejects.toThrow(
      'Another server has the turn.',
    )
    expect(twin().files.get('/in/cars.csv')?.toString()).toBe('old')
    expect([...twin().files.keys()].filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('one whose making breaks off leaves the old one', async () => {
    twin().files.set('/in/cars.csv', Buffer.from('old'))
    async function* broken() {
      yield Buffer.from('vin\n')
      throw new Error('The disk is gone.')
    }
    await expect(
      sendFile(remote(protocol, '/in/cars.csv'), outgoing(Readable.from(broken()))),
    ).rejects.toThrow(', the transfer: The disk is gone.')
    expect(twin().files.get('/in/cars.csv')?.toString()).toBe('old')
  })
})

describe('SFTP', () => {
  test('shows the fingerprint of its server; another one is refused before a password is sent', async () => {
    const { body, hostKey } = await fetchFile(remote('sftp', '/out/feed.csv'))
    body.destroy()
    expect(hostKey).toMatch(/^SHA256:[\w+/]{43}$/)
    const other = await startFakeSftpServer(login, { hostKey: newHostKey() })
    stops.push(other.close)
    const place = remote('sftp', '/in/cars.csv', { port: other.port, hostKey })
    await expect(sendFile(place, outgoing(BIG))).rejects.toThrow(', the host key: The server shows SHA256:')
    expect(other.files.size).toBe(0)
  })

  test('takes a private key in place of a password', async () => {
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

  test('a server that hangs up half-way leaves the old file and says so', async () => {
    const own = await startFakeSftpServer(login)
    stops.push(own.close)
    own.files.set('/cars.csv', Buffer.from('old'))
    own.breaksAfter = 100_000
    await expect(sendFile(remote('sftp', '/cars.csv', { port: own.port }), outgoing(BIG))).rejects.toThrow(
      ', the transfer: ',
    )
    expect(own.files.get('/cars.csv')?.toString()).toBe('old')
  })
})

describe('HTTPS', () => {
  test('is followed where it is sent on, but not to an address without TLS, nor for ever', async () => {
    expect((await fetched(remote('https', '/moved.csv'))).toString()).toBe('vin\n1\n')
    await expect(fetched(remote('https', '/open.csv'))).rejects.toThrow('without HTTPS')
    await expect(fetched(remote('https', '/round.csv'))).rejects.toThrow('sent on more than 5 times')
  })

  test('says what the server answered, that it hung up, and that it is silent', async () => {
    await expect(fetched(remote('https', '/none.csv'))).rejects.toThrow(
      'the file: The server answers with status 404.',
    )
    await expect(fetched(remote('https', '/cut.csv'))).rejects.toThrow(', the transfer: ')
    await expect(fetched(remote('https', '/silent.csv'), { stepMs: 200 })).rejects.toThrow(
      'The server is silent.',
    )
  })

  test('brings a file with its length, its key and who we are', async () => {
    await sendFile(remote('https', '/in?x=1', { user: null, secret: 'token' }), outgoing(BIG))
    const last = web.got.at(-1)
    expect(last).toMatchObject({ method: 'PUT', url: '/in?x=1' })
    expect(last?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-length': String(BIG.length),
      'idempotency-key': 'channel-1',
    })
    expect(last?.body.length).toBe(BIG.length)
    await expect(sendFile(remote('https', '/closed.csv'), outgoing(Buffer.from('x')))).rejects.toThrow(
      'signing in: The server answers with status 403.',
    )
  })

  test('a certificate that nobody trusts is refused', async () => {
    setDefaultCACertificates(trusted)
    try {
      await expect(fetched(remote('https', '/feed.csv'))).rejects.toThrow(', the connection: ')
    } finally {
      setDefaultCACertificates([...trusted, certificate.cert])
    }
  })
})

test.each(['sftp', 'ftp', 'ftps', 'https'] as const)(
  'by %s no server beside this one is reached for strangers',
  async (protocol) => {
    await expect(fetched(remote(protocol, '/out/feed.csv', { isGuarded: true }))).rejects.toThrow(
      'the name: localhost is not on the public Internet',
    )
  },
)

test('a server that never speaks is given up', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  stops.push(() => new Promise((done) => silent.close(done).closeAllConnections()))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(fetched(remote('sftp', '/x', { port }), { stepMs: 300, wholeMs: 500 })).rejects.toThrow(
    'SFTP localhost',
  )
  await expect(fetched(remote('ftps', '/x', { port }), { stepMs: 300, wholeMs: 500 })).rejects.toThrow(
    'FTPS localhost',
  )
})

test('nothing is sent without protection', async () => {
  await expect(sendFile(remote('ftp', '/cars.csv'), outgoing(BIG))).rejects.toThrow('Use FTPS.')
})
