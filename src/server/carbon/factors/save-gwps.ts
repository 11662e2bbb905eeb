import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { GwpLine } from './library-files.ts'

/**
 * Saves the GWPs of the library. If a value changed, or a gas is new or gone, they become a new edition: inventories keep
 * the values of theirs, and only new ones use it. Sources and notes are corrected in place.
 */
export async function saveGwps(db: Database, lines: readonly z.output<typeof GwpLine>[]): Promise<void> {
  const columns = sql`gas text, gwp_set text, gwp numeric, is_kyoto boolean, source text, other_gwp numeric, other_source text, note text`
  const given = sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (${columns})`
  const newest = sql`library.newest_gwp_edition()`
  const { rows } = await sql<{ isEmpty: boolean; isChanged: boolean }>`
    select not exists (select from library.gwp_values) as is_empty,
      exists (select from (select * from library.gwp_values where edition = ${newest}) v
        full join (select * from ${given}) r on r.gas = v.gas and r.gwp_set = v.gwp_set
        where (v.gwp, v.is_kyoto) is distinct from (r.gwp, r.is_kyoto)) as is_changed`.execute(db)
  const [found] = rows
  if (found !== undefined && found.isChanged && !found.isEmpty)
    await sql`insert into library.gwp_editions (edition) values (${newest} + 1)`.execute(db)
  await sql`
    insert into library.gwp_values (edition, gas, gwp_set, gwp, is_kyoto, source, other_gwp, other_source, note)
    select ${newest}, gas, gwp_set, gwp, is_kyoto, source, other_gwp, other_source, note from ${given}
    on conflict (edition, gas, gwp_set) do update set (source, other_gwp, other_source, note) =
      (excluded.source, excluded.other_gwp, excluded.other_source, excluded.note)`.execute(db)
}
