import { buffer } from 'node:stream/consumers'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { Failure } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { isRestoredCopy } from '#server/outside/restored-copy.ts'
import { TransferFailure } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import { typeOfBytes } from '#server/outside/type-of-bytes.ts'

/** A user is waiting, and a photo of a phone has less than 15 MB. */
const BOUNDS = { maxBytes: 15_000_000, totalMs: 15_000, stepMs: 8_000 } as const
/** Types that cannot run code. SVG isn't one of them. */
const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
const CACHE_SECONDS = 3_600

const unavailable = (cause?: TransferFailure) =>
  Object.assign(new Failure(404, "This photo can't be loaded from its URL."), { cause })

/** Whether a photo could not be loaded because its host doesn't answer, so that others of that host can't be either. */
export const isHostDown = (error: unknown): boolean =>
  error instanceof Failure &&
  error.cause instanceof TransferFailure &&
  ['host lookup', 'connection', 'transfer'].includes(error.cause.step)

/**
 * Fetches a photo from its URL, always by HTTPS and without cookies or referrer. The message is the same for every
 * reason, so that it tells nothing about other servers.
 * @param isGuarded only the public internet and the usual port, also after a redirect.
 * @throws Failure 404
 */
export async function fetchPhoto(
  place: string,
  { isGuarded }: { isGuarded: boolean },
): Promise<Download & { body: Buffer }> {
  if (!URL.canParse(place)) throw unavailable()
  const url = new URL(place)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username !== '' || (isGuarded && url.port !== '')) throw unavailable()
  if (await isRestoredCopy()) throw new Failure(404, RESTORED_COPY)
  try {
    const { body } = await fetchFile(
      {
        protocol: 'https',
        host: url.hostname,
        port: url.port === '' ? 443 : Number(url.port),
        path: `${url.pathname}${url.search}`,
        user: null,
        secret: null,
        hostKey: null,
        isGuarded,
      },
      isGuarded ? { ...BOUNDS, ports: [443] } : BOUNDS,
    )
    const bytes = await buffer(body)
    const type = typeOfBytes(bytes)
    if (!TYPES.includes(type)) throw unavailable()
    const name = url.pathname.split('/').at(-1) ?? ''
    return Object.assign(new Download({ name, type, body: bytes, privateSeconds: CACHE_SECONDS }), {
      body: bytes,
    })
  } catch (error) {
    if (error instanceof TransferFailure) throw unavailable(error)
    throw error
  }
}
