import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { PICTURE_WIDTHS } from '#contract/files/picture-widths.ts'
import { clock } from '#server/clock.ts'
import { unavailable } from '#server/http/failure.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { makeFairShare } from '#server/threads/fair-share.ts'
import { makePriority } from '#server/threads/priority.ts'
import { readBytes } from './read-media.ts'

/** What a picture becomes: WebP for pages; JPEG where not everything shows WebP, such as in emails and at marketplaces. */
type PictureType = 'image/webp' | 'image/jpeg'

/** More pixels are a bomb: a photo of 4032 by 3024 has 12 million. */
const MOST_PIXELS = 100_000_000
const LONGEST_SECONDS = 20
/** What users and buyers wait for goes first; what is made ahead waits. */
const priority = makePriority()
/** Each may need 400 MB for a moment. */
const inTurn = makeFairShare({ places: 2, placesEach: 1, mostWaiting: 200, full: unavailable })

// Each picture uses one thread, and nothing is kept between them.
sharp.concurrency(1)
sharp.cache(false)

const FOLDER = 'pictures'
const ENDINGS: Readonly<Record<PictureType, string>> = { 'image/webp': 'webp', 'image/jpeg': 'jpg' }
/** Larger originals aren't pictures, and no picture that was made is larger. */
export const MOST_PICTURE_BYTES = 20_000_000
const DAY_MS = 86_400_000
/** What wasn't made again for so long belongs to nothing anymore, or is made again when it is asked for. */
const KEPT_DAYS = 90

type PictureRequest = {
  customerId: string
  /**
   * Identifies the original, and changes with its content unless that is loaded again. Or the folder of an original that is stored by
   * its content: what is made of it is stored there.
   */
  original: string | StoragePath
  width: number
  type: PictureType
  /** How long a picture is shown before its original is loaded again. Undefined: `original` changes with the content. */
  freshMs?: number
  /** Loads the original; null if it is gone. */
  load: () => Promise<Buffer | null>
  /** Whether an error of `load` says nothing about the picture, so that what was made of it may still be shown. */
  isPassing?: (error: unknown) => boolean
}

export type PublicPictures = {
  /** The bytes of a picture that may be public, made of its original if need be. Null if there is none that can be read. */
  read: (wanted: PictureRequest) => Promise<Buffer | null>
  /**
   * Makes every picture of an original ahead, with the least priority: one at a time, and while no one waits for another one.
   * @returns their size in bytes; null if they can't be made. @throws Error if they can't be stored
   */
  makeAhead: (original: Buffer, folder: StoragePath) => Promise<number | null>
}

/** Of each original: the widths that pages name, and what marketplaces and emails show. */
const FORMS: readonly Rendering[] = [
  ...PICTURE_WIDTHS.map((width) => ({ width, type: 'image/webp' as const })),
  { width: Math.max(...PICTURE_WIDTHS), type: 'image/jpeg' },
]

/**
 * Pictures that leave the house: always made of their originals, never the originals themselves, and stored, so that each is made
 * once. They aren't part of a customer's space and of no backup, because they can be made again.
 */
export function makePublicPictures(storage: FileStorage): PublicPictures {
  const coming = new Map<string, Promise<Buffer | null>>()

  async function make(place: StoragePath, { load, ...how }: PictureRequest): Promise<Buffer | null> {
    const original = await load()
    const made = original === null ? null : await renderPicture(original, how)
    if (made === null) {
      await storage.remove([place])
      return null
    }
    const staged = await storage.stage(place, Readable.from([made]), () => {}).catch(() => null)
    // A full disk doesn't keep a picture from being shown.
    await staged?.publish({ replaces: true }).catch(() => staged.discard())
    return made
  }

  async function read(wanted: PictureRequest): Promise<Buffer | null> {
    const { isPassing = () => false, freshMs } = wanted
    const place = placeOf(wanted)
    const found = await storage.find(place)
    const age = found?.kind === 'file' ? clock.now() - found.updatedAt.getTime() : null
    if (age !== null && (freshMs === undefined || (age >= 0 && age < freshMs))) {
      const stored = await readBytes(storage, place, MOST_PICTURE_BYTES)
      if (stored !== null) return stored.bytes
    }
    const key = place.join('/')
    const made = coming.get(key) ?? make(place, wanted).finally(() => coming.delete(key))
    coming.set(key, made)
    try {
      return await made
    } catch (error) {
      const stored = isPassing(error) ? await readBytes(storage, place, MOST_PICTURE_BYTES) : null
      if (stored === null) throw error
      return stored.bytes
    }
  }

  async function makeAhead(original: Buffer, folder: StoragePath): Promise<number | null> {
    let bytes = 0
    for (const form of FORMS) {
      const made = await priority.last(() => render(original, form))
      if (made === null) return null
      const staged = await storage.stage(placeIn(folder, form), Readable.from([made]), () => {})
      await staged.publish({ replaces: true })
      bytes += made.length
    }
    return bytes
  }

  return { read, makeAhead }
}

