import { sql } from 'kysely'
import type pg from 'pg'
import type { MenuForm, Site } from '#contract/marketing/site/site.ts'
import { inSite } from './in-site.ts'
import type { PublicMemory } from './public-memory.ts'

/** A form that is published or closed appears and disappears within three seconds. */
const FRESH_MS = 3_000
/** More links than this are no menu. */
const MAX_FORMS = 6

/** Finds the forms in the menu of a site. */
export type MenuOf = (site: Site) => Promise<readonly MenuForm[]>

/** Reads the published forms that are in the menu of a site, by name. */
export function makeMenuOf(pool: pg.Pool, memory: PublicMemory): MenuOf {
  const read = memory.reader<MenuForm[]>({
    name: 'menu',
    freshMs: FRESH_MS,
    shows: (menu) => ({ forms: menu.map(({ key }) => key) }),
    without: (menu, { form }) => menu.filter(({ key }) => form(key)),
  })
  return (site) => read(site, '', () => readMenu(pool, site))
}

function readMenu(pool: pg.Pool, site: Site): Promise<MenuForm[]> {
  return inSite(pool, site, 'site.menu', async (db) => {
    const { rows } = await sql<MenuForm>`
      select f.key, f.name, f.translations, v.definition->'languages' as languages, l.organization_id::text
      from forms f join form_versions v on v.customer_id = f.customer_id and v.form_id = f.id and v.number = f.published_number
        left join lots l on l.customer_id = f.customer_id and l.id = f.lot_id
      where f.customer_id = ${site.customerId} and f.is_in_menu and f.closed_at is null
      order by f.name_key limit ${sql.lit(MAX_FORMS)}`.execute(db)
    return rows
  })
}
