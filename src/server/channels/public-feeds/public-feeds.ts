import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import type { publicFeeds } from '#contract/channels/channels/channels.ts'
import { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { fetchPhoto, isHostDown } from '#server/vehicles/index.ts'
import { opensFile, opensPicture, readFileKey, readPictureKey } from '../channels/channel-row.ts'
import { scopeOfLease } from '../channels/channel-lease.ts'
import { readParts } from '../listings/file-parts.ts'
import { makePhotoCache } from './photo-cache.ts'
import { FEED_TYPES } from '../listings/write-feed.ts'

const MAX_PICTURE_BYTES = 20_000_000
/** A browser that has loaded a photo may show it again for this long. Proxies may not keep it: it can be withdrawn. */
const PICTURE_SECONDS = 3_600

type Parts = {
  /** Separate from the request pool, because slow readers can download for a long time. */
  pool: pg.Pool
  /** Used to look up the customer of a host. */
  iam: Kysely<DB>
  secrets: Secrets
  /** Photos may be loaded from private addresses. */
  allowsPrivate: boolean
  mediaReader: (
    outside: Outside,
  ) => (
    customerId: string,
    path: string,
    most: number,
  ) => Promise<{ name: string; type: string; bytes: Buffer } | null>
}

/**
 * Public downloads: channel files, and photos of published vehicles. Photos of other servers are passed on, so that a
 * page of ours makes no request to them. The key in the URL identifies the customer;
 * on another customer's host the URL doesn't exist. Every error is a 404.
 */
export function publicFeedHandlers({
  pool,
  iam,
  secrets,
  mediaReader,
  allowsPrivate,
}: Parts): Handlers<typeof publicFeeds> {
  const readRemotePhoto = remotePhotos({ isGuarded: !allowsPrivate })
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
        // The channel has a name for its users.
        name: `vehicles.${format}`,
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
      if (photo?.kind === 'address') {
        const { name, type, body } = await readRemotePhoto(photo.place, customerId)
        return new Download({ name, type, body, privateSeconds: PICTURE_SECONDS })
      }
      const file = photo && (await mediaReader(outside)(customerId, photo.place, MAX_PICTURE_BYTES))
      if (!file?.type.startsWith('image/')) throw notFound('Photo')
      return new Download({
        name: file.name,
        type: file.type,
        body: Readable.from([file.bytes]),
        privateSeconds: PICTURE_SECONDS,
      })
    },
  }
}

const remotePhotos = (options: { isGuarded: boolean }) =>
  makePhotoCache((place) => fetchPhoto(place, options), isHostDown)
