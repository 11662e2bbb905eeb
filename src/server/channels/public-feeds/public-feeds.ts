import type { Kysely } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import type { publicFeeds } from '#contract/channels/channels/channels.ts'
import { PICTURE_WIDTHS } from '#contract/files/picture-widths.ts'
import { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { type MediaReader, MOST_PICTURE_BYTES, type PublicPictures } from '#server/files/index.ts'
import { notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { type CopiedPhotos, fetchPhoto, isHostDown } from '#server/vehicles/index.ts'
import { opensFile, opensPicture, readFileKey, readPictureKey } from '../channels/channel-row.ts'
import { scopeOfLease } from '../channels/channel-lease.ts'
import { readParts } from '../listings/file-parts.ts'
import { makePhotoCache } from './photo-cache.ts'
import { downloadName, FEED_TYPES } from '../listings/write-feed.ts'

/** A browser that has loaded a photo may show it again for this long. Proxies may not keep it: it can be withdrawn. */
const PICTURE_SECONDS = 3_600
/** A photo that another server replaced appears within this time. */
const REMOTE_FRESH_MS = 3_600_000
const LARGEST = Math.max(...PICTURE_WIDTHS)

type Parts = {
  /** Separate from the request pool, because slow readers can download for a long time. */
  pool: pg.Pool
  /** Used to look up the customer of a host. */
  iam: Kysely<DB>
  secrets: Secrets
  /** Photos may be loaded from private addresses. */
  allowsPrivate: boolean
  mediaReader: (outside: Outside) => MediaReader
  pictures: (outside: Outside) => PublicPictures
  copies: CopiedPhotos
}

/**
 * Public downloads: channel files, and photos of published vehicles. A photo of another server is read from its copy; it is loaded only
 * while there is none. A photo is always made of its original, so that nothing of a
 * phone's or another server's file leaves the house, and a page of ours makes no request to other servers. The key in the URL identifies the customer;
 * on another customer's host the URL doesn't exist. Every error is a 404.
 */
export function publicFeedHandlers({
  pool,
  iam,
  secrets,
  mediaReader,
  pictures,
  copies,
  allowsPrivate,
}: Parts): Handlers<typeof publicFeeds> {
  const within = (customerId: string) => {
    const scope = scopeOfLease({ customerId }, true)
    return <T>(work: (db: Database) => Promise<T>): Promise<T> => inTenant(pool, scope, work)
  }
  const refuseForeignHost = async (host: string, customerId: string): Promise<void> => {
    const owner = await iam
      .selectFrom('whiteLabels')
      .select('customerId')
      .where('domain', '=', host)
      .where('verifiedAt', 'is not', null)
      .executeTakeFirst()
    if (owner !== undefined && owner.customerId !== customerId) throw notFound('File')
  }

  const readPicture = photoPictures({ mediaReader, pictures, copies, allowsPrivate })

  return {
    async file({ visit, input }) {
      const [, key = '', format = ''] = /^([\w-]+)\.(csv|xml|json)$/.exec(input.file) ?? []
      const of = readFileKey(key)
      if (of === null) throw notFound('File')
      await refuseForeignHost(visit.host, of.customerId)
      const run = within(of.customerId)
      const found = await run((db) =>
        db
          .selectFrom('channels as ch')
          .innerJoin('customers as c', 'c.id', 'ch.customerId')
          .innerJoin('channelStates as s', 's.channelId', 'ch.id')
          .innerJoin('channelRuns as r', 'r.id', 's.currentRunId')
          .select(['ch.customerId', 'ch.id', 'ch.addressNumber', 'ch.format'])
          .select(['r.id as runId', 'r.bytes', 'r.fileHash'])
          .where('ch.id', '=', of.id)
          .where('ch.destination', '=', 'pull')
          .where('ch.isActive', '=', true)
          .where('c.status', '=', 'active')
          .executeTakeFirst(),
      )
      if (found === undefined || found.format !== format || !opensFile(secrets, key, found)) {
        throw notFound('File')
      }
      return new Download({
        name: downloadName(found.format),
        type: FEED_TYPES[found.format],
        etag: found.fileHash,
        body: readParts(run, { runId: found.runId, bytes: Number(found.bytes) }),
      })
    },

    async picture({ visit, input, outside }) {
      const of = readPictureKey(input.key)
      if (of === null) throw notFound('Photo')
      await refuseForeignHost(visit.host, of.customerId)
      const { customerId, vehicleId } = of
      const vehicle = await within(customerId)((db) =>
        db
          .selectFrom('vehicles as v')
          .innerJoin('lots as l', 'l.id', 'v.lotId')
          .innerJoin('customers as c', 'c.id', 'v.customerId')
          .select('v.photos')
          .where('v.id', '=', vehicleId)
          .where('v.publishable', '=', true)
          .where('l.isVisible', '=', true)
          .where('c.status', '=', 'active')
          .executeTakeFirst(),
      )
      const photos = vehicle === undefined ? [] : z.array(Photo).parse(vehicle.photos)
      const photo = photos.find(({ place }) =>
        opensPicture(secrets, input.key, { customerId, vehicleId, place }),
      )
      const type = input.w === undefined ? 'image/jpeg' : 'image/webp'
      const width = input.w ?? LARGEST
      const bytes = photo && (await readPicture(outside, photo, { customerId, width, type }))
      if (!bytes) throw notFound('Photo')
      const name = `photo.${type === 'image/webp' ? 'webp' : 'jpg'}`
      return new Download({ name, type, body: bytes, privateSeconds: PICTURE_SECONDS, isInline: true })
    },
  }
}

type Form = { customerId: string; width: number; type: 'image/webp' | 'image/jpeg' }

/** Makes a picture of a photo: of its copy, or of the photo itself; null if its file is gone. */
function photoPictures({
  mediaReader,
  pictures,
  copies,
  allowsPrivate,
}: Pick<Parts, 'mediaReader' | 'pictures' | 'copies' | 'allowsPrivate'>) {
  const isGuarded = !allowsPrivate
  const readRemotePhoto = makePhotoCache((place) => fetchPhoto(place, { isGuarded }), isHostDown)
  return async (outside: Outside, { kind, place }: Photo, form: Form): Promise<Buffer | null> => {
    const { customerId } = form
    if (kind === 'address') {
      const copy = await copies.picture(outside, { place, ...form })
      if (copy !== null) return copy
      return pictures(outside).read({
        ...form,
        original: place,
        freshMs: REMOTE_FRESH_MS,
        load: async () => (await readRemotePhoto(place, customerId)).body,
        isPassing: isHostDown,
      })
    }
    const media = mediaReader(outside)
    const original = await media.identify(customerId, place)
    if (original === null) return null
    const load = async () => (await media.read(customerId, place, MOST_PICTURE_BYTES))?.bytes ?? null
    return pictures(outside).read({ ...form, original, load })
  }
}
