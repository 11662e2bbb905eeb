import { sql } from 'kysely'
import { UNMAPPED_LIST } from '#contract/feeds/values/unmapped-list.ts'
import type { UnmappedValue } from '#contract/feeds/values/unmapped-values.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, type PageOf, readPage } from '#server/lists/read-list.ts'

const SEES_VEHICLES = can(Func.vehicles, Opr.list)
const column = (name: string) => ({ value: sql.ref(`u.${name}`) })

/** SQL condition: the value has no mapping, neither for all feeds nor for the provider that last sent it. */
export const isOpen = sql<boolean>`not exists (select from value_mappings m where m.customer_id = u.customer_id
  and m.field = u.field and m.raw_key = u.raw_key
  and (m.provider_mapping_id is null or m.provider_mapping_id = u.provider_mapping_id))`

/** The queue of unmapped values. A value leaves the queue for as long as it has a mapping. */
export const unmappedSource: ListSource<keyof typeof UNMAPPED_LIST.fields> = {
  list: UNMAPPED_LIST,
  from: sql`unmapped_values u left join provider_mappings p
    on p.customer_id = u.customer_id and p.id = u.provider_mapping_id`,
  table: sql`unmapped_values u`,
  within: (actor) => sql`u.customer_id = ${actor.customerId} and ${isOpen}`,
  id: sql`u.id`,
  title: sql`u.raw`,
  fields: {
    raw: { ...column('raw'), order: sql`u.raw_key`, isNeverNull: true },
    field: { ...column('field'), isNeverNull: true },
    rows: { ...column('rows'), isNeverNull: true },
    suggestion: column('suggestion'),
    certainty: column('certainty'),
    providerMapping: { value: sql`p.name`, joins: 'value' },
    firstSeenAt: { ...column('first_seen_at'), isNeverNull: true },
    lastSeenAt: { ...column('last_seen_at'), isNeverNull: true },
  },
  search: (text) => contains([sql.ref('u.raw'), sql.ref('u.suggestion')], text),
}

/** One page of the queue. */
export async function listUnmapped(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof UNMAPPED_LIST.fields>,
) {
  const { ids, ...counts } = await readPage(db, actor, unmappedSource, input)
  return { ...counts, results: inOrder(ids, await readRows(db, actor, ids)) }
}

/** @throws Failure 404 if the value doesn't exist or has been mapped. */
export async function readUnmapped(db: Database, actor: Member, id: string): Promise<UnmappedValue> {
  const [row] = await readRows(db, actor, [id])
  if (row === undefined) throw notFound('Unmapped value')
  return row
}

type Row = Omit<UnmappedValue, 'samples'> & { vins: string[] }

async function readRows(db: Database, actor: Member, ids: readonly string[]): Promise<UnmappedValue[]> {
  const rows = await db
    .selectFrom('unmappedValues as u')
    .leftJoin('providerMappings as p', (join) =>
      join.onRef('p.customerId', '=', 'u.customerId').onRef('p.id', '=', 'u.providerMappingId'),
    )
    .select(['u.id', sql<Row['field']>`u.field`.as('field'), 'u.raw', 'u.rows', 'u.suggestion'])
    .select(['u.certainty', 'u.reason', 'p.name as providerMapping', 'u.firstSeenAt', 'u.lastSeenAt'])
    .select('u.vins')
    .where(isOneOf(unmappedSource, ids))
    .where(isOpen)
    .execute()
  const samples = await readSamples(db, actor, rows)
  return rows.map(({ vins, ...row }) => ({
    ...row,
    samples: vins.flatMap((vin) => samples.get(vin) ?? []),
  }))
}

/** The sample vehicles that the caller may see, by VIN. */
async function readSamples(db: Database, actor: Member, rows: readonly { vins: readonly string[] }[]) {
  const wanted = [...new Set(rows.flatMap(({ vins }) => vins))]
  if (wanted.length === 0 || !actor.may(SEES_VEHICLES))
    return new Map<string, UnmappedValue['samples'][number]>()
  const { rows: found } = await sql<UnmappedValue['samples'][number]>`
    select distinct on (v.vin) v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.vin
    from vehicles v where v.customer_id = ${actor.customerId} and v.vin = any(${wanted}::text[])
    order by v.vin, v.id desc`.execute(db)
  return new Map(found.map((sample) => [sample.vin, sample]))
}
