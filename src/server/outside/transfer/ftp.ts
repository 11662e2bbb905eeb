import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Client, FileType, FTPError, parseList } from 'basic-ftp'
import { isStarred, joinPath } from '#contract/starred-path.ts'
import { clock } from '#server/clock.ts'
import { type Listed, newestFile, newestFirst, tooMany } from './newest-file.ts'
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
  serverName,
  temporaryPath,
} from './remote.ts'

/** The approximate length of a listing line, in bytes. The listing is in memory until it is parsed. */
const LINE_BYTES = 200
/** The number of characters of a listing to parse at once. */
const PART = 50_000
/** If the listing has no reliable times, the time is requested for at most this many names. */
const MAX_TIME_REQUESTS = 200
/** RFC 959: the file does not exist, or access is denied. */
const UNAVAILABLE = 550

/** Fetches a file by FTP or FTPS. For a pattern, fetches the newest match. @throws TransferFailure */
export async function fetchFtp(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const { client, end } = await connect(remote, bounds)
  const file = await findFile(client, remote, bounds).catch((error: unknown) => {
    end()
    throw asFailure(remote, 'file', error)
  })
  const body = limited(remote, bounds)
  const pipe = new PassThrough()
  pipe.pipe(body)
  pipe.on('error', (error: unknown) => body.destroy(asFailure(remote, 'transfer', error)))
  body.once('close', () => {
    pipe.destroy()
    end()
  })
  client.downloadTo(pipe, file.path).catch((error: unknown) => {
    const isMissing = error instanceof FTPError && error.code === UNAVAILABLE
    if (isMissing) body.destroy(new NoSuchFile(remote, reasonOf(error)))
    else body.destroy(asFailure(remote, error instanceof FTPError ? 'file' : 'transfer', error))
  })
  return { body, hostKey: null, file }
}

async function findFile(client: Client, remote: Remote, bounds: Bounds): Promise<FoundFile> {
  const path = isStarred(remote.path) ? await newestOf(client, remote, bounds) : remote.path
  return { path, ...(await statOf(client, path)) }
}

/** Only the machine-readable listing (RFC 3659) has reliable times. Without it, the time is requested for each name. */
async function newestOf(client: Client, remote: Remote, bounds: Bounds): Promise<string> {
  const newest = newestFile(remote, bounds, MAX_TIME_REQUESTS)
  const text = await listing(client, newest.folder).catch((error: unknown) => {
    throw /maxByteLength/.test(reasonOf(error)) ? tooMany(remote, bounds.maxNames) : error
  })
  for (let at = 0, end = 0; at < text.length; at = end) {
    const cut = text.indexOf('\n', at + PART)
    end = cut === -1 ? text.length : cut + 1
    for (const { name, type, modifiedAt } of parseList(text.slice(at, end))) {
      newest.add({ name, isFolder: type === FileType.Directory, changedAt: momentOf(modifiedAt) })
    }
    // A hundred thousand lines take seconds, which would block other requests.
    await setImmediate()
  }
  const found = newest.found()
  if (found[0].changedAt !== null) return joinPath(newest.folder, found[0].name)
  const dated: Listed[] = []
  for (const one of found) {
    const changedAt = await changedAtOf(client, joinPath(newest.folder, one.name))
    if (changedAt !== null) dated.push({ ...one, changedAt })
    // A server that does not support this command fails for every name.
    else if (dated.length === 0) break
  }
  const [first = found[0]] = dated.toSorted(newestFirst)
  return joinPath(newest.folder, first.name)
}

/** The raw listing of a folder. */
async function listing(client: Client, folder: string): Promise<string> {
  let text = ''
  client.parseList = (all) => {
    text = all
    return []
  }
  await client.list(folder)
  return text
}

async function statOf(client: Client, path: string): Promise<Omit<FoundFile, 'path'>> {
  const bytes = await ifSupported(client, client.size(path))
  return { bytes, changedAt: await changedAtOf(client, path) }
}

