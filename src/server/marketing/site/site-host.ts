import type { Kysely } from 'kysely'
import type { Site } from '#contract/marketing/site/site.ts'
import type { DB } from '#server/database/schema.ts'
import { makeBriefCache } from './brief-cache.ts'

/**
 * A site that is switched off or renamed disappears within two seconds. Callers can make up host names, so the number of
 * remembered ones is limited.
 */
const HOSTS = { freshMs: 2_000, most: 1_000 }

/** Finds the public site of a host name; null if the host isn't one. */
export type FindSite = (host: string) => Promise<Site | null>

/**
 * Looks up verified public domains of active customers. An answer is used again for two seconds, so that a busy page doesn't
 * ask the database for each request.
 */
export function makeFindSite(iam: Kysely<DB>): FindSite {
  const cached = makeBriefCache<Site | null>(HOSTS)
  return (host) => cached(host, () => readSite(iam, host))
}

async function readSite(iam: Kysely<DB>, host: string): Promise<Site | null> {
  const found = await iam
    .selectFrom('whiteLabels as w')
    .innerJoin('customers as c', 'c.id', 'w.customerId')
    .select(['w.customerId', 'w.title', 'w.logo', 'w.favicon', 'w.footer', 'w.brand'])
    .where('w.domain', '=', host)
    .where('w.purpose', '=', 'public')
    .where('w.verifiedAt', 'is not', null)
    .where('c.status', '=', 'active')
    .executeTakeFirst()
  return found === undefined ? null : { ...found, host }
}
