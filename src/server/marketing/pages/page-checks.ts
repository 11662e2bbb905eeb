import { sql } from 'kysely'
import type pg from 'pg'
import { lawOf, PRICE_LAW_CODES, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import { StoredBlocks } from '#contract/marketing/pages/blocks.ts'
import {
  describeFinding,
  LINT_EDITION,
  lintPage,
  type PageFacts,
  type PageFinding,
} from '#contract/marketing/pages/lint-page.ts'
import type { PromoPage } from '#contract/marketing/pages/promo-pages.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'
import { isShown, shownJoins } from './live-version.ts'

/** What the rules of advertising ask about the customer, for a page of one lot, or of all lots that buyers see. */
export async function readPageFacts(db: Database, lotId: string | null): Promise<PageFacts> {
  const { rows } = await sql<{
    lots: { law: PriceLaw | null; region: string | null }[]
    customerLaw: PriceLaw
    hasFees: boolean
    hasDisclaimers: boolean
    hasCertified: boolean
  }>`
    select c.price_law as customer_law, jsonb_array_length(c.fees) > 0 as has_fees,
      jsonb_array_length(c.disclaimers) > 0 as has_disclaimers,
      coalesce((select jsonb_agg(distinct jsonb_build_object('law', l.price_law, 'region', l.region)) from lots l
        where l.customer_id = c.id and ((${lotId}::bigint is null and l.is_visible) or l.id = ${lotId})), '[]') as lots,
      exists (select from vehicles v join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
        where v.customer_id = c.id and v.condition = 'cpo' and ${isPublishedOnLot}) as has_certified
    from customers c where c.id = nullif(current_setting('app.customer_id', true), '')::bigint`.execute(db)
  const [row] = rows
  if (row === undefined) return { laws: [], hasFees: true, hasCertified: true, hasDisclaimers: true }
  const { lots, customerLaw, hasFees, hasCertified, hasDisclaimers } = row
  const laws = lots.map(({ law, region }) => lawOf({ lotLaw: law, region, customerLaw }).law)
  const used = new Set(laws.length === 0 ? [customerLaw] : laws)
  return { laws: PRICE_LAW_CODES.filter((law) => used.has(law)), hasFees, hasCertified, hasDisclaimers }
}

type Checked = Pick<PromoPage, 'title' | 'description' | 'endsOn' | 'blocks' | 'lotId' | 'layoutId'>

/** What the rules have against a page. */
async function findFindings(db: Database, page: Checked): Promise<PageFinding[]> {
  const { rows } = await sql<{
    locked: unknown
  }>`select top || bottom as locked from dvp_layouts where id = ${page.layoutId}`.execute(db)
  const locked = StoredBlocks.catch([]).parse(rows[0]?.locked ?? [])
  return lintPage({ ...page, locked }, await readPageFacts(db, page.lotId))
}

/** The findings that keep a page from being published, as errors of its fields; null if there are none. */
export async function findStopping(db: Database, page: Checked): Promise<Record<string, string> | null> {
  const stopping = (await findFindings(db, page)).filter(({ severity }) => severity === 'stops')
  if (stopping.length === 0) return null
  const fieldOf = ({ id, place }: PageFinding): string => (id === null ? place.toLowerCase() : 'blocks')
  return Object.fromEntries(
    [...Map.groupBy(stopping, fieldOf)].map(([field, all]) => [field, all.map(describeFinding).join(' ')]),
  )
}

/** Stores how many findings what visitors see of a page has, for the list. */
export async function storeCheck(
  db: Database,
  id: string,
  page: Checked & { number: number },
): Promise<void> {
  const findings = await findFindings(db, page)
  const stops = findings.filter(({ severity }) => severity === 'stops').length
  await sql`
    insert into promo_page_checks (page_id, number, edition, stops, notes)
    values (${id}, ${page.number}, ${LINT_EDITION}, ${stops}, ${findings.length - stops})
    on conflict (customer_id, page_id) do update set number = excluded.number, edition = excluded.edition,
      stops = excluded.stops, notes = excluded.notes, checked_at = app_now()`.execute(db)
}

/** Checks what visitors see of all pages of these customers again: fees, vehicles, layouts and rules change, and days pass. */
export async function checkPublishedPages(pool: pg.Pool, customerIds: readonly string[]): Promise<void> {
  for (const customerId of customerIds)
    // oxlint-disable-next-line no-await-in-loop -- One at a time, because no one waits for it.
    await inTenant(pool, systemScope(customerId, 'promo-page-check'), checkPages)
}

async function checkPages(db: Database): Promise<void> {
  const { rows } = await sql<Omit<Checked, 'blocks'> & { id: string; number: number; blocks: unknown }>`
    select p.id::text, live.number, live.title, live.description, live.blocks, to_char(live.ends_on, 'YYYY-MM-DD') as ends_on,
      p.lot_id::text, p.layout_id::text
    from promo_pages p ${shownJoins} where ${isShown} order by p.id`.execute(db)
  for (const { id, blocks, ...page } of rows)
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await storeCheck(db, id, { ...page, blocks: StoredBlocks.catch([]).parse(blocks) })
}
