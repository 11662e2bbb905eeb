import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { splitPath } from '#contract/starred-path.ts'
import { FEED_SOURCE_KINDS, type FeedSourceKind, isFetched } from './feed-source-list.ts'
import {
  remoteFileFields,
  isFolderPath,
  serverErrors,
  scheduleErrors,
  wildcardError,
} from '#contract/remote-server.ts'

const MAX_LOTS = 500
const MAX_SENDERS = 50

/** What happens after a file is read: it waits for a user, or it is applied automatically unless it needs review. */
export const APPLIES = ['ask', 'automatic'] as const
export type Applies = (typeof APPLIES)[number]

/** What happens to the file on its server after we have fetched and stored it. */
export const AFTER_FETCH = ['keep', 'delete', 'move'] as const
export type AfterFetch = (typeof AFTER_FETCH)[number]

/** The default port of each kind. */
export const SOURCE_PORTS: Readonly<Record<FeedSourceKind, number | null>> = {
  upload: null,
  https: 443,
  sftp: 22,
  ftps: 21,
  ftp: 21,
  api: null,
  mail: null,
}

const sender = z
  .string('A sender must be text.')
  .trim()
  .toLowerCase()
  .max(254, 'A sender may have at most 254 characters.')
  .regex(
    /^(?:[^\s@]+@|@)?[a-z0-9.-]+\.[a-z]{2,}$/,
    'Enter an address such as feeds@provider.com, or a domain.',
  )
  .transform((text) => text.replace(/^@/, ''))

const fields = {
  name: line(100, 'Name'),
  kind: z.enum(FEED_SOURCE_KINDS, 'Choose a delivery method.'),
  mappingId: Id.nullable().optional(),
  isActive: z.boolean('Must be true or false.').optional(),
  lotIds: z
    .array(Id, 'Lots must be a list.')
    .max(MAX_LOTS, `A feed source can cover at most ${MAX_LOTS} lots.`)
    .optional(),
  applies: z.enum(APPLIES, 'Choose what happens when a file arrives.').optional(),
  /** Addresses or whole domains; empty: anyone who knows the source's address. */
  senders: z
    .array(sender, 'Senders must be a list.')
    .max(MAX_SENDERS, `A feed source can have at most ${MAX_SENDERS} senders.`)
    .optional(),
}

/** Fetched sources only. */
const afterFetchFields = {
  afterFetch: z.enum(AFTER_FETCH, 'Choose what happens to the file on the server.'),
  /** Where the file is moved: an absolute path, or one relative to the file's folder. */
  moveTo: optionalLine(500, 'Folder').pipe(
    z
      .string()
      .refine(
        isFolderPath,
        'Enter a folder such as done or /outbound/done, without "..", braces or asterisks.',
      )
      .nullish()
      .transform((folder) => folder?.replace(/(?<=.)\/+$/, '') ?? null),
  ),
}

type Settings = {
  kind: FeedSourceKind
  host: string | null
  remotePath: string | null
  userName: string | null
  everyHours: number | null
  dailyAt: string | null
  afterFetch: AfterFetch
  moveTo: string | null
}

/** Errors that concern several fields together, a message for each field at fault. */
export function sourceErrors(source: Settings): Record<string, string> {
  const { kind, remotePath } = source
  if (!isFetched(kind)) return {}
  const wildcard = wildcardError({ protocol: kind, path: remotePath ?? '' })
  return {
    ...serverErrors({ ...source, protocol: kind }),
    ...(wildcard !== null && { remotePath: wildcard }),
    ...scheduleErrors(source),
    ...afterFetchErrors(source),
  }
}

function afterFetchErrors({ kind, remotePath, afterFetch, moveTo }: Settings): Record<string, string> {
  if (kind === 'https' && afterFetch !== 'keep') {
    return { afterFetch: 'HTTPS can only read files. Leave the file in place, or fetch it by SFTP or FTP.' }
  }
  if (afterFetch !== 'move') return {}
  if (moveTo === null) return { moveTo: 'Folder is required.' }
  if (moveTo !== splitPath(remotePath ?? '').folder) return {}
  return { moveTo: 'The file is already in this folder. Enter a different one.' }
}

export const NewFeedSource = z
  .strictObject({
    ...fields,
    ...remoteFileFields,
    afterFetch: afterFetchFields.afterFetch.optional().default('keep'),
    moveTo: afterFetchFields.moveTo.optional().default(null),
    kind: fields.kind.optional().default('upload'),
    host: remoteFileFields.host.optional().default(null),
    port: remoteFileFields.port.optional().default(null),
    remotePath: remoteFileFields.remotePath.optional().default(null),
    userName: remoteFileFields.userName.optional().default(null),
    everyHours: remoteFileFields.everyHours.optional().default(null),
    dailyAt: remoteFileFields.dailyAt.optional().default(null),
  })
  .superRefine((source, context) => {
    for (const [path, message] of Object.entries(sourceErrors(source))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
export type NewFeedSource = z.output<typeof NewFeedSource>

const readOnly = z.unknown().optional()
/** Accepts the whole response of `edit-feed-source`; only the fields present are changed. */
export const FeedSourceChange = z
  .strictObject({
    ...fields,
    id: Id,
    version: Version,
    name: fields.name.optional(),
    kind: fields.kind.optional(),
    host: remoteFileFields.host.optional(),
    port: remoteFileFields.port.optional(),
    remotePath: remoteFileFields.remotePath.optional(),
    userName: remoteFileFields.userName.optional(),
    secret: remoteFileFields.secret,
    everyHours: remoteFileFields.everyHours.optional(),
    dailyAt: remoteFileFields.dailyAt.optional(),
    afterFetch: afterFetchFields.afterFetch.optional(),
    moveTo: afterFetchFields.moveTo.optional(),
    mappingName: readOnly,
    hasSecret: readOnly,
    hasToken: readOnly,
    hostKey: readOnly,
    lastRowCount: readOnly,
    lastRunAt: readOnly,
    nextRunAt: readOnly,
    lastProblem: readOnly,
    updatedAt: readOnly,
    updatedBy: readOnly,
  })
  .transform(
    ({
      mappingName: _mapping,
      hasSecret: _secret,
      hasToken: _token,
      hostKey: _key,
      lastRowCount: _rows,
      lastRunAt: _last,
      nextRunAt: _next,
      lastProblem: _problem,
      updatedAt: _at,
      updatedBy: _by,
      ...change
    }) => change,
  )
export type FeedSourceChange = z.output<typeof FeedSourceChange>
