import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { followRedirect } from './follow-redirect.ts'
import {
  addressFor,
  asFailure,
  bareHost,
  type Bounds,
  type FetchedFile,
  isCertificateFailure,
  limited,
  type OutgoingFile,
  type Remote,
  serverName,
  TransferFailure,
} from './remote.ts'

const MAX_REDIRECTS = 5

/** What a server says about the present version of a file, for asking later whether it changed. */
export type FileVersion = { etag: string | null; lastModified: string | null }

/**
 * Fetches a file by HTTPS. Each redirect is checked like the first URL, and the password is not sent to another server.
 * @throws TransferFailure
 */
export async function fetchHttps(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const { response, from } = await follow(remote, bounds, {})
  return bodyOf(response, { remote, from, bounds })
}

/**
 * Fetches a file by HTTPS, with its version. Null if it is still the known one.
 * @throws TransferFailure
 */
export async function fetchNewerVersion(
  remote: Remote,
  bounds: Bounds,
  known: FileVersion | null,
): Promise<(FetchedFile & FileVersion) | null> {
  const { response, from } = await follow(remote, bounds, {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  })
  if (response.statusCode === 304 && known !== null) {
    response.destroy()
    return null
  }
  const { etag = null, 'last-modified': lastModified = null } = response.headers
  return { ...bodyOf(response, { remote, from, bounds }), etag, lastModified }
}

/**
 * Asks whether a page is there: by HEAD, and by GET if that fails, because many sites answer HEAD wrongly. Nothing of the page is
 * read. Redirects are followed, each checked like the first URL.
 * @returns the status, and the host that answered
 * @throws TransferFailure
 */
export async function askForPage(remote: Remote, bounds: Bounds): Promise<{ status: number; host: string }> {
  const ask = async (method: 'HEAD' | 'GET') => {
    const headers = { accept: '*/*', 'user-agent': 'Forecourt' }
    const { response, from } = await follow(remote, bounds, headers, method)
    response.destroy()
    return { status: response.statusCode ?? 0, host: from.host }
  }
  try {
    const answer = await ask('HEAD')
    if (answer.status < 400) return answer
  } catch (error) {
    const isCertain =
      error instanceof TransferFailure && (error.step === 'host lookup' || isCertificateFailure(error))
    if (isCertain) throw error
  }
  return ask('GET')
}

/** Asks for a file and follows redirects. */
async function follow(
  remote: Remote,
  bounds: Bounds,
  headers: Record<string, string>,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<{ response: IncomingMessage; from: Remote }> {
  const late = AbortSignal.timeout(bounds.totalMs)
  let current = remote
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await send(current, bounds, { method, signal: late, headers })
    const status = response.statusCode ?? 0
    if (status < 300 || status >= 400 || response.headers.location === undefined)
      return { response, from: current }
    response.destroy()
    current = followRedirect(current, response.headers.location, bounds)
  }
  throw new TransferFailure(remote, 'file', `There were more than ${MAX_REDIRECTS} redirects.`)
}

function bodyOf(
  response: IncomingMessage,
  { remote, from, bounds }: { remote: Remote; from: Remote; bounds: Bounds },
): FetchedFile {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new TransferFailure(from, 'file', `The server returned status ${response.statusCode ?? 0}.`)
  }
  const body = limited(from, bounds)
  response.on('error', (error: unknown) => body.destroy(asFailure(from, 'transfer', error)))
  response.once('aborted', () =>
    body.destroy(
      new TransferFailure(from, 'transfer', 'The server closed the connection before the file was complete.'),
    ),
  )
  body.once('close', () => response.destroy())
  response.pipe(body)
  return { body, hostKey: null, file: { path: remote.path, bytes: null, changedAt: null } }
}

/**
 * Sends a file by HTTPS PUT with its length and an `Idempotency-Key`, so that the receiver can detect truncated files and
 * duplicates. Redirects are not followed. @throws TransferFailure, or the error that `confirm` throws
 */
export async function sendHttps(remote: Remote, bounds: Bounds, file: OutgoingFile): Promise<void> {
  await file.confirm()
  const headers = {
    'content-type': file.type,
    'content-length': file.bytes,
    'idempotency-key': file.key,
  }
  const response = await send(
    remote,
    bounds,
    { method: 'PUT', headers, signal: AbortSignal.timeout(bounds.totalMs) },
    file,
  )
  response.destroy()
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return
  if (status === 401 || status === 403) {
    throw new TransferFailure(remote, 'sign-in', `The server returned status ${status}.`)
  }
  throw new TransferFailure(remote, 'transfer', `The server returned status ${status}.`)
}

async function send(
  remote: Remote,
  bounds: Bounds,
  {
    headers,
    ...options
  }: Pick<RequestOptions, 'method' | 'signal'> & { headers?: Record<string, string | number> },
  file?: OutgoingFile,
): Promise<IncomingMessage> {
  const address = await addressFor(remote, bounds)
  const host = bareHost(remote.host)
  const named = host.includes(':') ? `[${host}]` : host
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(
        {
          ...options,
          host: address,
          port: remote.port,
          path: remote.path.startsWith('/') ? remote.path : `/${remote.path}`,
          ...serverName(remote.host),
          agent: false,
          timeout: bounds.stepMs,
          headers: {
            ...headers,
            host: remote.port === 443 ? named : `${named}:${remote.port}`,
            ...authorization(remote),
          },
        },
        resolve,
      )
      call.on('error', reject)
      call.on('timeout', () => call.destroy(new Error('The server is not responding.')))
      if (file === undefined) call.end()
      else pipeline(file.body, call).catch(reject)
    })
  } catch (error) {
    throw asFailure(remote, 'connection', error)
  }
}

function authorization({ user, secret }: Remote): { authorization?: string } {
  if (secret === null) return {}
  if (user === null) return { authorization: `Bearer ${secret}` }
  return { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` }
}
