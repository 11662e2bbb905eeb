import { sql } from 'kysely'
import { LEDGER_LIST } from '#contract/carbon/results/ledger-list.ts'
import { SOURCE_TYPES } from '#contract/carbon/inventories/source-types.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { LEDGER_LINES, RESULTS } from './ledger-rows.ts'

const stored = (name: string) => ({ value: sql.ref(`c.${name}`) })
const joined = (value: ReturnType<typeof sql>) => ({ value, joins: 'value' as const })

const titles = JSON.stringify(Object.fromEntries(SOURCE_TYPES.map(({ id, title }) => [id, title])))
/** As `sourceTitle` in the contract. */
const sourceTitle = sql`coalesce(s.name, ${sql.lit(titles)}::jsonb ->> s.source_type, s.source_type)
  || coalesce(' (' || s.label || ')', '')`

/** The results of all inventories within reach. */
export const ledgerSource: ListSource<keyof typeof LEDGER_LIST.fields> = {
  list: LEDGER_LIST,
  from: RESULTS,
  table: LEDGER_LINES,
  within: (actor) => sql`c.customer_id = ${actor.customerId}`,
  id: sql`c.id`,
  title: sql`c.id::text`,
  fields: {
    source: joined(sourceTitle),
    facility: joined(sql`f.name`),
    month: { ...stored('month'), isNeverNull: true },
    scope: { ...stored('scope'), isNeverNull: true },
    kg: stored('kg'),
    quantity: stored('quantity'),
    unit: joined(sql`c.record_unit`),
    factor: joined(sql`l.name`),
    publisher: joined(sql`l.publisher`),
    edition: joined(sql`l.edition`),
    part: { ...stored('part'), isNeverNull: true },
    method: { value: sql`coalesce(c.method, 'both')` },
    inventory: { ...stored('inventory_id'), shown: sql`i.name`, joins: 'order' },
    biogenicKg: joined(sql`coalesce(c.biogenic_kg, 0)`),
    isEstimate: joined(sql`'estimate' = any(c.flags)`),
    problem: stored('problem'),
    reference: joined(sql`c.reference`),
    formula: joined(sql`c.formula`),
    facilityId: { value: sql`c.facility_id::text` },
    sourceId: { value: sql`c.source_id::text` },
  },
  searchJoins: true,
  search: (text) => contains([sourceTitle, sql`f.name`, sql`l.name`, sql`c.reference`], text),
}
