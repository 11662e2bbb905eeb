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

/** A line of a listing has about so many bytes: it is held whole until it is read. */
const LINE_BYTES = 200
/** So many characters of a listing are read at once. */
const PART = 50_000
/** Of so many names the time is asked one by one where a server lists none that can be relied on. */
const MOST_ASKED = 200
/** RFC 959: the file is not there, or not for us. */
const UNAVAILABLE = 550

/** Fetches a file by FTP, or over TLS by FTPS; of those that a pattern means the newest. @throws TransferFailure */
export async function fetchFtp(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const { client, end } = await connect(remote, bounds)
  const file = await findFile(client, remote, bounds).catch((error: unknown) => {
    end()
    throw asFailure(remote, 'the file', error)
  })
  const body = limited(remote, bounds)
  const pipe = new PassThrough()
  pipe.pipe(body)
  pipe.on('error', (error: unknown) => body.destroy(asFailure(remote, 'the transfer', error)))
  body.once('close', () => {
    pipe.destroy()
    end()
  })
  client.downloadTo(pipe, file.path).catch((error: unknown) => {
    const isMissing = error instanceof FTPError && error.code === UNAVAILABLE
    if (isMissing) body.destroy(new NoSuchFile(remote, reasonOf(error)))
    else body.destroy(asFailure(remote, error instanceof FTPError ? 'the file' : 'the transfer', error))
  })
  return { body, hostKey: null, file }
}

async function findFile(client: Client, remote: Remote, bounds: Bounds): Promise<FoundFile> {
  const path = isStarred(remote.path) ? await newestOf(client, remote, bounds) : remote.path
  return { path, ...(await statOf(client, path)) }
}

/** Only the machine-readable listing (RFC 3659) has times that can be relied on; without it each name is asked for its own. */
async function newestOf(client: Client, remote: Remote, bounds: Bounds): Promise<string> {
  const newest = newestFile(remote, bounds, MOST_ASKED)
  const text = await listing(client, newest.folder).catch((error: unknown) => {
    throw /maxByteLength/.test(reasonOf(error)) ? tooMany(remote, bounds.maxNames) : error
  })
  for (let at = 0, end = 0; at < text.length; at = end) {
    const cut = text.indexOf('\n', at + PART)
    end = cut === -1 ? text.length : cut + 1
    for (const { name, type, modifiedAt } of parseList(text.slice(at, end))) {
      newest.see({ name, isFolder: type === FileType.Directory, changedAt: momentOf(modifiedAt) })
    }
    // A hundred thousand lines take seconds, in which nobody else would be answered.
    await setImmediate()
  }
  const found = newest.found()
  if (found[0].changedAt !== null) return joinPath(newest.folder, found[0].name)
  const asked: Listed[] = []
  for (const one of found) {
    const changedAt = await changedAtOf(client, joinPath(newest.folder, one.name))
    if (changedAt !== null) asked.push({ ...one, changedAt })
    // A server that does not know the question knows it for none.
    else if (asked.length === 0) break
  }
  const [first = found[0]] = asked.toSorted(newestFirst)
  return joinPath(newest.folder, first.name)
}

/** What a folder holds, as the server writes it. */
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
  const bytes = await ifSaid(client, client.size(path))
  return { bytes, changedAt: await changedAtOf(client, path) }
}

async function changedAtOf(client: Client, path: string): Promise<Date | null> {
  return momentOf((await ifSaid(client, client.lastMod(path))) ?? undefined)
}

/** Null for what is no moment. */
function momentOf(date: Date | undefined): Date | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date
}

/** Null where the server has no answer, or none that can be read. @throws what ends the connection */
async function ifSaid<T>(client: Client, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (client.closed) throw error
    return null
  }
}

/**
 * Deletes or moves a file by FTP or FTPS, unless it is another one by now.
 * @returns where it lies now; null where it is deleted. @throws TransferFailure
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
    const isTaken = await mayBeThere(client, to)
    const free = isTaken ? movedPath(file, { folder: by.folder, isTaken, now: clock.date() }) : to
    await client.rename(file.path, free)
    return free
  } catch (error) {
    throw asFailure(remote, 'the file', error)
  } finally {
    end()
  }
}

/** Many servers replace what a file is renamed to: what cannot be told is taken to be there. */
async function mayBeThere(client: Client, path: string): Promise<boolean> {
  try {
    await client.size(path)
    return true
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
    return error.code !== UNAVAILABLE
  }
}

/**
 * Sends a file by FTPS: under another name first, then under its own.
 * @throws TransferFailure, or what `confirm` throws
 */
export async function sendFtp(remote: Remote, bounds: Bounds, file: OutgoingFile): Promise<void> {
  const { client, end } = await connect(remote, bounds)
  const temporary = temporaryPath(remote.path, file.word)
  try {
    await client.uploadFrom(file.body, temporary).catch((error: unknown) => {
      throw asFailure(remote, 'the transfer', error)
    })
    await file.confirm().catch(async (error: unknown) => {
      await client.remove(temporary, true).catch(() => {})
      throw error
    })
    await publish(client, temporary, remote.path).catch((error: unknown) => {
      throw asFailure(remote, 'the file', error)
    })
  } finally {
    end()
  }
}

/** Many servers replace what is there; those that do not want it gone first. */
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
  // Files come from the very server that was looked up: no other host may be named for them.
  const client = new Client(bounds.stepMs, {
    allowSeparateTransferHost: false,
    maxListingBytes: bounds.maxNames * LINE_BYTES,
  })
  const timer = setTimeout(() => client.close(), bounds.wholeMs)
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
    // RFC 959: 5xx of the sign-in itself are 530 and 532.
    const isRefused = error instanceof FTPError && [530, 532].includes(error.code)
    throw asFailure(remote, isRefused ? 'signing in' : 'the connection', error)
  }
}
