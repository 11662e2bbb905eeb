import { sql } from 'kysely'
import { VALUE_MAPPING_LIST } from '#contract/feeds/values/value-mapping-list.ts'
import type { ValueMapping } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, type PageOf, readPage } from '#server/lists/read-list.ts'

const column = (name: string) => ({ value: sql.ref(`m.${name}`) })

/** The customer's data mappings; not restricted by organization. */
export const valueMappingSource: ListSource<keyof typeof VALUE_MAPPING_LIST.fields> = {
  list: VALUE_MAPPING_LIST,
  from: sql`value_mappings m left join provider_mappings p
    on p.customer_id = m.customer_id and p.id = m.provider_mapping_id`,
  table: sql`value_mappings m`,
  within: (actor) => sql`m.customer_id = ${actor.customerId}`,
  id: sql`m.id`,
  title: sql`m.raw`,
  fields: {
    raw: { ...column('raw'), order: sql`m.raw_key`, isNeverNull: true },
    field: { ...column('field'), isNeverNull: true },
    canonical: column('canonical'),
    providerMapping: { value: sql`p.name`, joins: 'value' },
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  search: (text) => contains([sql.ref('m.raw'), sql.ref('m.canonical')], text),
}

const shown = (db: Database) =>
  db
    .selectFrom('valueMappings as m')
    .leftJoin('providerMappings as p', (join) =>
      join.onRef('p.customerId', '=', 'm.customerId').onRef('p.id', '=', 'm.providerMappingId'),
    )
    .select(['m.id', sql<ValueMapping['field']>`m.field`.as('field'), 'm.raw', 'm.canonical'])
    .select(['m.providerMappingId', 'p.name as providerMapping', 'm.version', 'm.updatedAt', 'm.updatedBy'])

/** One page of the customer's data mappings. */
export async function listValueMappings(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof VALUE_MAPPING_LIST.fields>,
) {
  const { ids, ...counts } = await readPage(db, actor, valueMappingSource, input)
  const rows = await shown(db).where(isOneOf(valueMappingSource, ids)).execute()
  return { ...counts, results: inOrder(ids, rows) }
}

/** @throws Failure 404 if the customer has no such mapping. */
export async function readValueMapping(db: Database, id: string): Promise<ValueMapping> {
  const row = await shown(db).where('m.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Data mapping')
  return row
}

/** The existing mapping of a value, by its key; null if there is none. */
export async function findValueMapping(
  db: Database,
  of: { field: string; rawKey: string; providerMappingId: string | null },
): Promise<ValueMapping | null> {
  const row = await shown(db)
    .where('m.field', '=', of.field)
    .where('m.rawKey', '=', of.rawKey)
    .where('m.providerMappingId', 'is not distinct from', of.providerMappingId)
    .executeTakeFirst()
  return row ?? null
}
