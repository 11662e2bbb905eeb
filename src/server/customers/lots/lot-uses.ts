import { sql } from 'kysely'
import type { Use } from '#server/lists/uses.ts'

const BLOCKS = sql`jsonb_path_query(b.blocks, '$[*].data.lotId ? (@ like_regex "^[0-9]+$")')`

/** What names lots in arrays and in blocks, which no foreign key watches. */
export const LOT_USES: readonly Use[] = [
  {
    nouns: ['feed source', 'feed sources'],
    from: sql`select unnest(lot_ids), name from feed_sources`,
  },
  {
    nouns: ['lead routing rule', 'lead routing rules'],
    from: sql`select unnest(lot_ids), name from lead_routing_rules`,
  },
  {
    nouns: ['pricing rule', 'pricing rules'],
    from: sql`select unnest(lot_ids), name from pricing_rules`,
  },
  {
    nouns: ['promo page', 'promo pages'],
    from: sql`select (x.lot #>> '{}')::bigint, p.name from promo_pages p
      cross join lateral (select p.blocks union all select v.blocks from promo_page_versions v
        where v.customer_id = p.customer_id and v.page_id = p.id and v.number = p.published_number) b
      cross join lateral ${BLOCKS} x (lot)`,
  },
  {
    nouns: ['layout', 'layouts'],
    from: sql`select (x.lot #>> '{}')::bigint, l.name from dvp_layouts l
      cross join lateral (select l.top || l.bottom as blocks) b cross join lateral ${BLOCKS} x (lot)`,
  },
]
