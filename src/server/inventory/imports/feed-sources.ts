import { sql } from 'kysely'
import { z } from 'zod'
import { FEED_SOURCE_KINDS, FEED_SOURCE_LIST } from '#contract/inventory/feed-source-list.ts'
import type { FeedSource, feedSources } from '#contract/inventory/feed-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, readPage } from '#server/lists/read-list.ts'

const column = (name: string) => ({ value: sql.ref(`s.${name}`) })
const WRONG = 'Some fields are not right.'

/** Where feeds come from, with their mappings. */
export const feedSourceSource: ListSource<keyof typeof FEED_SOURCE_LIST.fields> = {
  list: FEED_SOURCE_LIST,
  from: sql`feed_sources s left join provider_mappings m on m.customer_id = s.customer_id and m.id = s.mapping_id`,
  table: sql`feed_sources s`,
  within: (actor) => sql`s.customer_id = ${actor.customerId}`,
  id: sql`s.id`,
  title: sql`s.name`,
  fields: {
    name: { ...column('name'), order: sql`s.name_key`, isAlwaysThere: true },
    kind: { ...column('kind'), isAlwaysThere: true },
    isActive: { ...column('is_active'), isAlwaysThere: true },
    mappingName: { value: sql`m.name`, joins: 'value' },
    lastRowCount: column('last_row_count'),
    lastRunAt: column('last_run_at'),
    updatedAt: { ...column('updated_at'), isAlwaysThere: true },
    updatedBy: column('updated_by'),
  },
  search: (text) => contains([sql.ref('s.name'), sql.ref('m.name')], text),
  searchJoins: true,
}

function selectSources(db: Database) {
  return db
    .selectFrom('feedSources as s')
    .leftJoin('providerMappings as m', (join) =>
      join.onRef('m.customerId', '=', 's.customerId').onRef('m.id', '=', 's.mappingId'),
    )
    .select([
      's.id',
      's.name',
      's.kind',
      's.mappingId',
      'm.name as mappingName',
      's.settings',
      's.schedule',
      's.isActive',
      's.lotIds',
    ])
    .select([
      's.lastRowCount',
      's.lastRunAt',
      's.nextRunAt',
      's.lastProblem',
      's.version',
      's.updatedAt',
      's.updatedBy',
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof selectSources>['executeTakeFirstOrThrow']>>

const Kind = z.enum(FEED_SOURCE_KINDS)
const Settings = z.record(z.string(), z.unknown())
const toSource = (row: Row): FeedSource => ({
  ...row,
  kind: Kind.parse(row.kind),
  settings: Settings.parse(row.settings),
})

/** @throws Failure 404 when the source is none of theirs. */
export async function readFeedSource(db: Database, id: string): Promise<FeedSource> {
  const row = await selectSources(db).where('s.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Feed source')
  return toSource(row)
}

/** Feed sources: seen by their rooftop, or by those who reach the whole customer. */
export const feedSourceHandlers: Handlers<typeof feedSources> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, feedSourceSource, input)
    const rows = ids.length === 0 ? [] : await selectSources(db).where('s.id', 'in', ids).execute()
    return { ...counts, results: inOrder(ids, rows.map(toSource)) }
  },

  get: ({ db, input }) => readFeedSource(db, input.id),

  async add({ db, actor, input: { settings = {}, lotIds = [], ...values } }) {
    await refuseForeign(db, { mappingId: values.mappingId, lotIds })
    const { id } = await explain(
      db
        .insertInto('feedSources')
        .values({ ...values, ...ownedBy(actor), settings: JSON.stringify(settings), lotIds: [...lotIds] })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return readFeedSource(db, id)
  },

  async update({ db, actor, input: { id, version, settings, lotIds, ...values } }) {
    await db.selectFrom('feedSources').select('id').where('id', '=', id).forUpdate().execute()
    const current = await readFeedSource(db, id)
    if (version !== undefined && version !== current.version) throw stale('This feed source', current)
    await refuseForeign(db, { mappingId: values.mappingId, lotIds })
    await explain(
      db
        .updateTable('feedSources')
        .set({
          ...values,
          // It works with the rights of whoever said last what it does.
          ...ownedBy(actor),
          ...(settings !== undefined && { settings: JSON.stringify(settings) }),
          ...(lotIds !== undefined && { lotIds: [...lotIds] }),
        })
        .where('id', '=', id)
        .execute(),
    )
    return readFeedSource(db, id)
  },

  async remove({ db, input }) {
    const removed = await db
      .deleteFrom('feedSources')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Feed source')
    return null
  },
}

/** A source is as far-reaching as its owner. */
function ownedBy(actor: Member) {
  return {
    organizationId: actor.reach === 'customer' ? null : actor.organizationId,
    actingOrganizationId: actor.organizationId,
    reach: actor.reach,
    userCustomerId: actor.effectiveCustomerId,
    userId: actor.effectiveUserId,
  }
}

/** @throws Failure 400 on a mapping or a lot that is none of theirs. */
async function refuseForeign(
  db: Database,
  {
    mappingId,
    lotIds = [],
  }: { mappingId?: string | null | undefined; lotIds?: readonly string[] | undefined },
): Promise<void> {
  if (typeof mappingId === 'string') {
    const mapping = await db
      .selectFrom('providerMappings')
      .select('id')
      .where('id', '=', mappingId)
      .executeTakeFirst()
    if (mapping === undefined) throw refused(WRONG, { mappingId: 'Choose one of your provider mappings.' })
  }
  if (lotIds.length === 0) return
  const wanted = [...new Set(lotIds)]
  const lots = await db.selectFrom('lots').select('id').where('id', 'in', wanted).execute()
  if (lots.length < wanted.length) throw refused(WRONG, { lotIds: 'Choose some of your lots.' })
}

async function explain<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another feed source already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
