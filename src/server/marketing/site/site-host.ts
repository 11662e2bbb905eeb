import type { Kysely } from 'kysely'
import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { clock } from '#server/clock.ts'
import { type DatabaseWatch, isAway } from '#server/database/database-watch.ts'
import type { DB } from '#server/database/schema.ts'
import { makeBriefCache } from './brief-cache.ts'
import { KEPT_MS } from './public-memory.ts'

/**
 * A site that is switched off or renamed disappears within two seconds. Callers can make up host names, so the number of
 * remembered ones is limited.
 */
const HOSTS = { freshMs: 2_000, most: 1_000 }
/** Public sites that are remembered for an outage. Each has about 2 kB. */
const MAX_SITES = 5_000

/** `closed`: the site of a customer that is suspended. Null: not a public host. */
type FoundSite = Site | 'closed' | null
/** Finds the public site of a host name. @throws DatabaseAway if that isn't known */
export type FindSite = (host: string) => Promise<FoundSite>

export type Hosts = Readonly<{
  find: FindSite
  /** Reads all public sites, for an outage. @returns their customers */
  recheck: () => Promise<ReadonlySet<string>>
}>

type KnownHost = { at: number; site: FoundSite }

/**
 * Looks up verified public domains. An answer is used again for two seconds, so that a busy page doesn't
 * ask the database for each request; while the database is away, the last answer counts.
 */
export function makeHosts(iam: Kysely<DB>, watch: DatabaseWatch): Hosts {
  const fresh = makeBriefCache<FoundSite>(HOSTS)
  const sites = new Map<string, KnownHost>()
  /** Hosts of the back office, and of suspended customers. */
  const others = new Map<string, KnownHost>()
  const remember = (host: string, site: FoundSite): FoundSite => {
    sites.delete(host)
    others.delete(host)
    const [oldest] = others.keys()
    if (others.size >= HOSTS.most && oldest !== undefined) others.delete(oldest)
    if (site === null || site === 'closed') others.set(host, { at: clock.now(), site })
    else if (sites.size < MAX_SITES) sites.set(host, { at: clock.now(), site })
    return site
  }
  return {
    async find(host) {
      try {
        return await fresh.get(host, async () =>
          remember(host, await watch.attempt(() => readSite(iam, host))),
        )
      } catch (error) {
        const known = sites.get(host) ?? others.get(host)
        if (!isAway(error) || known === undefined || clock.now() - known.at > KEPT_MS) throw error
        return known.site
      }
    },
    async recheck() {
      const at = clock.now()
      const found = await watch.attempt(() => readSites(iam))
      sites.clear()
      for (const site of found) sites.set(site.host, { at, site })
      // What was looked up before may be wrong now.
      fresh.forgetAll()
      return new Set(found.map(({ customerId }) => customerId))
    },
  }
}

async function readSite(iam: Kysely<DB>, host: string): Promise<FoundSite> {
  const [found] = await siteRows(iam).where('w.domain', '=', host).limit(1).execute()
  if (found === undefined) return null
  const { status, ...site } = found
  return status === 'active' ? site : 'closed'
}

/** The public site of a customer: the first of its domains, or what a site without a domain would be. */
export async function readSiteOf(iam: Kysely<DB>, customerId: string): Promise<Site> {
  const found = await siteRows(iam).where('w.customerId', '=', customerId).limit(1).executeTakeFirst()
  if (found !== undefined) {
    const { status: _status, ...site } = found
    return site
  }
  const { name } = await iam
    .selectFrom('customers')
    .select('name')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return { customerId, host: '', title: name, logo: null, favicon: null, footer: '', brand: DEFAULT_BRAND }
}

async function readSites(iam: Kysely<DB>): Promise<Site[]> {
  const found = await siteRows(iam).where('c.status', '=', 'active').limit(MAX_SITES).execute()
  return found.map(({ status: _status, ...site }) => site)
}

function siteRows(iam: Kysely<DB>) {
  return iam
    .selectFrom('whiteLabels as w')
    .innerJoin('customers as c', 'c.id', 'w.customerId')
    .select([
      'w.domain as host',
      'w.customerId',
      'w.title',
      'w.logo',
      'w.favicon',
      'w.footer',
      'w.brand',
      'c.status',
    ])
    .where('w.purpose', '=', 'public')
    .where('w.verifiedAt', 'is not', null)
    .orderBy('w.id')
}
