import { createHash } from 'node:crypto'
import {
  reasonsAgainst,
  type ChannelKind,
  type HoldReason,
} from '#contract/inventory/channels/listings/hold-back.ts'
import type { FeedFormat } from '#contract/inventory/channels/listings/listing-row.ts'
import type { OwnColumn } from '#contract/inventory/channels/listings/own-columns.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import { type ChannelLease, holdChannelLease } from './channel-lease.ts'
import { listingOf, type ListingRow, readListings, readWays, useCustomerZone } from './listings.ts'
import { feedWriter } from './write-feed.ts'

/** So many vehicles in one transaction. */
const AT_ONCE = 500
const PART_BYTES = 1_000_000

export type MadeFile = {
  offered: number
  held: number
  bytes: number
  hash: string
  parts: number
  reasons: Partial<Record<HoldReason, number>>
}

type Making = {
  turn: ChannelLease
  runId: string
  channel: {
    kind: ChannelKind
    format: FeedFormat
    rule: string
    pageTemplate: string | null
    columns: readonly OwnColumn[]
  }
  base: string
  secrets: Secrets
  /** Runs some work in a transaction of the customer. */
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/**
 * Makes the file of a run, part by part into the database, and notes what it holds back and why. It holds some hundred
 * vehicles at a time, however many there are. @throws LostLease
 */
export async function makeFile(making: Making): Promise<MadeFile> {
  const { turn, runId, channel, inTenant } = making
  const { customerId } = turn
  const writer = feedWriter(channel)
  const made: MadeFile = { offered: 0, held: 0, bytes: 0, hash: '', parts: 0, reasons: {} }
  const hash = createHash('sha256')
  const { pictureAddress } = await inTenant((db) => readWays(db, { ...making, customerId }))
  const ways = { pictureAddress, pageTemplate: channel.pageTemplate }
  let waiting: Buffer[] = []
  let waitingBytes = 0

  const add = (text: string): void => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    made.bytes += bytes.length
    waiting.push(bytes)
    waitingBytes += bytes.length
  }
  const keep = async (db: Database, least: number): Promise<void> => {
    if (waitingBytes < least || waitingBytes === 0) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    await db.insertInto('channelFileParts').values({ runId, part: made.parts, bytes }).execute()
    made.parts += 1
  }
  const take = (row: ListingRow, kept: ExcludedVehicle[]): void => {
    const offer = listingOf(row, ways)
    const reasons = reasonsAgainst(channel.kind, offer)
    if (reasons.length === 0) {
      add(writer.row(offer, made.offered === 0))
      made.offered += 1
      return
    }
    made.held += 1
    for (const reason of reasons) made.reasons[reason] = (made.reasons[reason] ?? 0) + 1
    const title = [offer.title, row.stock].filter(Boolean).join(', ') || `Vehicle ${row.id}`
    kept.push({ runId, vehicleId: row.id, organizationId: row.organizationId, title, reasons })
  }

  add(writer.head)
  let after = '0'
  for (;;) {
    const rows = await inTenant(async (db) => {
      await holdChannelLease(db, turn)
      const zone = await useCustomerZone(db, customerId)
      const some = await readListings(db, { customerId, rule: channel.rule, zone, after, most: AT_ONCE })
      const kept: ExcludedVehicle[] = []
      for (const row of some) take(row, kept)
      if (kept.length > 0) await db.insertInto('channelHeld').values(kept).execute()
      await keep(db, PART_BYTES)
      return some
    })
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) break
  }
  add(writer.foot)
  await inTenant((db) => keep(db, 1))
  return { ...made, hash: hash.digest('base64url') }
}

type ExcludedVehicle = {
  runId: string
  vehicleId: string
  organizationId: string
  title: string
  reasons: HoldReason[]
}
