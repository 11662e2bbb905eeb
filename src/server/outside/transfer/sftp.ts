import { createHash } from 'node:crypto'
import { type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, type FileEntryWithStats, type SFTPWrapper, type Stats } from 'ssh2'
import { isStarred, joinPath } from '#contract/starred-path.ts'
import { clock } from '#server/clock.ts'
import { newestFile } from './newest-file.ts'
import {
  addressFor,
  type Clearing,
  asFailure,
  type Bounds,
  ChangedFile,
  type FetchedFile,
  type FoundFile,
  isAsFetched,
  limited,
  movedPath,
  NoSuchFile,
  type OutgoingFile,
  reasonOf,
  type Remote,
  temporaryPath,
  TransferFailure,
} from './remote.ts'

type Session = { sftp: SFTPWrapper; hostKey: string; end: () => void; failed: Promise<never> }

/** Fetches a file by SFTP. For a pattern, fetches the newest match. @throws TransferFailure */
export async function fetchSftp(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const session = await connect(remote, bounds)
  const { sftp, hostKey, end, failed } = session
  const file = await Promise.race([failed, findFile(sftp, remote, bounds)]).catch((error: unknown) => {
    end()
    throw asFailure(remote, 'file', error)
  })
  const source = sftp.createReadStream(file.path)
  const body = limited(remote, bounds)
  failed.catch((error: unknown) => body.destroy(asFailure(remote, 'transfer', error)))
  source.on('error', (error: unknown) => body.destroy(asFailure(remote, 'file', error)))
  body.once('close', end)
  source.pipe(body)
  return { body, hostKey, file }
}

async function findFile(sftp: SFTPWrapper, remote: Remote, bounds: Bounds): Promise<FoundFile> {
  const path = isStarred(remote.path) ? await newestOf(sftp, remote, bounds) : remote.path
  const { bytes, changedAt } = await statOf(sftp, path).catch((error: unknown) => {
    throw codeOf(error) === NO_SUCH_FILE ? new NoSuchFile(remote, reasonOf(error)) : error
  })
  if (bytes > bounds.maxBytes) {
    throw new TransferFailure(
      remote,
      'file',
      `It has ${bytes.toLocaleString('en-US')} bytes, which is more than allowed.`,
    )
  }
  return { path, bytes, changedAt }
}

/** Reads the folder in parts and keeps only the newest match. */
async function newestOf(sftp: SFTPWrapper, remote: Remote, bounds: Bounds): Promise<string> {
  const newest = newestFile(remote, bounds)
  const folder = await asPromise<Buffer>((done) => sftp.opendir(newest.folder || '.', done))
  for (;;) {
    const names = await asPromise<FileEntryWithStats[]>((done) => sftp.readdir(folder, done)).catch(
      (error: unknown) => {
        if (codeOf(error) === END_OF_FOLDER) return null
        throw error
      },
    )
    if (names === null) break
    for (const { filename, attrs } of names) {
      if (filename === '.' || filename === '..') continue
      newest.add({ name: filename, isFolder: attrs.isDirectory(), changedAt: momentOf(attrs.mtime) })
    }
  }
  const [first] = newest.found()
  return joinPath(newest.folder, first.name)
}

/**
 * Deletes or moves a file by SFTP, unless it has changed.
 * @returns its new path, or null if it was deleted. @throws TransferFailure
 */
export async function clearSftp(
  remote: Remote,
  bounds: Bounds,
  { file, by }: { file: FoundFile; by: Clearing },
): Promise<string | null> {
  const { sftp, end, failed } = await connect(remote, bounds)
  const clear = async (): Promise<string | null> => {
    const { path } = file
    if (!isAsFetched(file, await statOf(sftp, path))) throw new ChangedFile(remote)
    if (by.kind === 'delete') {
      await call((done) => sftp.unlink(path, done))
      return null
    }
    const to = movedPath(file, { folder: by.folder, isTaken: false, now: clock.date() })
    const isTaken = await statOf(sftp, to).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === NO_SUCH_FILE) return false
        throw error
      },
    )
    const free = isTaken ? movedPath(file, { folder: by.folder, isTaken, now: clock.date() }) : to
    await call((done) => sftp.rename(path, free, done))
    return free
  }
  try {
    return await Promise.race([failed, clear()])
  } catch (error) {
    throw asFailure(remote, 'file', error)
  } finally {
    end()
  }
}

/**
 * Sends a file by SFTP under a temporary name, then renames it, atomically if the server supports that.
 * @returns the server's fingerprint. @throws TransferFailure, or the error that `confirm` throws
 */