/** Deletes pictures that were made long ago. Returns how many. */
export async function sweepPublicPictures(
  storage: FileStorage,
  customerIds: readonly string[],
): Promise<number> {
  let removed = 0
  for (const customerId of customerIds)
    for (const { name: part } of (await storage.list([FOLDER, customerId])) ?? []) {
      const files = (await storage.list([FOLDER, customerId, part])) ?? []
      const old = files.flatMap((one) =>
        one.kind === 'file' && clock.now() - one.updatedAt.getTime() > KEPT_DAYS * DAY_MS ? [one.name] : [],
      )
      await storage.remove(old.map((name) => [FOLDER, customerId, part, name]))
      removed += old.length
    }
  return removed
}

/** In folders of which each has a 256th of a customer's pictures. */
function placeOf({ customerId, original, width, type }: PictureRequest): StoragePath {
  if (typeof original !== 'string') return placeIn(original, { width, type })
  const hash = createHash('sha256').update(original).digest('hex')
  return [FOLDER, customerId, hash.slice(0, 2), `${hash}-${width}.${ENDINGS[type]}`]
}

const placeIn = (folder: StoragePath, { width, type }: Rendering): StoragePath => [
  ...folder,
  `${width}.${ENDINGS[type]}`,
]

/**
 * Why pages can't show a picture, as a sentence; null if they can. It is decoded completely, so that what breaks off is found when
 * it is uploaded, and not by buyers.
 * @throws Failure 503 if too many of the customer's pictures are waiting
 */
export async function problemOfPicture(customerId: string, bytes: Buffer): Promise<string | null> {
  return inTurn(customerId, async () => {
    try {
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
      if (width * height > MOST_PIXELS)
        return `This picture has ${Math.round((width * height) / 1e6)} million pixels. Pages show at most ${MOST_PIXELS / 1e6} million. Save it smaller.`
      await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated', sequentialRead: true })
        .timeout({ seconds: LONGEST_SECONDS })
        .resize({ width: 32, height: 32, fit: 'inside' })
        .raw()
        .toBuffer()
      return null
    } catch {
      return 'This picture is damaged or incomplete. Choose the original file.'
    }
  })
}

/**
 * Makes a picture that may be public, in the customer's turn.
 * @returns null if the bytes aren't a picture that can be read
 * @throws Failure 503 if too many of the customer's pictures are waiting
 */
const renderPicture = (bytes: Buffer, { customerId, ...how }: Rendering & { customerId: string }) =>
  priority.first(() => inTurn(customerId, () => render(bytes, how)))

type Rendering = Pick<PictureRequest, 'width' | 'type'>

/**
 * Turned upright, at most `width` pixels wide and high, in sRGB, and without anything else that the file contains: no position,
 * camera, thumbnail or comment. Of a moving picture, the first frame.
 */
async function render(bytes: Buffer, { width, type }: Rendering): Promise<Buffer | null> {
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'none', sequentialRead: true })
    .timeout({ seconds: LONGEST_SECONDS })
    .autoOrient()
    .resize({ width, height: width, fit: 'inside', withoutEnlargement: true })
  const made =
    type === 'image/webp'
      ? picture.webp({ quality: 76, effort: 3 })
      : picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80 })
  return made.toBuffer().catch(() => null)
}
