import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { AFTER_FETCH, APPLIES, FeedSourceChange, NewFeedSource } from './feed-source-schema.ts'
import { FEED_SOURCE_KINDS, FEED_SOURCE_LIST } from './feed-source-list.ts'

const CHANGES = can(Func.vehicles, Opr.execute)

export const CUSTOMER_MANAGED =
  'This feed source is kept by people who reach the whole customer. Ask one of them to change it.'

/** A lasting place that a feed comes from. Its password, key and token go in or are made, and never come out. */
export const FeedSource = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FEED_SOURCE_KINDS),
  /** Null: the mapping that fits is looked for each time. */
  mappingId: z.string().nullable(),
  mappingName: z.string().nullable(),
  isActive: z.boolean(),
  /** The lots that it covers; empty: all that its owner reaches. */
  lotIds: z.array(z.string()),
  applies: z.enum(APPLIES),
  /** Where it is fetched; null where it comes otherwise. */
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  /** Folder and name; by SFTP and FTP a star in the name stands for any characters, and the newest file is fetched. */
  remotePath: z.string().nullable(),
  userName: z.string().nullable(),
  hasSecret: z.boolean(),
  /** The fingerprint that the SFTP server showed first; another one is refused from then on. */
  hostKey: z.string().nullable(),
  everyHours: z.number().int().nullable(),
  /** A time of day in the customer's zone, `06:30`. */
  dailyAt: z.string().nullable(),
  /** What becomes of a file there once it was fetched and is kept here. */
  afterFetch: z.enum(AFTER_FETCH),
  /** Where it is moved: from the top of the server, or from the folder of the file. */
  moveTo: z.string().nullable(),
  /** Whether files can be sent to it: somebody made its address. */
  hasToken: z.boolean(),
  senders: z.array(z.string()),
  /** Rows of the last file that was applied. */
  lastRowCount: z.number().int().nullable(),
  lastRunAt: Instant.nullable(),
  nextRunAt: Instant.nullable(),
  lastProblem: z.string().nullable(),
  /** It is kept by people who reach the whole customer: the caller only looks. */
  isReadOnly: z.boolean(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type FeedSource = z.infer<typeof FeedSource>

export const ARRIVAL_STATES = ['running', 'brought', 'unchanged', 'failed'] as const
/** So many arrivals of a source are kept, and told of. */
export const KEPT_ARRIVALS = 50

/** Once that a file came by itself, or should have. */
export const FeedArrival = z.object({
  id: z.string(),
  state: z.enum(ARRIVAL_STATES),
  /** Null: the schedule, or whoever sent it. */
  askedBy: z.string().nullable(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  fileName: z.string().nullable(),
  /** The run it became, or the one that had the same file. */
  runId: z.string().nullable(),
  /** What became of it where that wants words. */
  said: z.string().nullable(),
})
export type FeedArrival = z.infer<typeof FeedArrival>

export const feedSources = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-feed-sources',
    allow: can(Func.vehicles, Opr.list),
    summary: 'Where feeds come from, as a queried list.',
    input: listQuery(FEED_SOURCE_LIST),
    output: queriedList(FeedSource),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-feed-source/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'One feed source with everything its form edits, but for its password or key.',
    input: z.strictObject({ id: Id }),
    output: FeedSource,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-feed-source',
    allow: CHANGES,
    summary: 'Adds a feed source, which works with the rights of whoever adds it. A name in use answers 409.',
    input: NewFeedSource,
    output: FeedSource,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-feed-source',
    allow: CHANGES,
    summary:
      'Changes a feed source. Another server or user takes its password again. A stale version answers 409 with the source as it is now.',
    input: FeedSourceChange,
    output: FeedSource,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/inventory/delete-feed-source/{id}',
    allow: CHANGES,
    summary: 'Deletes a feed source. Its runs and vehicles stay; its address answers 404 from then on.',
    input: z.strictObject({ id: Id }),
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/inventory/fetch-feed-source',
    allow: CHANGES,
    summary: 'Fetches the file of a source now. Asked for twice, it is done once.',
    input: z.strictObject({ id: Id }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/inventory/test-feed-source',
    allow: CHANGES,
    outside: true,
    summary:
      'Looks whether the file of a source can be fetched, and says what it begins with. Keeps nothing.',
    input: z.strictObject({ id: Id }),
    output: z.object({ isThere: z.boolean(), said: z.string() }),
  }),
  forgetHostKey: endpoint({
    method: 'POST',
    path: '/api/inventory/forget-feed-source-host-key',
    allow: CHANGES,
    summary: 'Forgets the key of an SFTP server: the one it shows next is taken and kept.',
    input: z.strictObject({ id: Id }),
    output: FeedSource,
  }),
  renewToken: endpoint({
    method: 'POST',
    path: '/api/inventory/renew-feed-source-token',
    allow: CHANGES,
    summary:
      'Makes the address that files of a source are sent to. It is answered this once; an earlier one answers 404 at once.',
    input: z.strictObject({ id: Id }),
    output: z.object({ path: z.string() }),
  }),
  arrivals: endpoint({
    method: 'GET',
    path: '/api/inventory/feed-source-arrivals/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'The last 50 times that a file of the source came by itself or should have, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.object({ arrivals: z.array(FeedArrival) }),
  }),
}

/** The end of the address of a source: which one it is, and a word that nobody guesses. */
const token = z.string().max(120)
const Taken = z.object({
  /** The run that reads the file; of a file that is there already the run that has it. */
  runId: z.string().nullable(),
  state: z.enum(['brought', 'unchanged', 'failed']),
  fileName: z.string(),
  said: z.string().nullable(),
})

/** What machines outside send, without signing in, to an address that nobody guesses. */
export const inboundFeeds = {
  push: endpoint({
    method: 'POST',
    path: '/inbound/feed/{token}',
    kind: 'raw',
    isLater: true,
    allow: 'anyone',
    summary:
      'Takes a feed (CSV, XML, JSON) as the body, or as one file of multipart/form-data, and answers 202: it is read and compared by itself. Its name may be given as `name` in the query.',
    input: z.strictObject({ token, name: z.string().max(200).optional() }),
    output: Taken,
  }),
  mail: endpoint({
    method: 'POST',
    path: '/inbound/feed-mail/{token}',
    kind: 'raw',
    allow: 'anyone',
    summary:
      'Takes a mail as Postmark posts it (its documentation, "Inbound webhook"): each attachment that is a feed is read. A MessageID that came before changes nothing.',
    input: z.strictObject({ token }),
    output: z.object({ files: z.array(Taken) }),
  }),
}

const words = (max: number) => z.string().max(max)
/** A mail as Postmark posts it; what is not needed is let pass. */
export const InboundMail = z.looseObject({
  MessageID: words(200).regex(/^[\x21-\x7e]+$/),
  From: words(1_000).optional(),
  FromFull: z.looseObject({ Email: words(320) }).optional(),
  Subject: words(2_000).optional(),
  Attachments: z
    .array(z.looseObject({ Name: words(1_000), Content: z.string(), ContentType: words(300).optional() }))
    .max(100)
    .optional()
    .default([]),
})
export type InboundMail = z.output<typeof InboundMail>