export async function sendSftp(remote: Remote, bounds: Bounds, file: OutgoingFile): Promise<string> {
  const { sftp, hostKey, end, failed } = await connect(remote, bounds)
  const temporary = temporaryPath(remote.path, file.word)
  try {
    await Promise.race([failed, write(sftp, temporary, file.body)]).catch((error: unknown) => {
      throw asFailure(remote, 'transfer', error)
    })
    await file.confirm().catch(async (error: unknown) => {
      await call((done) => sftp.unlink(temporary, done)).catch(() => {})
      throw error
    })
    await Promise.race([failed, publish(sftp, temporary, remote.path)]).catch((error: unknown) => {
      throw asFailure(remote, 'file', error)
    })
    return hostKey
  } finally {
    end()
  }
}

function write(sftp: SFTPWrapper, path: string, body: Readable): Promise<void> {
  return pipeline(body, sftp.createWriteStream(path))
}

/** OpenSSH's rename extension overwrites the file. The standard rename may not. */
async function publish(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  const isDone = await call((done) => sftp.ext_openssh_rename(from, to, done)).then(
    () => true,
    () => false,
  )
  if (isDone) return
  const first = await call((done) => sftp.rename(from, to, done)).then(
    () => null,
    (error: unknown) => error,
  )
  if (first === null) return
  await call((done) => sftp.unlink(to, done))
  await call((done) => sftp.rename(from, to, done))
}

async function connect(remote: Remote, bounds: Bounds): Promise<Session> {
  const host = await addressFor(remote, bounds)
  const client = new Client()
  let hostKey = ''
  let isRefused = false
  const timer = setTimeout(
    () => client.destroy().emit('error', new Error('The transfer took too long.')),
    bounds.totalMs,
  )
  const end = (): void => {
    clearTimeout(timer)
    client.end()
  }
  const failed = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('close', () => reject(new Error('The server closed the connection.')))
  })
  // There may be no listener once the transfer is complete.
  failed.catch(() => {})
  // Listing a folder takes thousands of small requests, which Nagle's algorithm would delay.
  client.once('connect', () => client.setNoDelay(true))
  const secret = remote.secret ?? ''
  const isKey = secret.includes('PRIVATE KEY-----')
  client.on('keyboard-interactive', (_name, _text, _language, prompts, answer) => {
    answer(prompts.map(() => secret))
  })
  try {
    const ready = new Promise<void>((done) => client.once('ready', done))
    client.connect({
      host,
      port: remote.port,
      username: remote.user ?? '',
      ...(isKey ? { privateKey: secret } : { password: secret, tryKeyboard: true }),
      readyTimeout: bounds.stepMs,
      keepaliveInterval: bounds.stepMs,
      keepaliveCountMax: 2,
      hostVerifier: (key: Buffer) => {
        hostKey = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
        isRefused = remote.hostKey !== null && remote.hostKey !== hostKey
        return !isRefused
      },
    })
    await Promise.race([ready, failed])
    const sftp = await Promise.race([failed, openSftp(client)])
    return { sftp, hostKey, end, failed }
  } catch (error) {
    end()
    if (isRefused) {
      throw new TransferFailure(
        remote,
        'host key',
        `The server presented ${hostKey} instead of ${remote.hostKey}. Nothing was sent to it.`,
      )
    }
    throw asFailure(remote, isAuthentication(error) ? 'sign-in' : 'connection', error)
  }
}

function isAuthentication(error: unknown): boolean {
  return (
    error instanceof Error &&
    (Reflect.get(error, 'level') === 'client-authentication' || /private key/i.test(error.message))
  )
}

async function statOf(sftp: SFTPWrapper, path: string): Promise<{ bytes: number; changedAt: Date | null }> {
  const { size, mtime } = await asPromise<Stats>((done) => sftp.stat(path, done))
  return { bytes: size, changedAt: momentOf(mtime) }
}

/** @param seconds since 1970, if the server reports it */
function momentOf(seconds: number | undefined): Date | null {
  return seconds === undefined ? null : new Date(seconds * 1_000)
}

/** SSH_FX_EOF and SSH_FX_NO_SUCH_FILE of draft-ietf-secsh-filexfer-02, section 7. */
const END_OF_FOLDER = 1
const NO_SUCH_FILE = 2

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : null
}

function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)))
  })
}

/** A callback-style call with a result, as a promise. */
function asPromise<T>(start: (done: (error: Error | undefined, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)))
  })
}

/** A callback-style call without a result, as a promise. */
function call(start: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()))
  })
}
