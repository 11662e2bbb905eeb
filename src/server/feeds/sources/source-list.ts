import { sql } from 'kysely'
import { FEED_SOURCE_LIST } from '#contract/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/feeds/sources/feed-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, type PageOf, readPage } from '#server/lists/read-list.ts'
import { isReadOnlyForOrganizationUsers } from '../runs/source-reach.ts'
import { serverOf } from './source-row.ts'

const column = (name: string) => ({ value: sql.ref(`s.${name}`) })
const state = (name: string) => ({ value: sql.ref(`t.${name}`), joins: 'value' as const })

/** Feed sources with their mappings and next run. */
export const feedSourceSource: ListSource<keyof typeof FEED_SOURCE_LIST.fields> = {
  list: FEED_SOURCE_LIST,
  from: sql`feed_sources s left join provider_mappings m on m.customer_id = s.customer_id and m.id = s.mapping_id
    left join feed_source_states t on t.customer_id = s.customer_id and t.source_id = s.id`,
  table: sql`feed_sources s`,
  within: (actor) => sql`s.customer_id = ${actor.customerId}`,
  id: sql`s.id`,
  title: sql`s.name`,
  fields: {
    name: { ...column('name'), order: sql`s.name_key`, isNeverNull: true },
    kind: { ...column('kind'), isNeverNull: true },
    isActive: { ...column('is_active'), isNeverNull: true },
    mappingName: { value: sql`m.name`, joins: 'value' },
    lastRowCount: column('last_row_count'),
    lastRunAt: column('last_run_at'),
    nextRunAt: state('next_run_at'),
    lastProblem: { value: sql`coalesce(t.last_problem, t.after_problem)`, joins: 'value' },
    updatedAt: { ...column('updated_at'), isNeverNull: true },
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
    .leftJoin('feedSourceStates as t', (join) =>
      join.onRef('t.customerId', '=', 's.customerId').onRef('t.sourceId', '=', 's.id'),
    )
    .select(['s.id', 's.name', 's.kind', 's.mappingId', 'm.name as mappingName', 's.isActive', 's.lotIds'])
    .select(['s.applies', 's.host', 's.port', 's.remotePath', 's.userName', 's.everyHours', 's.dailyAt'])
    .select(['s.senders', 's.lastRowCount', 's.lastRunAt', 's.version', 's.updatedAt', 's.updatedBy'])
    .select(['s.reach', 's.afterFetch', 's.moveTo', 't.hostKey', 't.hostKeyOf', 't.nextRunAt'])
    .select([
      sql<string | null>`coalesce(t.last_problem, t.after_problem)`.as('lastProblem'),
      sql<boolean>`s.secret_sealed is not null`.as('hasSecret'),
      sql<boolean>`s.token_hash is not null`.as('hasToken'),
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof selectSources>['executeTakeFirstOrThrow']>>

function toSource({ hostKeyOf, hostKey, reach, ...row }: Row, actor: Pick<Member, 'reach'>): FeedSource {
  return {
    ...row,
    hostKey: hostKeyOf === serverOf(row) ? hostKey : null,
    isReadOnly: isReadOnlyForOrganizationUsers(actor, reach),
  }
}

/** @throws Failure 404 if the caller can't access the source. */
export async function readFeedSource(
  db: Database,
  actor: Pick<Member, 'reach'>,
  id: string,
): Promise<FeedSource> {
  const row = await selectSources(db).where('s.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Feed source')
  return toSource(row, actor)
}

/** One page of the sources that the caller can access. */
export async function listFeedSources(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof FEED_SOURCE_LIST.fields>,
): Promise<{ filteredRows: number; totalRows: number; results: FeedSource[] }> {
  const { ids, ...counts } = await readPage(db, actor, feedSourceSource, input)
  const rows = ids.length === 0 ? [] : await selectSources(db).where('s.id', 'in', ids).execute()
  const sources = rows.map((row) => toSource(row, actor))
  return { ...counts, results: inOrder(ids, sources) }
}
