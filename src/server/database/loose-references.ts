import { type RawBuilder, sql } from 'kysely'
import { coveredName } from './rule-names.ts'

/** What names records in an array, in JSON or in a rule, where no foreign key watches. */
export type LooseReference = Readonly<{
  /** The table of the rows that name a record, and their nouns. */
  table: string
  nouns: readonly [string, string]
  /** "table.column" of each column that has the names. */
  columns: readonly string[]
  /** The table of the named records, and the column that names them if it isn't their ID. */
  target: string
  key?: string
  /** Selects the ID of each row, its own name, and what it names. */
  named: RawBuilder<unknown>
  /** If it names records in a rule, which `named` selects: the fields that are compared with their IDs. */
  ruleFields?: readonly string[]
}>

const sourced = sql`(select p.blocks union all select v.blocks from promo_page_versions v
  where v.customer_id = p.customer_id and v.page_id = p.id and v.number = p.published_number)`
const lotsIn = (blocks: RawBuilder<unknown>) =>
  sql`jsonb_path_query(${blocks}, '$[*].data.lotId ? (@ like_regex "^[0-9]+$")') #>> '{}'`
const formsIn = (blocks: RawBuilder<unknown>) =>
  sql`jsonb_path_query(${blocks}, '$[*] ? (@.type == "form").data.formKey') #>> '{}'`
const vehiclesIn = (blocks: RawBuilder<unknown>) =>
  sql`jsonb_path_query(jsonb_path_query_array(${blocks}, '$[*].data.vehicleId')
    || jsonb_path_query_array(${blocks}, '$[*] ? (@.data.source == "chosen").data.vehicleIds[*]'), '$[*] ? (@ like_regex "^[0-9]+$")') #>> '{}'`
const arrayOf = (table: string, column: string) =>
  sql`select id, name, unnest(${sql.ref(column)})::text from ${sql.table(table)}`

const PAGES = {
  table: 'promo_pages',
  nouns: ['promo page', 'promo pages'],
  columns: ['promo_pages.blocks', 'promo_page_versions.blocks'],
} as const
const LAYOUTS = {
  table: 'dvp_layouts',
  nouns: ['layout', 'layouts'],
  columns: ['dvp_layouts.top', 'dvp_layouts.bottom'],
} as const
const SAVED = {
  table: 'saved_blocks',
  nouns: ['saved block', 'saved blocks'],
  columns: ['saved_blocks.blocks'],
} as const
const CAMPAIGNS = { table: 'campaigns', nouns: ['campaign', 'campaigns'] } as const
const LEAD_RULES = {
  table: 'lead_routing_rules',
  nouns: ['lead routing rule', 'lead routing rules'],
} as const
const PRICE_RULES = { table: 'pricing_rules', nouns: ['pricing rule', 'pricing rules'] } as const

/**
 * All references without a foreign key that stop a deletion, or are named before it (`lists/uses.ts`), and that an undo checks (`lists/dependents.ts`).
 * `loose-references.test.ts` asks of each column that could have one whether it is here.
 */
export const LOOSE_REFERENCES: readonly LooseReference[] = [
  {
    ...CAMPAIGNS,
    columns: ['campaigns.audience'],
    target: 'lots',
    // With the lot that sends it, so that its deletion says what it is used by.
    named: sql`select id, name, jsonb_array_elements_text(coalesce(audience -> 'lotIds', '[]')) from campaigns
      union all select id, name, lot_id::text from campaigns`,
  },
  {
    ...CAMPAIGNS,
    columns: ['campaigns.vehicle_ids'],
    target: 'vehicles',
    named: arrayOf('campaigns', 'vehicle_ids'),
  },
  {
    table: 'feed_sources',
    nouns: ['feed source', 'feed sources'],
    columns: ['feed_sources.lot_ids'],
    target: 'lots',
    named: arrayOf('feed_sources', 'lot_ids'),
  },
  {
    ...LEAD_RULES,
    columns: ['lead_routing_rules.lot_ids'],
    target: 'lots',
    named: arrayOf('lead_routing_rules', 'lot_ids'),
  },
  {
    ...LEAD_RULES,
    columns: ['lead_routing_rules.form_ids'],
    target: 'forms',
    named: arrayOf('lead_routing_rules', 'form_ids'),
  },
  {
    ...LEAD_RULES,
    columns: ['lead_routing_rules.targets'],
    target: 'lead_destinations',
    named: sql`select id, name, t ->> 'destinationId' from lead_routing_rules cross join jsonb_array_elements(targets) t`,
  },
  {
    ...PRICE_RULES,
    columns: ['pricing_rules.lot_ids'],
    target: 'lots',
    named: sql`select id, ${coveredName}, unnest(lot_ids)::text from pricing_rules`,
  },
  {
    ...PRICE_RULES,
    columns: ['pricing_rules.condition'],
    target: 'lots',
    named: sql`select id, ${coveredName}, condition from pricing_rules where condition like '%lotId%'`,
    ruleFields: ['lotId'],
  },
  {
    table: 'channels',
    nouns: ['channel', 'channels'],
    columns: ['channels.rule'],
    target: 'lots',
    named: sql`select id, name, rule from channels where rule like '%lotId%'`,
    ruleFields: ['lotId'],
  },
  {
    table: 'customers',
    nouns: ['fee', 'fees'],
    columns: ['customers.fees'],
    target: 'lots',
    named: sql`select c.id, f ->> 'name', jsonb_array_elements_text(coalesce(f -> 'lotIds', '[]'))
      from customers c cross join jsonb_array_elements(c.fees) f
      where c.id = nullif(current_setting('app.customer_id', true), '')::bigint`,
  },
  {
    ...PAGES,
    target: 'lots',
    named: sql`select p.id, p.name, ${lotsIn(sql`b.blocks`)} from promo_pages p cross join lateral ${sourced} b`,
  },
  {
    ...PAGES,
    target: 'forms',
    key: 'key',
    named: sql`select p.id, p.name, ${formsIn(sql`b.blocks`)} from promo_pages p cross join lateral ${sourced} b`,
  },
  {
    ...PAGES,
    target: 'vehicles',
    named: sql`select p.id, p.name, ${vehiclesIn(sql`b.blocks`)} from promo_pages p cross join lateral ${sourced} b`,
  },
  {
    ...LAYOUTS,
    target: 'vehicles',
    named: sql`select id, name, ${vehiclesIn(sql`top || bottom`)} from dvp_layouts`,
  },
  {
    ...LAYOUTS,
    target: 'lots',
    named: sql`select id, name, ${lotsIn(sql`top || bottom`)} from dvp_layouts`,
  },
  {
    ...LAYOUTS,
    target: 'forms',
    key: 'key',
    named: sql`select id, name, ${formsIn(sql`top || bottom`)} from dvp_layouts`,
  },
  { ...SAVED, target: 'lots', named: sql`select id, name, ${lotsIn(sql`blocks`)} from saved_blocks` },
  {
    ...SAVED,
    target: 'forms',
    key: 'key',
    named: sql`select id, name, ${formsIn(sql`blocks`)} from saved_blocks`,
  },
]
