import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { splitPath } from '#contract/starred-path.ts'
import { FEED_SOURCE_KINDS, type FeedSourceKind, isFetched } from './feed-source-list.ts'
import { filePlace, isFolderPath, placeFlaws, scheduleFlaws, starFlaw } from './remote-server.ts'

const MOST_LOTS = 500
const MOST_SENDERS = 50

/** What becomes of a file that was read: somebody looks at it, or it is applied unless something holds it. */
export const APPLIES = ['ask', 'byItself'] as const
export type Applies = (typeof APPLIES)[number]

/** What becomes of a file where it was, once it was fetched and is kept here. */
export const AFTER_FETCH = ['keep', 'delete', 'move'] as const
export type AfterFetch = (typeof AFTER_FETCH)[number]

/** Where servers of a kind listen unless somebody says otherwise. */
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
    'Give an address such as feeds@provider.com, or a domain.',
  )
  .transform((text) => text.replace(/^@/, ''))

const fields = {
  name: line(100, 'Name'),
  kind: z.enum(FEED_SOURCE_KINDS, 'Choose how it comes.'),
  mappingId: Id.nullable().optional(),
  isActive: z.boolean('Say true or false.').optional(),
  lotIds: z
    .array(Id, 'Lots must be a list.')
    .max(MOST_LOTS, `A source covers at most ${MOST_LOTS} lots.`)
    .optional(),
  applies: z.enum(APPLIES, 'Say whether a file is applied by itself.').optional(),
  /** Addresses or whole domains; empty: whoever knows the address of the source. */
  senders: z
    .array(sender, 'Senders must be a list.')
    .max(MOST_SENDERS, `At most ${MOST_SENDERS} senders.`)
    .optional(),
}

/** Of what is fetched alone: files that are sent have no such field. */
const afterwards = {
  afterFetch: z.enum(AFTER_FETCH, 'Choose what becomes of the file there.'),
  /** Where a file is moved: from the top of the server, or from the folder of the file. */
  moveTo: optionalLine(500, 'Folder').pipe(
    z
      .string()
      .refine(isFolderPath, 'Name a folder, such as done or /outbound/done, without "..", braces and stars.')
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

/** What does not fit together, a sentence for each field. */
export function sourceFlaws(source: Settings): Record<string, string> {
  const { kind, remotePath } = source
  if (!isFetched(kind)) return {}
  const star = starFlaw({ protocol: kind, path: remotePath ?? '' })
  return {
    ...placeFlaws({ ...source, protocol: kind }),
    ...(star !== null && { remotePath: star }),
    ...scheduleFlaws(source),
    ...afterFlaws(source),
  }
}

function afterFlaws({ kind, remotePath, afterFetch, moveTo }: Settings): Record<string, string> {
  if (kind === 'https' && afterFetch !== 'keep') {
    return { afterFetch: 'By HTTPS a file is only read. Choose that it stays, or fetch by SFTP or FTP.' }
  }
  if (afterFetch !== 'move') return {}
  if (moveTo === null) return { moveTo: 'Folder is required.' }
  if (moveTo !== splitPath(remotePath ?? '').folder) return {}
  return { moveTo: 'That is the folder the file is in. Name another one.' }
}

export const NewFeedSource = z
  .strictObject({
    ...fields,
    ...filePlace,
    afterFetch: afterwards.afterFetch.optional().default('keep'),
    moveTo: afterwards.moveTo.optional().default(null),
    kind: fields.kind.optional().default('upload'),
    host: filePlace.host.optional().default(null),
    port: filePlace.port.optional().default(null),
    remotePath: filePlace.remotePath.optional().default(null),
    userName: filePlace.userName.optional().default(null),
    everyHours: filePlace.everyHours.optional().default(null),
    dailyAt: filePlace.dailyAt.optional().default(null),
  })
  .superRefine((source, context) => {
    for (const [path, message] of Object.entries(sourceFlaws(source))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
export type NewFeedSource = z.output<typeof NewFeedSource>

const answered = z.unknown().optional()
/** What `edit-feed-source` answered may come back whole; only the fields that are there are changed. */
export const FeedSourceChange = z
  .strictObject({
    ...fields,
    id: Id,
    version: Version,
    name: fields.name.optional(),
    kind: fields.kind.optional(),
    host: filePlace.host.optional(),
    port: filePlace.port.optional(),
    remotePath: filePlace.remotePath.optional(),
    userName: filePlace.userName.optional(),
    secret: filePlace.secret,
    everyHours: filePlace.everyHours.optional(),
    dailyAt: filePlace.dailyAt.optional(),
    afterFetch: afterwards.afterFetch.optional(),
    moveTo: afterwards.moveTo.optional(),
    mappingName: answered,
    hasSecret: answered,
    hasToken: answered,
    hostKey: answered,
    lastRowCount: answered,
    lastRunAt: answered,
    nextRunAt: answered,
    lastProblem: answered,
    updatedAt: answered,
    updatedBy: answered,
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
