import { createHash } from 'node:crypto'
import { exclusionReasons, type ExclusionReason } from '#contract/channels/listings/exclusion-reasons.ts'
import { type ChannelKind, type PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'
import type { FeedFormat } from '#contract/channels/listings/listing-row.ts'
import type { Destination } from '#contract/channels/channels/channel-schema.ts'
import { withPriceFor } from '#contract/channels/listings/vehicle-listing.ts'
import { type CustomColumn, sendsPrice } from '#contract/channels/listings/custom-columns.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import { type ChannelLease, holdChannelLease } from './channel-lease.ts'
import {
  listingOf,
  type ListingRow,
  readListings,
  readPublicUrls,
  withCopiedPhotos,
} from '../listings/listings.ts'
import { useLotTimeZones } from '#server/customers/index.ts'
import { readActiveRules, type ListedVehicle, stagePrices } from '#server/pricing/index.ts'
import { downloadName, feedWriter } from '../listings/write-feed.ts'

/** Vehicles per transaction. */
const AT_ONCE = 500
const PART_BYTES = 1_000_000

export type MadeFile = {
  listed: number
  excluded: number
  bytes: number
  hash: string
  parts: number
  reasons: Partial<Record<ExclusionReason, number>>
}

type FileOptions = {
  lease: ChannelLease
  runId: string
  channel: {
    kind: ChannelKind
    format: FeedFormat
    rule: string
    pageTemplate: string | null
    columns: readonly CustomColumn[]
    priceMeaning: PriceMeaning
    destination: Destination
    remotePath: string | null
  }
  base: string
  secrets: Secrets
  /** Runs work in a transaction of the customer. */
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/**
 * Creates the file of a run in parts in the database, and records excluded vehicles with the reasons. Keeps only a few
 * hundred vehicles in memory at a time. @throws LostLease
 */
export async function makeFile(settings: FileOptions): Promise<MadeFile> {
  const { lease, runId, channel, inTenant } = settings
  const { customerId } = lease
  const writer = feedWriter(channel)
  const made: MadeFile = { listed: 0, excluded: 0, bytes: 0, hash: '', parts: 0, reasons: {} }
  const hash = createHash('sha256')
  // The whole file follows the same rules, even if they change while it is made.
  const rules = await inTenant((db) => readActiveRules(db, customerId))
  const { pictureAddress, origin, ownPages } = await inTenant((db) =>
    readPublicUrls(db, { ...settings, customerId }),
  )
  const isPriced = channel.kind !== 'csv' || sendsPrice(channel.columns)
  const { priceMeaning } = channel
  const file = fileNameOf(channel)
  const options = { pictureAddress, pageTemplate: channel.pageTemplate ?? ownPages }
  let waiting: Buffer[] = []
  let waitingBytes = 0

  const append = (text: string): void => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    made.bytes += bytes.length
    waiting.push(bytes)
    waitingBytes += bytes.length
  }
  const save = async (db: Database, least: number): Promise<void> => {
    if (waitingBytes < least || waitingBytes === 0) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    await db.insertInto('channelFileParts').values({ runId, part: made.parts, bytes }).execute()
    made.parts += 1
  }
  const add = (row: ListingRow, excluded: ExcludedVehicle[], listed: ListedVehicle[]): void => {
    const listing = withPriceFor(priceMeaning, listingOf(row, options))
    const reasons = exclusionReasons(channel.kind, listing)
    if (reasons.length === 0) {
      append(writer.row(listing, made.listed === 0))
      made.listed += 1
      const { price } = listing
      const { organizationId } = row
      if (price !== null && isPriced) listed.push({ organizationId, listing, price, priceMeaning, file })
      return
    }
    made.excluded += 1
    for (const reason of reasons) made.reasons[reason] = (made.reasons[reason] ?? 0) + 1
    const title = [listing.title, row.stock].filter(Boolean).join(', ') || `Vehicle ${row.id}`
    excluded.push({ runId, vehicleId: row.id, organizationId: row.organizationId, title, reasons })
  }

  append(writer.head)
  let after = '0'
  for (;;) {
    const rows = await inTenant(async (db) => {
      await holdChannelLease(db, lease)
      const zone = await useLotTimeZones(db, customerId)
      const read = await readListings(db, {
        customerId,
        rule: channel.rule,
        zone,
        rules,
        after,
        most: AT_ONCE,
      })
      const some = await withCopiedPhotos(db, { customerId, origin }, read)
      const excluded: ExcludedVehicle[] = []
      const listed: ListedVehicle[] = []
      for (const row of some) add(row, excluded, listed)
      await stagePrices(db, runId, listed)
      if (excluded.length > 0) await db.insertInto('channelExclusions').values(excluded).execute()
      await save(db, PART_BYTES)
      return some
    })
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) break
  }
  append(writer.foot)
  await inTenant((db) => save(db, 1))
  return { ...made, hash: hash.digest('base64url') }
}

/** As the receiver gets it. The download link isn't part of it: it is a secret. */
function fileNameOf({ destination, remotePath, format }: FileOptions['channel']): string {
  // The path of an HTTPS server may have a key behind a question mark.
  const name = destination === 'pull' ? '' : (remotePath?.split(/[?#]/)[0]?.split('/').at(-1) ?? '')
  return name === '' ? downloadName(format) : name
}

type ExcludedVehicle = {
  runId: string
  vehicleId: string
  organizationId: string
  title: string
  reasons: ExclusionReason[]
}
