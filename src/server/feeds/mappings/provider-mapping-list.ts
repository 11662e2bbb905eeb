import { sql } from 'kysely'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { PROVIDER_MAPPING_LIST } from '#contract/feeds/mappings/provider-mapping-list.ts'
import type { ProviderMapping, ProviderMappingRow } from '#contract/feeds/mappings/provider-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, type PageOf, readPage } from '#server/lists/read-list.ts'

const column = (name: string) => ({ value: sql.ref(`m.${name}`) })

/** A customer's mappings. Users who can see one can see all. */
export const providerMappingSource: ListSource<keyof typeof PROVIDER_MAPPING_LIST.fields> = {
  list: PROVIDER_MAPPING_LIST,
  from: sql`(select p.*, (select count(*) from jsonb_object_keys(p.mapping -> 'fields'))::integer as fields
    from provider_mappings p) m`,
  within: (actor) => sql`m.customer_id = ${actor.customerId}`,
  id: sql`m.id`,
  title: sql`m.name`,
  fields: {
    name: { ...column('name'), order: sql`m.name_key`, isNeverNull: true },
    provider: column('provider'),
    fields: { ...column('fields'), isNeverNull: true },
    version: { ...column('version'), isNeverNull: true },
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  search: (text) => contains([sql.ref('m.name'), sql.ref('m.provider')], text),
}

/** One page of the customer's mappings. */
export async function listProviderMappings(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof PROVIDER_MAPPING_LIST.fields>,
) {
  const { ids, ...counts } = await readPage(db, actor, providerMappingSource, input)
  const rows = await db
    .selectFrom('providerMappings as m')
    .select(['m.id', 'm.name', 'm.provider', 'm.version', 'm.updatedAt', 'm.updatedBy'])
    .select(
      sql<number>`(select count(*) from jsonb_object_keys(m.mapping -> 'fields'))::integer`.as('fields'),
    )
    .where(isOneOf(providerMappingSource, ids))
    .execute()
  const results: ProviderMappingRow[] = inOrder(ids, rows)
  return { ...counts, results }
}

/** @throws Failure 404 if the customer has no such mapping. */
export async function readProviderMapping(db: Database, id: string): Promise<ProviderMapping> {
  const row = await db
    .selectFrom('providerMappings')
    .select(['id', 'name', 'provider', 'mapping', 'version', 'updatedAt', 'updatedBy'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('Provider mapping')
  const mapping = FeedMapping.parse(row.mapping)
  return { ...row, mapping, fields: Object.keys(mapping.fields).length }
}
