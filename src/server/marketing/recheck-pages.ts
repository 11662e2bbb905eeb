import { sql } from 'kysely'
import type pg from 'pg'
import { clock } from '#server/clock.ts'
import type { DatabaseWatch } from '#server/database/database-watch.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { type PublicForm, readPublicForm } from './forms/public-forms.ts'
import { FORM_READER } from './forms/form-readers.ts'
import { readPageRevisions } from './pages/public-pages.ts'
import { readRevisions } from './short-urls/find-short-url.ts'
import { KEPT_MS, type PublicMemory, type PublicContent, type SiteReader } from './site/public-memory.ts'
import type { Hosts } from './site/site-host.ts'
import { readPublished } from './site/site-vehicles.ts'

/**
 * Asks the database which of the kept pages may still be shown, and forgets the others: what another process has withdrawn,
 * hidden or suspended must not come back in an outage. Run this every few seconds, and after changes.
 */
export async function recheckPages({
  hosts,
  memory,
  forms,
  pool,
  watch,
}: {
  hosts: Hosts
  memory: PublicMemory
  forms: SiteReader<PublicForm | null>
  pool: pg.Pool
  watch: DatabaseWatch
}): Promise<void> {
  if (watch.isAway()) return
  const active = await hosts.recheck()
  memory.askAgain()
  for (const [customerId, shown] of memory.shown()) {
    if (!active.has(customerId)) {
      memory.forget(customerId)
      continue
    }
    memory.keepOnly(customerId, await readShown(pool, watch, customerId, shown))
    for (const key of shown.forms.filter((one) => isAging(memory, customerId, one)))
      await forms({ customerId }, key, () =>
        inTenant(pool, systemScope(customerId, 'site.recheck', true), (db) =>
          readPublicForm(db, { customerId }, { key }),
        ),
      )
  }
}

/** A form is read again some minutes after its last visitor, because visitors may leave it open for longer than pages are kept. */
function isAging(memory: PublicMemory, customerId: string, key: string): boolean {
  const at = memory.readAt(FORM_READER, customerId, key)
  return at === null || clock.now() - at > KEPT_MS / 3
}

/** Which of these vehicles, forms, short URLs and pages are public now. */
function readShown(
  pool: pg.Pool,
  watch: DatabaseWatch,
  customerId: string,
  { vehicles, forms, links, pages }: Required<PublicContent>,
): Promise<Required<PublicContent>> {
  return watch.attempt(() =>
    inTenant(pool, systemScope(customerId, 'site.recheck', true), async (db) => {
      const published = await readPublished(db, customerId, vehicles)
      const { rows } = await sql<{ key: string }>`
        select key from forms
        where customer_id = ${customerId} and published_number is not null and closed_at is null and key = any(${forms})`.execute(
        db,
      )
      return {
        vehicles: published,
        forms: rows.map(({ key }) => key),
        links: await readRevisions(db, customerId, links),
        pages: await readPageRevisions(db, customerId, pages),
      }
    }),
  )
}
