import type pg from 'pg'
import type { Site } from '#contract/marketing/site/site.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'

/** Runs reading work of a public page: all organizations of the site's customer, no user. */
export function inSite<T>(
  pool: pg.Pool,
  site: Site,
  name: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  return inTenant(pool, systemScope(site.customerId, name, true), work)
}
