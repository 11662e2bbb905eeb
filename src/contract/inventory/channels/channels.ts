import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { ChannelChange, DESTINATIONS, NewChannel } from './channel-schema.ts'
import { CHANNEL_LIST } from './channel-list.ts'
import { FEED_FORMATS } from './listings/listing-row.ts'
import { CHANNEL_KINDS, HOLD_REASON_KEYS } from './listings/hold-back.ts'
import { OwnColumns } from './listings/own-columns.ts'

export const RUN_STATES = ['running', 'sent', 'unchanged', 'stopped', 'failed'] as const

const row = {
  id: z.string(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  format: z.enum(FEED_FORMATS),
  destination: z.enum(DESTINATIONS),
  host: z.string().nullable(),
  isActive: z.boolean(),
  everyHours: z.number().int().nullable(),
  /** A time of day in the customer's zone, `06:30`. */
  dailyAt: z.string().nullable(),
  /** Of the last run that is over or under way; null before the first. */
  lastState: z.enum(RUN_STATES).nullable(),
  lastAt: Instant.nullable(),
  /** Vehicles that went out, and those that were held back. */
  offered: z.number().int().nullable(),
  held: z.number().int().nullable(),
  nextRunAt: Instant.nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
}
export const ChannelRow = z.object(row)
export type ChannelRow = z.infer<typeof ChannelRow>

/** A place that takes the customer's vehicles. Its password or key goes in and never comes out. */
export const Channel = z.object({
  ...row,
  rule: z.string(),
  pageTemplate: z.string().nullable(),
  columns: OwnColumns,
  port: z.number().int().nullable(),
  remotePath: z.string().nullable(),
  userName: z.string().nullable(),
  hasSecret: z.boolean(),
  /** The fingerprint that the SFTP server showed first; another one is refused from then on. */
  hostKey: z.string().nullable(),
  /** Where the file is fetched, with the word that opens it; null where it is sent, and for who may not change channels. */
  feedPath: z.string().nullable(),
  /** The customer's own public name, if it has one: where the path is best asked for. */
  feedOrigin: z.string().nullable(),
})
export type Channel = z.infer<typeof Channel>

/** One attempt to bring a channel its file. */
export const ChannelRun = z.object({
  id: z.string(),
  state: z.enum(RUN_STATES),
  /** Null: the schedule. */
  askedBy: z.string().nullable(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  offered: z.number().int(),
  held: z.number().int(),
  bytes: z.number().int(),
  /** How often each reason held a vehicle back; one vehicle may have several. */
  reasons: z.partialRecord(z.enum(HOLD_REASON_KEYS), z.number().int()),
  /** What became of it where that wants words: why it failed, was stopped or was not sent. */
  said: z.string().nullable(),
})
export type ChannelRun = z.infer<typeof ChannelRun>

/** A vehicle that a run held back. */
const LockedVehicle = z.object({
  vehicleId: z.string(),
  title: z.string(),
  reasons: z.array(z.enum(HOLD_REASON_KEYS)),
})

export const ChannelRuns = z.object({ runs: z.array(ChannelRun), held: z.array(LockedVehicle) })
export type ChannelRuns = z.infer<typeof ChannelRuns>

/** Whether a channel would take a vehicle now. */
export const ChannelOpinion = z.object({
  channelId: z.string(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  isActive: z.boolean(),
  reasons: z.array(z.enum(HOLD_REASON_KEYS)),
})
export type ChannelOpinion = z.infer<typeof ChannelOpinion>

/** The most held-back vehicles that one answer names. */
export const MOST_HELD = 500
/** So many runs of a channel are kept, and told of. */
export const KEPT_RUNS = 20

export const channels = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-channels',
    allow: can(Func.providerMappings, Opr.list),
    summary: 'The places that take the vehicles of the customer, as a queried list, with their last run.',
    input: listQuery(CHANNEL_LIST),
    output: queriedList(ChannelRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-channel/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'One channel with everything its form edits, but for its password or key.',
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-channel',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds a channel. A name already in use answers 409.',
    input: NewChannel,
    output: Channel,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-channel',
    allow: can(Func.providerMappings, Opr.update),
    summary:
      'Changes a channel. Another server or user takes its password again. A stale version answers 409.',
    input: ChannelChange,
    output: Channel,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/inventory/delete-channel/{id}',
    allow: can(Func.providerMappings, Opr.delete),
    summary: 'Deletes a channel with its runs. Its address answers 404 from then on.',
    input: z.strictObject({ id: Id }),
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/inventory/run-channel',
    allow: can(Func.providerMappings, Opr.execute),
    summary: 'Makes the file of a channel now and brings it there. Asked for twice, it is done once.',
    input: z.strictObject({ id: Id }),
  }),
  renewAddress: endpoint({
    method: 'POST',
    path: '/api/inventory/renew-channel-address',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Gives a channel another address; the old one answers 404 at once.',
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  forgetHostKey: endpoint({
    method: 'POST',
    path: '/api/inventory/forget-channel-host-key',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Forgets the key of an SFTP server: the one it shows next is taken and kept.',
    input: z.strictObject({ id: Id }),
    output: Channel,
  }),
  runs: endpoint({
    method: 'GET',
    path: '/api/inventory/channel-runs/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'The last 20 runs of a channel, newest first, and the vehicles that the last one held back.',
    input: z.strictObject({ id: Id }),
    output: ChannelRuns,
  }),
  ofVehicle: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-channels/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Which channels would take a vehicle now, and why the others would not; and its JSON-LD.',
    input: z.strictObject({ id: Id }),
    output: z.object({ channels: z.array(ChannelOpinion), jsonLd: z.record(z.string(), z.unknown()) }),
  }),
}

/** What strangers fetch: at addresses that nobody guesses. */
export const publicFeeds = {
  file: endpoint({
    method: 'GET',
    path: '/feeds/{file}',
    kind: 'download',
    allow: 'anyone',
    summary: 'The file that a channel made last, as `key.csv`, `key.xml` or `key.json`, with an ETag.',
    input: z.strictObject({ file: z.string().max(200) }),
  }),
  picture: endpoint({
    method: 'GET',
    path: '/feeds/pictures/{key}',
    kind: 'download',
    allow: 'anyone',
    summary: 'A picture of a vehicle that is live, out of the media of its customer.',
    input: z.strictObject({ key: z.string().max(200) }),
  }),
}
