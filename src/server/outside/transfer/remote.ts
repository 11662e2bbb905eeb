import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { joinPath, splitPath } from '#contract/starred-path.ts'
import { findPublicAddress } from '../public-address.ts'
import { isRestoredCopy } from '../restored-copy.ts'

/** A file on a remote server, and the login. */
export type Remote = {
  protocol: 'https' | 'sftp' | 'ftp' | 'ftps'
  host: string
  port: number
  /**
   * Folder and file name, or path and query for HTTPS. For fetching by SFTP and FTP, a star in the file name stands for any
   * characters, and the newest match is fetched.
   */
  path: string
  user: string | null
  /** A password, or for SFTP a private key in PEM format, or for HTTPS without a user a bearer token. */
  secret: string | null
  /** The expected fingerprint of the SFTP server, `SHA256:...`. Null: accept any. */
  hostKey: string | null
  /** The host is from an untrusted source, so it must be on the public internet. */
  isGuarded: boolean
}

export type Bounds = {
  /** The largest file size. */
  maxBytes: number
  /** The total time limit of the transfer. */
  totalMs: number
  /** The time limit without any data. */
  stepMs: number
  /** The most names in a folder to search. */
  maxNames: number
  /** The only ports that HTTPS redirects may lead to. Any port if undefined. */
  ports?: readonly number[]
}

/** A file on the server, with its size and time if the server reports them. */
export type FoundFile = { path: string; bytes: number | null; changedAt: Date | null }

/** A file being received. Reading it to its end, or destroying it, closes the connection. */
export type FetchedFile = { body: Readable; hostKey: string | null; file: FoundFile }

/** What to do with a fetched file on its server: delete it, or move it to a folder there. */
export type Clearing = { kind: 'delete' } | { kind: 'move'; folder: string }

export type OutgoingFile = {
  body: Readable
  bytes: number
  type: string
  /** A suffix for its temporary name. */
  word: string
  /** The same for the same file, so that an HTTPS receiver can detect duplicates. */
  key: string
  /** Called when the file is complete but not yet under its own name. If this throws, the old file stays in place. */
  confirm: () => Promise<void>
}

type Step = 'host lookup' | 'connection' | 'host key' | 'sign-in' | 'file' | 'transfer'

/** Why a transfer failed: a sentence for users, with the server and the step. */
export class TransferFailure extends Error {
  readonly step: Step
  /** The sentence without the server and the step. */
  readonly reason: string

