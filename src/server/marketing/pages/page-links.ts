import type pg from 'pg'
import type { PageLink, Site } from '#contract/marketing/site/site.ts'
import { inSite } from '../site/in-site.ts'
import type { PublicMemory } from '../site/public-memory.ts'
import { readPageLinks } from './public-pages.ts'

/** A page that is published or withdrawn appears in the menu and disappears within three seconds. */
const FRESH_MS = 3_000

/** Finds the pages that visitors may open, by name. */
export function makePagesOf(
  pool: pg.Pool,
  memory: PublicMemory,
): (site: Site) => Promise<readonly PageLink[]> {
  const read = memory.reader<PageLink[]>({
    name: 'page links',
    freshMs: FRESH_MS,
    shows: (links) => ({ pages: links.map(({ revision }) => revision) }),
    without: (links, { page }) => links.filter(({ revision }) => page(revision)),
  })
  return (site) =>
    read(site, '', () => inSite(pool, site, 'site.pages', (db) => readPageLinks(db, site.customerId)))
}
