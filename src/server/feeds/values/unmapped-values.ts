import { sql } from 'kysely'
import { isMapped } from './value-map.ts'
import { MIN_CERTAINTY, type unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { MAX_AT_ONCE, valueProblem } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, noneFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { isOpen, listUnmapped, readUnmapped } from './unmapped-value-list.ts'
import { refuseTooManyMappings } from './mapping-limit.ts'
import { MANAGED_CENTRALLY } from './value-mappings.ts'

/** The queue of unmapped values. Mapping them requires access to the whole customer. */
export const unmappedHandlers: Handlers<typeof unmappedValues> = {
  list: ({ db, actor, input }) => listUnmapped(db, actor, input),

  get: ({ db, actor, input }) => readUnmapped(db, actor, input.id),

  async resolve({ db, actor, input: { values } }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const rows = await db
      .selectFrom('unmappedValues')
      .select(['id', 'field'])
      .where(
        'id',
        'in',
        values.map(({ id }) => id),
      )
      .execute()
    if (rows.length === 0) throw noneFound('values')
    const fields = new Map(rows.map(({ id, field }) => [id, field]))
    values.forEach(({ id, canonical }, at) => {
      const field = fields.get(id) ?? ''
      const problem = isMapped(field) ? valueProblem(field, canonical) : null
      if (problem !== null) throw refused(problem, { [`values.${at}.canonical`]: problem })
    })
    const mappingIds = await addMappings(
      db,
      actor.customerId,
      values.filter(({ id }) => fields.has(id)),
    )
    if (mappingIds.length === 0) throw conflict('Another user has already mapped this.')
    return { mappingIds, already: values.length - mappingIds.length }
  },

  async acceptSure({ db, actor }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const { rows } = await sql<{ id: string; canonical: string }>`
      select u.id, u.suggestion as canonical from unmapped_values u
      where u.customer_id = ${actor.customerId} and u.certainty >= ${MIN_CERTAINTY} and u.suggestion is not null and ${isOpen}
      order by u.id limit ${MAX_AT_ONCE}`.execute(db)
    if (rows.length === 0)
      throw conflict(`There are no suggestions left with a certainty of at least ${MIN_CERTAINTY}%.`)
    const mappingIds = await addMappings(db, actor.customerId, rows)
    return { mappingIds, already: rows.length - mappingIds.length }
  },
}

/** Values that have been mapped in the meantime keep their mapping. @returns the IDs of the new mappings. @throws Failure 409 */
async function addMappings(
  db: Database,
  customerId: string,
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
  if (rows.length > 0) await refuseTooManyMappings(db, customerId)
  return rows.map(({ id }) => id)
}
