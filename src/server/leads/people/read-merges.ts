import { sql } from 'kysely'
import { instant } from '#server/lists/json-text.ts'

/** The columns of a merge `m` of the person `mp`, with the names of the contract. */
export const mergeColumns = sql`m.id::text, m.kept_id::text as "keptId", m.merged_id::text as "mergedId",
  coalesce(mp.name, mp.email, mp.phone) as "mergedName", ${instant(sql`m.at`)} as at, m.by_name as "byName",
  m.is_automatic as "isAutomatic", m.reasons,
  (select min(x.id)::text from leads x where x.customer_id = m.customer_id and x.person_id = m.merged_id) as "leadId"`