async function changedAtOf(client: Client, path: string): Promise<Date | null> {
  return momentOf((await ifSupported(client, client.lastMod(path))) ?? undefined)
}

/** Null for an invalid date. */
function momentOf(date: Date | undefined): Date | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date
}

/** Null if the server's response is an error or cannot be parsed. @throws Error if the connection was lost */
async function ifSupported<T>(client: Client, response: Promise<T>): Promise<T | null> {
  try {
    return await response
  } catch (error) {
    if (client.closed) throw error
    return null
  }
}

/**
 * Deletes or moves a file by FTP or FTPS, unless it has changed.
 * @returns its new path, or null if it was deleted. @throws TransferFailure
 */
export async function clearFtp(
  remote: Remote,
  bounds: Bounds,
  { file, by }: { file: FoundFile; by: Clearing },
): Promise<string | null> {
  const { client, end } = await connect(remote, bounds)
  try {
    if (!isAsFetched(file, await statOf(client, file.path))) throw new ChangedFile(remote)
    if (by.kind === 'delete') {
      await client.remove(file.path)
      return null
    }
    const to = movedPath(file, { folder: by.folder, isTaken: false, now: clock.date() })
    const isTaken = await mayExist(client, to)
    const free = isTaken ? movedPath(file, { folder: by.folder, isTaken, now: clock.date() }) : to
    await client.rename(file.path, free)
    return free
  } catch (error) {
    throw asFailure(remote, 'file', error)
  } finally {
    end()
  }
}

/** Many servers overwrite on rename, so an unclear response counts as existing. */
async function mayExist(client: Client, path: string): Promise<boolean> {
  try {
    await client.size(path)
    return true
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
    return error.code !== UNAVAILABLE
  }
}

/**
 * Sends a file by FTPS under a temporary name, then renames it.
 * @throws TransferFailure, or the error that `confirm` throws
 */
export async function sendFtp(remote: Remote, bounds: Bounds, file: OutgoingFile): Promise<void> {
  const { client, end } = await connect(remote, bounds)
  const temporary = temporaryPath(remote.path, file.word)
  try {
    await client.uploadFrom(file.body, temporary).catch((error: unknown) => {
      throw asFailure(remote, 'transfer', error)
    })
    await file.confirm().catch(async (error: unknown) => {
      await client.remove(temporary, true).catch(() => {})
      throw error
    })
    await publish(client, temporary, remote.path).catch((error: unknown) => {
      throw asFailure(remote, 'file', error)
    })
  } finally {
    end()
  }
}

/** Renames a file. If the server does not overwrite the existing file, deletes that first. */
async function publish(client: Client, from: string, to: string): Promise<void> {
  try {
    await client.rename(from, to)
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
    await client.remove(to)
    await client.rename(from, to)
  }
}

async function connect(remote: Remote, bounds: Bounds): Promise<{ client: Client; end: () => void }> {
  const host = await addressFor(remote, bounds)
  // Data connections must go to the resolved server. It may not redirect them to another host.
  const client = new Client(bounds.stepMs, {
    allowSeparateTransferHost: false,
    maxListingBytes: bounds.maxNames * LINE_BYTES,
  })
  const timer = setTimeout(() => client.close(), bounds.totalMs)
  const end = (): void => {
    clearTimeout(timer)
    client.close()
  }
  try {
    await client.access({
      host,
      port: remote.port,
      user: remote.user ?? 'anonymous',
      password: remote.secret ?? '',
      secure: remote.protocol === 'ftps',
      secureOptions: serverName(remote.host),
    })
    return { client, end }
  } catch (error) {
    end()
    // RFC 959: 530 and 532 are the sign-in errors.
    const isRefused = error instanceof FTPError && [530, 532].includes(error.code)
    throw asFailure(remote, isRefused ? 'sign-in' : 'connection', error)
  }
}
