import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { FEED_SOURCE_KINDS, FEED_SOURCE_LIST } from './feed-source-list.ts'

const MOST_LOTS = 500
const CHANGES = can(Func.vehicles, Opr.execute)

/** A lasting place that a feed comes from. */
export const FeedSource = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(FEED_SOURCE_KINDS),
  /** Null: the mapping that fits is looked for each time. */
  mappingId: z.string().nullable(),
  mappingName: z.string().nullable(),
  /** By the kind: addresses, user names, paths. */
  settings: z.record(z.string(), z.unknown()),
  /** When it is fetched; null: when somebody asks for it. */
  schedule: z.string().nullable(),
  isActive: z.boolean(),
  /** The lots that it covers; empty: all that its owner reaches. */
  lotIds: z.array(z.string()),
  /** Rows of the last file that was applied. */
  lastRowCount: z.number().int().nullable(),
  lastRunAt: Instant.nullable(),
  nextRunAt: Instant.nullable(),
  lastProblem: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type FeedSource = z.infer<typeof FeedSource>

const lotIds = z
  .array(Id, 'Lots must be a list.')
  .max(MOST_LOTS, `A source covers at most ${MOST_LOTS} lots.`)
const settings = z
  .record(z.string().max(60), z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]))
  .refine((given) => Object.keys(given).length <= 40, 'At most 40 settings.')

const fields = {
  name: line(100, 'Name'),
  kind: z.enum(FEED_SOURCE_KINDS, 'Choose how it comes.'),
  mappingId: Id.nullable().optional(),
  settings: settings.optional(),
  schedule: optionalLine(100, 'Schedule'),
  isActive: z.boolean('Say true or false.').optional(),
  lotIds: lotIds.optional(),
}

export const NewFeedSource = z.strictObject({ ...fields, kind: fields.kind.optional().default('upload') })
export type NewFeedSource = z.input<typeof NewFeedSource>

const answered = z.unknown().optional()
/** What `edit-feed-source` answered may come back whole; only the fields that are there are changed. */
export const FeedSourceChange = z
  .strictObject({
    ...fields,
    id: Id,
    name: fields.name.optional(),
    kind: fields.kind.optional(),
    version: Version,
    mappingName: answered,
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
      lastRowCount: _rows,
      lastRunAt: _last,
      nextRunAt: _next,
      lastProblem: _problem,
      updatedAt: _at,
      updatedBy: _by,
      ...change
    }) => change,
  )

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
    summary: 'One feed source with everything its form edits.',
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
    summary: 'Changes a feed source. A stale version answers 409 with the source as it is now.',
    input: FeedSourceChange,
    output: FeedSource,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/inventory/delete-feed-source/{id}',
    allow: CHANGES,
    summary: 'Deletes a feed source. Its runs and vehicles stay.',
    input: z.strictObject({ id: Id }),
  }),
}
