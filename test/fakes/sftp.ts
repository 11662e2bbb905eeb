import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import ssh2 from 'ssh2'
import { splitPath } from '#contract/starred-path.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** A local SFTP server with files in memory. */
export type FakeSftpServer = {
  port: number
  files: Map<string, Buffer>
  /** The modification times of files. Defaults to 1970. */
  times: Map<string, Date>
  /** Files that cannot be deleted or moved. */
  locked: Set<string>
  /** The requests, in order: `write /a.csv`, `rename /b /a`. */
  requests: string[]
  /** Closes the connection after this many bytes. Null: never. */
  closesAfterBytes: number | null
  close: () => Promise<void>
}

export function newHostKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString()
}

/** @param replaces whether a standard rename overwrites a file, which the protocol does not allow. */
export async function startFakeSftpServer(
  login: { user: string; password: string; publicKey?: string },
  { hostKey = newHostKey(), replaces = false, port = 0 } = {},
): Promise<FakeSftpServer> {
  const clients = new Set<ssh2.Connection>()
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client)
    // Like OpenSSH. The types don't declare it.
    const setNoDelay: unknown = Reflect.get(client, 'setNoDelay')
    if (typeof setNoDelay === 'function') Reflect.apply(setNoDelay, client, [true])
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('authentication', (context) => {
      const isPassword = context.method === 'password' && context.password === login.password
      const isKey =
        context.method === 'publickey' &&
        login.publicKey !== undefined &&
        context.key.data.toString('base64') === login.publicKey
      if (context.username === login.user && (isPassword || isKey)) context.accept()
      else context.reject(['password', 'publickey'])
    })
    client.on('session', (acceptSession) => {
      acceptSession().on('sftp', (acceptSftp) => serveFiles(acceptSftp(), fake, { client, replaces }))
    })
  })
  const fake: FakeSftpServer = {
    port: 0,
    files: new Map(),
    times: new Map(),
    locked: new Set(),
    requests: [],
    closesAfterBytes: null,
    close: () =>
      new Promise((done) => {
        for (const client of clients) client.end()
        server.close(() => done())
      }),
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  fake.port = typeof address === 'object' && address !== null ? address.port : 0
  return fake
}

function serveFiles(
  sftp: ssh2.SFTPWrapper,
  fake: FakeSftpServer,
  { client, replaces }: { client: ssh2.Connection; replaces: boolean },
): void {
  const handles = new Map<string, string>()
  let written = 0
  const pathOf = (handle: Buffer): string => handles.get(handle.toString()) ?? ''
  sftp.on('OPEN', (id, path, flags) => {
    const isWrite = (flags & OPEN_MODE.WRITE) !== 0
    if (!isWrite && !fake.files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    if (isWrite) fake.files.set(path, Buffer.alloc(0))
    fake.requests.push(`${isWrite ? 'write' : 'read'} ${path}`)
    const name = String(handles.size + 1)
    handles.set(name, path)
    return sftp.handle(id, Buffer.from(name))
  })
  sftp.on('READ', (id, handle, offset, length) => {
    const bytes = fake.files.get(pathOf(handle)) ?? Buffer.alloc(0)
    if (offset >= bytes.length) return sftp.status(id, STATUS_CODE.EOF)
    return sftp.data(id, bytes.subarray(offset, offset + length))
  })
  sftp.on('WRITE', (id, handle, offset, data) => {
    const path = pathOf(handle)
    const before = fake.files.get(path) ?? Buffer.alloc(0)
    const bytes = Buffer.alloc(Math.max(before.length, offset + data.length))
    before.copy(bytes)
    data.copy(bytes, offset)
    fake.files.set(path, bytes)
    written += data.length
    if (fake.closesAfterBytes !== null && written > fake.closesAfterBytes) return client.end()
    return sftp.status(id, STATUS_CODE.OK)
  })
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
  const attrsOf = (path: string, bytes: Buffer) => {
    const mtime = Math.floor((fake.times.get(path)?.getTime() ?? 0) / 1_000)
    return { mode: 0o100644, uid: 0, gid: 0, size: bytes.length, atime: 0, mtime }
  }
  const stat = (id: number, path: string): void => {
    const bytes = fake.files.get(path)
    if (bytes === undefined) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    return sftp.attrs(id, attrsOf(path, bytes))
  }
  const listings = new Map<string, ssh2.FileEntry[]>()
  sftp.on('OPENDIR', (id, path) => {
    const names = [...fake.files].flatMap(([name, bytes]) => {
      const at = splitPath(name)
      return at.folder === (path === '.' ? '' : path)
        ? [{ filename: at.name, longname: at.name, attrs: attrsOf(name, bytes) }]
        : []
    })
    const handle = `folder ${path} ${listings.size}`
    listings.set(handle, names)
    return sftp.handle(id, Buffer.from(handle))
  })
  sftp.on('READDIR', (id, handle) => {
    // About as many per response as OpenSSH.
    const part = listings.get(handle.toString())?.splice(0, 100) ?? []
    return part.length === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.name(id, part)
  })
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) => stat(id, pathOf(handle)))
  sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('REMOVE', (id, path) => {
    if (fake.locked.has(path)) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    fake.requests.push(`remove ${path}`)
    return sftp.status(id, fake.files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE)
  })
  sftp.on('RENAME', (id, from, to) => {
    const bytes = fake.files.get(from)
    if (fake.locked.has(from)) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    if (bytes === undefined || (!replaces && fake.files.has(to))) return sftp.status(id, STATUS_CODE.FAILURE)
    fake.requests.push(`rename ${from} ${to}`)
    fake.files.delete(from)
    fake.files.set(to, bytes)
    return sftp.status(id, STATUS_CODE.OK)
  })
}
