import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { joinPath, splitPath } from '#contract/starred-path.ts'
import { findPublicAddress } from '../public-address.ts'

/** A file on a machine outside: where it is, and who we are there. */
export type Remote = {
  protocol: 'https' | 'sftp' | 'ftp' | 'ftps'
  host: string
  port: number
  /**
   * Folder and name; for HTTPS path and query of the address. By SFTP and FTP a star in the name of a file that is fetched
   * stands for any characters: the newest is meant.
   */
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
  /** A folder with more names than this is not looked through. */
  maxNames: number
}

/** Which file it was, and what its server said of it; null where it says nothing. */
export type FoundFile = { path: string; bytes: number | null; changedAt: Date | null }

/** A file as it comes. Reading it to its end, or destroying it, hangs up. */
export type FetchedFile = { body: Readable; hostKey: string | null; file: FoundFile }

/** What becomes of a file on its server: it is deleted, or moved to a folder there. */
export type Clearing = { kind: 'delete' } | { kind: 'move'; folder: string }

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

/** The file is not there, or none that a pattern means; its server is, and so is the folder. */
export class NoSuchFile extends TransferFailure {
  constructor(remote: Pick<Remote, 'protocol' | 'host' | 'port'>, reason: string) {
    super(remote, 'the file', reason)
    this.name = 'NoSuchFile'
  }
}

/** What lies there now is not the file that was fetched. */
export class ChangedFile extends TransferFailure {
  constructor(remote: Pick<Remote, 'protocol' | 'host' | 'port'>) {
    super(remote, 'the file', 'It changed while it was fetched, so it stays and is fetched again.')
    this.name = 'ChangedFile'
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

/** Whether a file is as it was when it was fetched, as far as its server says anything of it. */
export function isAsFetched(file: FoundFile, now: Omit<FoundFile, 'path'>): boolean {
  const [was, is] = [file.changedAt, now.changedAt]
  // Some answers have parts of a second, others of the same server have none.
  const isSameTime = was === null || is === null || Math.abs(was.getTime() - is.getTime()) < 1_000
  return isSameTime && (file.bytes === null || now.bytes === null || file.bytes === now.bytes)
}

/**
 * Where a file is moved: its name, or where that is taken the name with the moment of now before its ending.
 * @throws Error where that is the folder it is in
 */
export function movedPath(
  { path }: FoundFile,
  { folder, isTaken, now }: { folder: string; isTaken: boolean; now: Date },
): string {
  const from = splitPath(path)
  const into = folder.startsWith('/') ? folder : joinPath(from.folder, folder)
  if (into === from.folder) throw new Error('It is in that folder already.')
  const [, stem = '', ending = ''] = /^(.+?)((?:\.[A-Za-z0-9]{1,8}){0,2})$/.exec(from.name) ?? []
  const name = isTaken ? `${stem}_${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}${ending}` : from.name
  return joinPath(into, name)
}

/** A path in the same folder that nobody takes for the file itself. */
export function temporaryPath(path: string, word: string): string {
  const at = path.lastIndexOf('/') + 1
  return `${path.slice(0, at)}.${path.slice(at)}.${word}.part`
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`
}
