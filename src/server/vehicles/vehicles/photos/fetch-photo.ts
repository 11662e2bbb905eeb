import { buffer } from 'node:stream/consumers'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { Failure } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { isRestoredCopy } from '#server/outside/restored-copy.ts'
import { fetchNewerVersion, type FileVersion } from '#server/outside/transfer/https.ts'
import { TransferFailure } from '#server/outside/transfer/remote.ts'
import { typeOfBytes } from '#server/outside/type-of-bytes.ts'

/** A user is waiting, and a photo of a phone has less than 15 MB. */
const BOUNDS = { maxBytes: 15_000_000, totalMs: 15_000, stepMs: 8_000, maxNames: 1 } as const
/** Types that cannot run code. SVG isn't one of them. */
const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
const CACHE_SECONDS = 3_600
const NO_PHOTO = "It isn't a photo: only JPEG, PNG, GIF, WebP and AVIF are shown."

const unavailable = (cause?: TransferFailure) =>
  Object.assign(new Failure(404, "This photo can't be loaded from its URL."), { cause })

/** Whether a photo could not be loaded because its host doesn't answer, so that others of that host can't be either. */
export const isHostDown = (error: unknown): boolean =>
  error instanceof Failure &&
  error.cause instanceof TransferFailure &&
  ['host lookup', 'connection', 'transfer'].includes(error.cause.step)

type Options = { isGuarded: boolean }
export type PhotoVersion = FileVersion & { name: string; type: string; bytes: Buffer }

/**
 * Fetches a photo from its URL, always by HTTPS and without cookies or referrer. The message is the same for every
 * reason, so that it tells nothing about other servers.
 * @param isGuarded only the public internet and the usual port, also after a redirect.
 * @throws Failure 404
 */
export async function fetchPhoto(place: string, options: Options): Promise<Download & { body: Buffer }> {
  const photo = await fetchNewerPhoto(place, options, null)
  if (photo === null) throw unavailable()
  const { name, type, bytes: body } = photo
  return Object.assign(new Download({ name, type, body, privateSeconds: CACHE_SECONDS }), { body })
}

/**
 * Fetches a photo as `fetchPhoto` does, unless it is still the known version: null then.
 * @throws Failure 404. Its cause, if any, says why.
 */
export async function fetchNewerPhoto(
  place: string,
  { isGuarded }: Options,
  known: FileVersion | null,
): Promise<PhotoVersion | null> {
  const url = photoUrl(place)
  if (url === null || (isGuarded && url.port !== '')) throw unavailable()
  if (await isRestoredCopy()) throw new Failure(404, RESTORED_COPY)
  const remote = {
    protocol: 'https' as const,
    host: url.hostname,
    port: url.port === '' ? 443 : Number(url.port),
    path: `${url.pathname}${url.search}`,
    user: null,
    secret: null,
    hostKey: null,
    isGuarded,
  }
  try {
    const found = await fetchNewerVersion(remote, isGuarded ? { ...BOUNDS, ports: [443] } : BOUNDS, known)
    if (found === null) return null
    const bytes = await buffer(found.body)
    const type = typeOfBytes(bytes)
    if (!TYPES.includes(type)) throw new TransferFailure(remote, 'file', NO_PHOTO)
    const { etag, lastModified } = found
    return { name: namePhotoFile(place), type, bytes, etag, lastModified }
  } catch (error) {
    if (error instanceof TransferFailure) throw unavailable(error)
    throw error
  }
}

/** The file name of a photo at this URL. */
export const namePhotoFile = (place: string): string => new URL(place).pathname.split('/').at(-1) ?? ''

/** The URL of a photo; null if a photo can't have it. */
export function photoUrl(place: string): URL | null {
  if (!URL.canParse(place)) return null
  const url = new URL(place)
  return /^https?:$/.test(url.protocol) && url.username === '' ? url : null
}
