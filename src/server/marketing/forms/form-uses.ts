import { sql } from 'kysely'
import type { Use } from '#server/lists/uses.ts'

const KEYS = sql`jsonb_path_query(b.blocks, '$[*] ? (@.type == "form").data.formKey')`

/** What names forms in arrays and in blocks, which no foreign key watches, and short URLs, which would lead nowhere. */
export const FORM_USES: readonly Use[] = [
  {
    nouns: ['lead routing rule', 'lead routing rules'],
    from: sql`select unnest(form_ids), name from lead_routing_rules`,
  },
  {
    nouns: ['short URL', 'short URLs'],
    from: sql`select form_id, name from short_urls`,
  },
  {
    nouns: ['promo page', 'promo pages'],
    from: sql`select f.id, p.name from promo_pages p
      cross join lateral (select p.blocks union all select v.blocks from promo_page_versions v
        where v.customer_id = p.customer_id and v.page_id = p.id and v.number = p.published_number) b
      cross join lateral ${KEYS} x (key) join forms f on f.customer_id = p.customer_id and f.key = x.key #>> '{}'`,
  },
  {
    nouns: ['layout', 'layouts'],
    from: sql`select f.id, l.name from dvp_layouts l
      cross join lateral (select l.top || l.bottom as blocks) b
      cross join lateral ${KEYS} x (key) join forms f on f.customer_id = l.customer_id and f.key = x.key #>> '{}'`,
  },
]
