import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { AFTER_FETCH, APPLIES, FeedSourceChange, NewFeedSource } from './feed-source-schema.ts'
import { FEED_SOURCE_KINDS, FEED_SOURCE_LIST } from './feed-source-list.ts'

const CHANGES = can(Func.vehicles, Opr.execute)

export const CUSTOMER_MANAGED =
  'This feed source is managed by users with access to all organizations. Ask one of them to change it.'

/** A recurring origin of feeds. Its password, key and token can be set or generated but are never returned. */
export const FeedSource = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FEED_SOURCE_KINDS),
  /** Null: the best-fitting mapping is chosen for each file. */
  mappingId: z.string().nullable(),
  mappingName: z.string().nullable(),
  isActive: z.boolean(),
  /** The lots it covers; empty: all lots its owner can access. */
  lotIds: z.array(z.string()),
  applies: z.enum(APPLIES),
  /** The server it is fetched from; null for other delivery methods. */
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  /** Folder and name. With SFTP and FTP an asterisk in the name matches any characters, and the newest match is fetched. */
  remotePath: z.string().nullable(),
  userName: z.string().nullable(),
  hasSecret: z.boolean(),
  /** The fingerprint the SFTP server presented first; any other is rejected from then on. */
  hostKey: z.string().nullable(),
  everyHours: z.number().int().nullable(),
  /** A time of day in the customer's time zone, `06:30`. */
  dailyAt: z.string().nullable(),
  /** What happens to the file on the server after it is fetched and stored. */
  afterFetch: z.enum(AFTER_FETCH),
  /** Where it is moved: an absolute path, or one relative to the file's folder. */
  moveTo: z.string().nullable(),
  /** Whether files can be sent to it, because its URL was generated. */
  hasToken: z.boolean(),
  senders: z.array(z.string()),
  /** Rows in the last applied file. */
  lastRowCount: z.number().int().nullable(),
  lastRunAt: Instant.nullable(),
  nextRunAt: Instant.nullable(),
  lastProblem: z.string().nullable(),
  /** Managed by users with access to the whole customer: the caller can only view it. */
  isReadOnly: z.boolean(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type FeedSource = z.infer<typeof FeedSource>

export const DELIVERY_STATES = ['running', 'received', 'unchanged', 'failed'] as const
/** The most feed sources of a customer. Each is asked for whether it is due. */
export const MAX_FEED_SOURCES = 1_000
/** How many deliveries of a source are stored and returned. */
export const MAX_DELIVERIES = 50

/** One attempt to receive a file automatically, successful or not. */
export const FeedDelivery = z.object({
  id: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** The user who requested it; null: the schedule, or an outside sender. */
  requestedBy: z.string().nullable(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  fileName: z.string().nullable(),
  /** The run it started, or the earlier run of the same file. */
  runId: z.string().nullable(),
  /** Details of the outcome, if there are any. */
  message: z.string().nullable(),
})
export type FeedDelivery = z.infer<typeof FeedDelivery>

export const feedSources = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-sources',
    allow: can(Func.vehicles, Opr.list),
    summary: 'Lists feed sources, with search, filters and paging.',
    input: listQuery(FEED_SOURCE_LIST),
    output: queriedList(FeedSource),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-feed-source/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Returns one feed source with everything its form edits except its password or key.',
    input: z.strictObject({ id: Id }),
    output: FeedSource,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-feed-source',
    allow: CHANGES,
    summary:
      'Adds a feed source. It runs with the permissions of the user who adds it. A name already in use returns 409.',
    input: NewFeedSource,
    output: FeedSource,
    changes: ['/api/inventory/get-feed-sources'],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-feed-source',
    allow: CHANGES,
    summary:
      'Updates a feed source. A new server or user name requires the password again. A stale version returns 409 with the current source.',
    input: FeedSourceChange,
    output: FeedSource,
    changes: ['/api/inventory/get-feed-sources'],
  }),
  remove: endpoint({
    ...deletionOf(FeedSource),
    path: '/api/inventory/delete-feed-source/{id}',
    allow: CHANGES,
    summary: 'Deletes a feed source. Its runs and vehicles stay; its URL returns 404 from then on.',
    changes: ['/api/inventory/get-feed-sources'],
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/inventory/fetch-feed-source',
    allow: CHANGES,
    summary: "Fetches a source's file now. Repeated requests start a single fetch.",
    input: z.strictObject({ id: Id }),
    changes: ['/api/inventory/get-feed-sources', '/api/inventory/feed-source-deliveries/{id}'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/inventory/test-feed-source',
    allow: CHANGES,
    outside: true,
    summary: "Tests whether a source's file can be fetched and returns its first line. Nothing is stored.",
    input: z.strictObject({ id: Id }),
    output: z.object({ isSuccessful: z.boolean(), message: z.string() }),
  }),
  forgetHostKey: endpoint({
    method: 'POST',
    path: '/api/inventory/forget-feed-source-host-key',
    allow: CHANGES,
    summary: 'Forgets the host key of an SFTP server. The next key it presents is trusted and stored.',
    input: z.strictObject({ id: Id }),
    output: FeedSource,
  }),
  renewToken: endpoint({
    method: 'POST',
    path: '/api/inventory/renew-feed-source-token',
    allow: CHANGES,
    summary:
      "Generates the URL that a source's files are sent to. It is returned only once, and any earlier URL returns 404 immediately.",
    input: z.strictObject({ id: Id }),
    output: z.object({ path: z.string() }),
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/inventory/feed-source-deliveries/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Returns the last 50 automatic deliveries of a source, including failed ones, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.object({ deliveries: z.array(FeedDelivery) }),
  }),
}

/** The end of a source's URL: its ID and a random secret. */
const token = z.string().max(120)
const InboundFile = z.object({
  /** The run that reads the file, or the earlier run of the same file. */
  runId: z.string().nullable(),
  state: z.enum(['received', 'unchanged', 'failed']),
  fileName: z.string(),
  message: z.string().nullable(),
})

/** Files that outside systems send, without signing in, to a URL with a secret token. */
export const inboundFeeds = {
  push: endpoint({
    method: 'POST',
    path: '/inbound/feed/{token}',
    kind: 'raw',
    isLater: true,
    allow: 'anyone',
    isSecretLink: true,
    summary:
      'Accepts a feed (CSV, XML, JSON) as the body or as one multipart/form-data file, and returns 202. The file is then read and compared automatically. Its name can be given as `name` in the query.',
    input: z.strictObject({ token, name: z.string().max(200).optional() }),
    output: InboundFile,
  }),
  mail: endpoint({
    method: 'POST',
    path: '/inbound/feed-mail/{token}',
    kind: 'raw',
    allow: 'anyone',
    isSecretLink: true,
    summary:
      'Accepts an email in the format of the Postmark inbound webhook and reads each attachment that is a feed. A repeated MessageID is ignored.',
    input: z.strictObject({ token }),
    output: z.object({ files: z.array(InboundFile) }),
  }),
}

const text = (max: number) => z.string().max(max)
/** An email as Postmark's inbound webhook sends it; unused fields are ignored. */
export const InboundMail = z.looseObject({
  MessageID: text(200).regex(/^[\x21-\x7e]+$/),
  From: text(1_000).optional(),
  FromFull: z.looseObject({ Email: text(320) }).optional(),
  Subject: text(2_000).optional(),
  Attachments: z
    .array(z.looseObject({ Name: text(1_000), Content: z.string(), ContentType: text(300).optional() }))
    .max(100)
    .optional()
    .default([]),
})
export type InboundMail = z.output<typeof InboundMail>
