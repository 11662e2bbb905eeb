import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { findPublicAddress } from '../public-address.ts'

/** A file on a machine outside: where it is, and who we are there. */
export type Remote = {
  protocol: 'https' | 'sftp' | 'ftp' | 'ftps'
  host: string
  port: number
  /** Folder and name; for HTTPS path and query of the address. */
  path: string
  user: string | null
  /** A password, for SFTP a private key in PEM too, for HTTPS without a user a bearer. */
  secret: string | null
  /** The fingerprint the SFTP server has to show, `SHA256:...`; null: the first one is taken. */
  hostKey: string | null
  /** Nobody we trust named the host: it must be on the public Internet. */
  isGuarded: boolean
}

export type Bounds = {
  /** Of the whole file. */
  maxBytes: number
  /** The transfer is given up after so long, whatever moves. */
  wholeMs: number
  /** After so long a silence it is given up, too. */
  stepMs: number
}

/** A file as it comes. Reading it to its end, or destroying it, hangs up. */
export type FetchedFile = { body: Readable; hostKey: string | null }

export type OutgoingFile = {
  body: Readable
  bytes: number
  type: string
  /** Ends the name under which it lies until it is whole. */
  word: string
  /** The same for the same file: a receiver by HTTPS knows by it what it has already. */
  key: string
  /** Called when the file is there but under its own name: what it throws leaves the old file in place. */
  confirm: () => Promise<void>
}

type Step = 'the name' | 'the connection' | 'the host key' | 'signing in' | 'the file' | 'the transfer'

/** Why a file did not come or go: a sentence for people, with the server and the step. */
export class TransferFailure extends Error {
  readonly step: Step

  constructor(remote: Pick<Remote, 'protocol' | 'host' | 'port'>, step: Step, reason: string) {
    super(`${remote.protocol.toUpperCase()} ${remote.host}:${remote.port}, ${step}: ${reason}`)
    this.name = 'TransferFailure'
    this.step = step
  }
}

/**
 * The address of a remote's host; whoever connects must connect to this very one.
 * @throws TransferFailure where the name leads nowhere, or a guarded one not to the public Internet.
 */
export async function addressFor(remote: Remote, { stepMs }: Bounds): Promise<string> {
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
      'the name',
      isUnknown ? `No server of this name was found.` : reasonOf(error),
    )
  }
}

/** Without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '')

/** What TLS should call the server; an address has no name. */
export function serverName(host: string): { servername?: string } {
  const name = bareHost(host)
  return isIP(name) === 0 ? { servername: name } : {}
}

/** Lets at most `maxBytes` through, then fails. */
export function limited(remote: Remote, { maxBytes }: Bounds): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        done(new TransferFailure(remote, 'the file', `It is larger than ${sizeText(maxBytes)}.`))
      } else done(null, chunk)
    },
  })
}

/** Any error as a failure of a step. One that is a failure already stays what it is. */
export function asFailure(remote: Remote, step: Step, error: unknown): Error {
  if (error instanceof TransferFailure) return error
  return new TransferFailure(remote, step, reasonOf(error))
}

export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}

/** A path in the same folder that nobody takes for the file itself. */
export function temporaryPath(path: string, word: string): string {
  const at = path.lastIndexOf('/') + 1
  return `${path.slice(0, at)}.${path.slice(at)}.${word}.part`
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`
}
