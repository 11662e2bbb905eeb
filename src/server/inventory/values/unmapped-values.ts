import { sql } from 'kysely'
import { isMapped } from './value-map.ts'
import { SURE, type unmappedValues } from '#contract/inventory/values/unmapped-values.ts'
import { MOST_AT_ONCE, wordProblem } from '#contract/inventory/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, noneThere, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { isOpen, listUnmapped, readUnmapped } from './unmapped-value-list.ts'
import { KEPT } from './value-mappings.ts'

/** The queue of values without a word: read by everybody who may, settled by those who reach the whole customer. */
export const unmappedHandlers: Handlers<typeof unmappedValues> = {
  list: ({ db, actor, input }) => listUnmapped(db, actor, input),

  get: ({ db, actor, input }) => readUnmapped(db, actor, input.id),

  async settle({ db, actor, input: { values } }) {
    requireCustomerReach(actor, KEPT)
    const rows = await db
      .selectFrom('unmappedValues')
      .select(['id', 'field'])
      .where(
        'id',
        'in',
        values.map(({ id }) => id),
      )
      .execute()
    if (rows.length === 0) throw noneThere('values')
    const fields = new Map(rows.map(({ id, field }) => [id, field]))
    values.forEach(({ id, canonical }, at) => {
      const field = fields.get(id) ?? ''
      const problem = isMapped(field) ? wordProblem(field, canonical) : null
      if (problem !== null) throw refused(problem, { [`values.${at}.canonical`]: problem })
    })
    const mappingIds = await settle(
      db,
      values.filter(({ id }) => fields.has(id)),
    )
    if (mappingIds.length === 0) throw conflict('Somebody else decided on this meanwhile.')
    return { mappingIds, already: values.length - mappingIds.length }
  },

  async acceptSure({ db, actor }) {
    requireCustomerReach(actor, KEPT)
    const { rows } = await sql<{ id: string; canonical: string }>`
      select u.id, u.suggestion as canonical from unmapped_values u
      where u.customer_id = ${actor.customerId} and u.certainty >= ${SURE} and u.suggestion is not null and ${isOpen}
      order by u.id limit ${MOST_AT_ONCE}`.execute(db)
    if (rows.length === 0) throw conflict(`No suggestion is ${SURE} % certain any more.`)
    const mappingIds = await settle(db, rows)
    return { mappingIds, already: rows.length - mappingIds.length }
  },
}

/** What was decided on meanwhile stays as it was decided. @returns the mappings that were made. */
async function settle(
  db: Database,
  values: readonly { id: string; canonical: string | null }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into value_mappings (field, raw, raw_key, canonical)
    select u.field, u.raw, u.raw_key, s.canonical
    from json_to_recordset(${JSON.stringify(values)}::json) as s (id bigint, canonical text)
    join unmapped_values u on u.id = s.id and ${isOpen}
    order by u.field, u.raw_key
    on conflict on constraint value_mappings_value do nothing
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}
