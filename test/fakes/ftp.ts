import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createSecureContext, TLSSocket } from 'node:tls'
import { splitPath } from '#contract/starred-path.ts'

/** A local FTP server (RFC 959, 2428, 4217) with files in memory. With a certificate it requires TLS. */
export type FakeFtpServer = {
  port: number
  files: Map<string, Buffer>
  /** The modification times of files. Defaults to 1970. */
  times: Map<string, Date>
  /** Files that cannot be deleted or moved. */
  locked: Set<string>
  /** Supports only RFC 959: no times, no sizes, and listings that are not machine-readable. */
  isRfc959Only: boolean
  /** Reports times only file by file. Its listings are not machine-readable. */
  hasPlainListings: boolean
  requests: string[]
  close: () => Promise<void>
}

export async function startFakeFtpServer(
  login: { user: string; password: string },
  certificate: { cert: string; key: string } | null,
): Promise<FakeFtpServer> {
  const files: FakeFtpServer['files'] = new Map()
  const server: Pick<FakeFtpServer, 'times' | 'locked' | 'isRfc959Only' | 'hasPlainListings'> = {
    times: new Map(),
    locked: new Set(),
    isRfc959Only: false,
    hasPlainListings: false,
  }
  const timeOf = (path: string): string =>
    (server.times.get(path) ?? new Date(0)).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const secureContext = certificate && createSecureContext(certificate)
  const track = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  function serve(first: Socket): void {
    track(first)
    let control: Socket = first
    let data: Promise<Socket> | null = null
    let user = ''
    let from = ''
    let rest = ''
    let isIn = false
    let isProtected = false
    const say = (line: string): void => void control.write(`${line}\r\n`)
    const open = async (): Promise<Socket> => {
      if (data === null) throw new Error('There is no data connection.')
      const raw = await data
      data = null
      return isProtected && secureContext
        ? new TLSSocket(raw, { isServer: true, secureContext }).on('error', () => {})
        : raw
    }
    async function answer(line: string): Promise<void> {
      const [, verb = '', path = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
      const isSecret = verb === 'PASS'
      requests.push(isSecret ? 'PASS' : line)
      if (!isIn && !['AUTH', 'USER', 'PASS', 'PBSZ', 'PROT', 'QUIT'].includes(verb))
        return say('530 Sign in first.')
      if (server.isRfc959Only && ['FEAT', 'MLSD', 'MDTM', 'SIZE'].includes(verb)) return say('502 Not here.')
      if (server.hasPlainListings && ['FEAT', 'MLSD'].includes(verb)) return say('502 Not here.')
      switch (verb) {
        case 'FEAT':
          return say('211-It knows:\r\n MLST type*;size*;modify*;\r\n MDTM\r\n SIZE\r\n211 That is all.')
        case 'MLSD':
        case 'LIST': {
          const folder = path.replace(/^-a ?/, '')
          const lines = [...files].flatMap(([name, bytes]) => {
            const at = splitPath(name)
            if (at.folder !== folder) return []
            return verb === 'MLSD'
              ? [`type=file;size=${bytes.length};modify=${timeOf(name)}; ${at.name}\r\n`]
              : [`-rw-r--r-- 1 dealer dealer ${bytes.length} Nov 22 03:10 ${at.name}\r\n`]
          })
          say('150 Here they come.')
          const socket = await open()
          socket.end(lines.join(''))
          await once(socket, 'close')
          return say('226 Done.')
        }
        case 'SIZE':
          return say(files.has(path) ? `213 ${files.get(path)?.length}` : '550 No such file.')
        case 'MDTM':
          return say(files.has(path) ? `213 ${timeOf(path)}` : '550 No such file.')
        case 'AUTH':
          if (secureContext === null) return say('502 No TLS here.')
          say('234 Go on.')
          control.removeAllListeners('data')
          control = new TLSSocket(control, { isServer: true, secureContext })
          track(control)
          control.on('data', read)
          return undefined
        case 'USER':
          if (secureContext !== null && !(control instanceof TLSSocket)) return say('530 TLS first.')
          user = path
          return say('331 Password?')
        case 'PASS':
          isIn = user === login.user && path === login.password
          return say(isIn ? '230 Welcome.' : '530 No such login.')
        case 'PROT':
          isProtected = path === 'P'
          return say('200 Yes.')
        case 'EPSV': {
          const passive = createServer().listen(0, '127.0.0.1')
          // The client may connect before it sends its command.
          data = new Promise((done) => {
            passive.once('connection', (raw) => {
              track(raw)
              passive.close()
              done(raw)
            })
          })
          await once(passive, 'listening')
          return say(`229 Here (|||${portOf(passive)}|)`)
        }
        case 'RETR': {
          const bytes = files.get(path)
          if (bytes === undefined) return say('550 No such file.')
          say('150 Here it comes.')
          const socket = await open()
          socket.end(bytes)
          await once(socket, 'close')
          return say('226 Done.')
        }
        case 'STOR': {
          say('150 Send it.')
          files.set(path, await buffer(await open()))
          return say('226 Done.')
        }
        case 'RNFR':
          from = path
          if (server.locked.has(path)) return say('550 Permission denied.')
          return say(files.has(path) ? '350 And to?' : '550 No such file.')
        case 'RNTO':
          if (files.has(path)) return say('553 It is there already.')
          files.set(path, files.get(from) ?? Buffer.alloc(0))
          files.delete(from)
          return say('250 Done.')
        case 'DELE':
          if (server.locked.has(path)) return say('550 Permission denied.')
          return say(files.delete(path) ? '250 Done.' : '550 No such file.')
        case 'QUIT':
          say('221 Bye.')
          control.end()
          return undefined
        case 'PBSZ':
        case 'TYPE':
        case 'STRU':
        case 'OPTS':
          return say('200 Yes.')
        default:
          return say('502 Not here.')
      }
    }
    function read(chunk: Buffer): void {
      rest += chunk.toString()
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) void answer(line).catch(() => control.destroy())
    }
    control.on('data', read)
    say('220 Hello.')
  }

  const listener = createServer(serve).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return Object.assign(server, {
    port: portOf(listener),
    files,
    requests,
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        listener.close(() => done())
      }),
  })
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