  constructor(
    remote: Pick<Remote, 'protocol' | 'host' | 'port'>,
    step: Step,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${remote.protocol.toUpperCase()} ${remote.host}:${remote.port}, ${step}: ${reason}`, options)
    this.name = 'TransferFailure'
    this.step = step
    this.reason = reason
  }
}

/** The server and folder exist, but not the file, or no file matches the pattern. */
export class NoSuchFile extends TransferFailure {
  constructor(remote: Pick<Remote, 'protocol' | 'host' | 'port'>, reason: string) {
    super(remote, 'file', reason)
    this.name = 'NoSuchFile'
  }
}

/** The file on the server is not the one that was fetched. */
export class ChangedFile extends TransferFailure {
  constructor(remote: Pick<Remote, 'protocol' | 'host' | 'port'>) {
    super(remote, 'file', 'It changed during the transfer, so it was left there and will be fetched again.')
    this.name = 'ChangedFile'
  }
}

/**
 * Resolves a remote's host. The caller must connect to exactly this address.
 * @throws TransferFailure in a restored copy, if the name does not resolve, or a guarded host is not on the public internet.
 */
export async function addressFor(remote: Remote, { stepMs }: Bounds): Promise<string> {
  if (await isRestoredCopy()) throw new TransferFailure(remote, 'connection', RESTORED_COPY)
  const name = bareHost(remote.host)
  try {
    if (remote.isGuarded) return await findPublicAddress(name, stepMs)
    if (isIP(name) !== 0) return name
    const { address } = await lookup(name)
    return address
  } catch (error) {
    const isUnknown = !remote.isGuarded
    throw new TransferFailure(
      remote,
      'host lookup',
      isUnknown ? `No server with this name was found.` : reasonOf(error),
    )
  }
}

/** The host without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '')

/** The TLS server name. Empty for an IP address. */
export function serverName(host: string): { servername?: string } {
  const name = bareHost(host)
  return isIP(name) === 0 ? { servername: name } : {}
}

/** A stream that fails after `maxBytes`. */
export function limited(remote: Remote, { maxBytes }: Bounds): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        done(new TransferFailure(remote, 'file', `It is larger than ${sizeText(maxBytes)}.`))
      } else done(null, chunk)
    },
  })
}

/** Converts an error to a TransferFailure of a step, unless it is one already. */
export function asFailure(remote: Remote, step: Step, error: unknown): Error {
  if (error instanceof TransferFailure) return error
  return new TransferFailure(remote, step, reasonOf(error), { cause: error })
}

/** Whether a server has no certificate that can be verified. */
export function isCertificateFailure({ cause }: TransferFailure): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/.test(code)
}

/** What the codes of Node and OpenSSL mean. */
const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [
    /^(EPROTO|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED|HTTP_REQUEST).*)$/,
    "The server doesn't use TLS on this port, or uses an outdated version. Check the port and the delivery method.",
  ],
  [
    /^ERR_SSL_/,
    "The server doesn't support any TLS version or cipher that we use. Ask the provider to allow TLS 1.2 or later.",
  ],
  [/^CERT_HAS_EXPIRED$/, "The server's certificate has expired. Ask the provider to renew it."],
  [/^CERT_NOT_YET_VALID$/, "The server's certificate isn't valid yet."],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    "The server's certificate is self-signed, so it can't be verified. Ask the provider for one from a known authority.",
  ],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)$/,
    "The server's certificate can't be verified: it is from an unknown authority, or the server doesn't send its whole chain.",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "The server's certificate is for a different server name."],
  [/^ECONNREFUSED$/, 'The server refused the connection. Check the server name and the port.'],
  [/^ECONNRESET$/, 'The server closed the connection.'],
  [/^ETIMEDOUT$/, 'The server is not responding.'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, "The server can't be reached."],
]

/** Why something failed, as a sentence. Codes of the network and of TLS are put in plain words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = REASONS.find(([pattern]) => pattern.test(code))
  if (known !== undefined) return known[1]
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}

/** Whether a file is unchanged since it was fetched, as far as the server reports. */
export function isAsFetched(file: FoundFile, now: Omit<FoundFile, 'path'>): boolean {
  const [was, is] = [file.changedAt, now.changedAt]
  // Some responses of a server have fractions of a second, others do not.
  const isSameTime = was === null || is === null || Math.abs(was.getTime() - is.getTime()) < 1_000
  return isSameTime && (file.bytes === null || now.bytes === null || file.bytes === now.bytes)
}

/**
 * The path a file is moved to. If its name is taken, the current time is inserted before the extension.
 * @throws Error if the file is already in that folder
 */
export function movedPath(
  { path }: FoundFile,
  { folder, isTaken, now }: { folder: string; isTaken: boolean; now: Date },
): string {
  const from = splitPath(path)
  const into = folder.startsWith('/') ? folder : joinPath(from.folder, folder)
  if (into === from.folder) throw new Error('It is already in that folder.')
  const [, stem = '', ending = ''] = /^(.+?)((?:\.[A-Za-z0-9]{1,8}){0,2})$/.exec(from.name) ?? []
  const name = isTaken ? `${stem}_${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}${ending}` : from.name
  return joinPath(into, name)
}

/** A path in the same folder that is clearly not the final file. */
export function temporaryPath(path: string, word: string): string {
  const at = path.lastIndexOf('/') + 1
  return `${path.slice(0, at)}.${path.slice(at)}.${word}.part`
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`
}
