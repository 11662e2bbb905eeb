import { z } from 'zod'
import { AskedWidth } from '#contract/files/picture-widths.ts'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { ChannelChange, DESTINATIONS, NewChannel } from './channel-schema.ts'
import { CHANNEL_LIST } from './channel-list.ts'
import { FEED_FORMATS } from '../listings/listing-row.ts'
import { CHANNEL_KINDS, PRICE_MEANING_CODES } from '#contract/pricing/totals/price-meanings.ts'
import { EXCLUSION_REASON_KEYS } from '../listings/exclusion-reasons.ts'
import { CustomColumns } from '../listings/custom-columns.ts'

/** `available`: nothing was sent; the file can be downloaded from the link. */
export const RUN_STATES = ['running', 'sent', 'available', 'unchanged', 'stopped', 'failed'] as const

const row = {
  id: z.string(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  format: z.enum(FEED_FORMATS),
  destination: z.enum(DESTINATIONS),
  host: z.string().nullable(),
  isActive: z.boolean(),
  everyHours: z.number().int().nullable(),
  /** Time of day in the customer's time zone, `06:30`. */
  dailyAt: z.string().nullable(),
  /** Of the last run, finished or in progress; null before the first. */
  lastState: z.enum(RUN_STATES).nullable(),
  lastAt: Instant.nullable(),
  /** Number of vehicles included in the last file, and number excluded. */
  listed: z.number().int().nullable(),
  excluded: z.number().int().nullable(),
  nextRunAt: Instant.nullable(),
  /** The first sale, hold or new price that its file doesn't have yet; null if the file is up to date. */
  waitsSince: Instant.nullable(),
  /** From a sale, hold or new price to the file without it: the slowest of the kept runs, in seconds; null without one. */
  slowestSeconds: z.number().int().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
}
export const ChannelRow = z.object(row)
export type ChannelRow = z.infer<typeof ChannelRow>

/** A destination for the customer's listings. Its password or key can be set but is never returned. */
export const Channel = z.object({
  ...row,
  rule: z.string(),
  pageTemplate: z.string().nullable(),
  columns: CustomColumns,
  priceMeaning: z.enum(PRICE_MEANING_CODES),
  /** Where the receiver says that it adds the fees itself. */
  priceNote: z.string().nullable(),
  port: z.number().int().nullable(),
  remotePath: z.string().nullable(),
  userName: z.string().nullable(),
  hasSecret: z.boolean(),
  /** Fingerprint of the SFTP server at the first connection; a different one is rejected afterward. */
  hostKey: z.string().nullable(),
  /** Download path with its secret key; null if the file is sent, or if the caller may not change channels. */
  feedPath: z.string().nullable(),
  /** Origin of the customer's own public domain, preferred for the download link; null without one. */
  feedOrigin: z.string().nullable(),
})
export type Channel = z.infer<typeof Channel>

/** One attempt to deliver a channel's file. */
export const ChannelRun = z.object({
  id: z.string(),
  state: z.enum(RUN_STATES),
  /** User who started the run; null if the schedule did. */
  requestedBy: z.string().nullable(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** The first sale, hold or new price since the run before; null if there was none. */
  changedAt: Instant.nullable(),
  listed: z.number().int(),
  excluded: z.number().int(),
  bytes: z.number().int(),
  /** Number of vehicles excluded for each reason; a vehicle may have several reasons. */
  reasons: z.partialRecord(z.enum(EXCLUSION_REASON_KEYS), z.number().int()),
  /** Why the run failed, was stopped, or sent nothing; null if no explanation is needed. */
  message: z.string().nullable(),
})
export type ChannelRun = z.infer<typeof ChannelRun>

/** A vehicle that a run excluded. */
const ExcludedVehicle = z.object({
  vehicleId: z.string(),
  title: z.string(),
  reasons: z.array(z.enum(EXCLUSION_REASON_KEYS)),
})

export const ChannelRuns = z.object({ runs: z.array(ChannelRun), excluded: z.array(ExcludedVehicle) })
export type ChannelRuns = z.infer<typeof ChannelRuns>

/** Whether a channel would include a vehicle now (`reasons` is empty if it would), and whether its receiver has it. */
export const ChannelInclusion = z.object({
  channelId: z.string(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  isActive: z.boolean(),
  reasons: z.array(z.enum(EXCLUSION_REASON_KEYS)),
  /** Since when the file that the receiver has lists the vehicle; null if it doesn't. */
  listedSince: Instant.nullable(),
  nextRunAt: Instant.nullable(),
})
export type ChannelInclusion = z.infer<typeof ChannelInclusion>

/** The most channels of a customer. Each writes a file of all its vehicles whenever it is due. */
export const MAX_CHANNELS = 200
/** Maximum number of excluded vehicles in one response. */
export const MAX_EXCLUDED = 500
/** Number of runs kept and returned for each channel. */
export const KEPT_RUNS = 20

/** The list, and the channels of a vehicle. */
const SHOWS_CHANNELS = ['/api/inventory/get-channels', '/api/inventory/vehicle-channels/{id}'] as const

export const channels = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-channels',
    allow: can(Func.providerMappings, Opr.list),
    summary: "Lists the customer's channels with their last run, as a queried list.",
    input: listQuery(CHANNEL_LIST),
    output: queriedList(ChannelRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-channel/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'Returns one channel with all settings except its password or key.',
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-channel',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds a channel. Returns 409 if the name is already in use.',
    input: NewChannel,
    output: Channel,
    changes: SHOWS_CHANNELS,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-channel',
    allow: can(Func.providerMappings, Opr.update),
    summary:
      'Changes a channel. A new server or user name requires the password again. A stale version returns 409.',
    input: ChannelChange,
    output: Channel,
    changes: SHOWS_CHANNELS,
  }),
  remove: endpoint({
    ...deletionOf(Channel),
    path: '/api/inventory/delete-channel/{id}',
    allow: can(Func.providerMappings, Opr.delete),
    summary: 'Deletes a channel and its runs. Its download link then returns 404.',
    changes: SHOWS_CHANNELS,
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/inventory/run-channel',
    allow: can(Func.providerMappings, Opr.execute),
    summary: "Creates and delivers a channel's file now. Has no effect while a run is in progress.",
    input: z.strictObject({ id: Id }),
    changes: ['/api/inventory/get-channels'],
  }),
  renewAddress: endpoint({
    method: 'POST',
    path: '/api/inventory/renew-channel-address',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Replaces the download link of a channel. The old link returns 404 immediately.',
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  forgetHostKey: endpoint({
    method: 'POST',
    path: '/api/inventory/forget-channel-host-key',
    allow: can(Func.providerMappings, Opr.update),
    summary: "Removes an SFTP server's saved host key. The next connection saves the new one.",
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  runs: endpoint({
    method: 'GET',
    path: '/api/inventory/channel-runs/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary:
      'Returns the last 20 runs of a channel, newest first, and the vehicles excluded from the latest one.',
    input: z.strictObject({ id: Id }),
    output: ChannelRuns,
  }),
  ofVehicle: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-channels/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary:
      "Returns which channels include a vehicle, why the others exclude it, and the vehicle's JSON-LD.",
    input: z.strictObject({ id: Id }),
    output: z.object({ channels: z.array(ChannelInclusion), jsonLd: z.record(z.string(), z.unknown()) }),
  }),
}

/** Public downloads at unguessable URLs. */
export const publicFeeds = {
  file: endpoint({
    method: 'GET',
    path: '/feeds/{file}',
    kind: 'download',
    allow: 'anyone',
    isSecretLink: true,
    summary: 'Downloads the latest file of a channel, as `key.csv`, `key.xml` or `key.json`, with an ETag.',
    input: z.strictObject({ file: z.string().max(200) }),
  }),
  picture: endpoint({
    method: 'GET',
    path: '/feeds/pictures/{key}',
    kind: 'download',
    allow: 'anyone',
    summary:
      'Returns a photo of a vehicle that is for sale, made of its original without position, camera or other data: as a JPEG of at most 1,600 pixels, or as a WebP of at most `w` pixels.',
    input: z.strictObject({
      key: z.string().max(200),
      w: AskedWidth.optional(),
    }),
  }),
}
