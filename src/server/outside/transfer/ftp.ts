import { PassThrough } from 'node:stream'
import { Client, FTPError } from 'basic-ftp'
import {
  addressFor,
  asFailure,
  type Bounds,
  type FetchedFile,
  limited,
  type OutgoingFile,
  type Remote,
  serverName,
  temporaryPath,
} from './remote.ts'

/** Fetches a file by FTP, or over TLS by FTPS. @throws TransferFailure */
export async function fetchFtp(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const { client, end } = await connect(remote, bounds)
  const body = limited(remote, bounds)
  const pipe = new PassThrough()
  pipe.pipe(body)
  pipe.on('error', (error: unknown) => body.destroy(asFailure(remote, 'the transfer', error)))
  body.once('close', () => {
    pipe.destroy()
    end()
  })
  client.downloadTo(pipe, remote.path).catch((error: unknown) => {
    body.destroy(asFailure(remote, error instanceof FTPError ? 'the file' : 'the transfer', error))
  })
  return { body, hostKey: null }
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
  const client = new Client(bounds.stepMs, { allowSeparateTransferHost: false })
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
