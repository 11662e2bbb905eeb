import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { lawOf, PRICE_LAW_CODES, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import { type StoredBlock, StoredBlocks } from '#contract/marketing/pages/blocks.ts'
import { type BlockFault, faultsOnPublish, type LayoutRules } from '#contract/marketing/pages/check-blocks.ts'
import {
  describeFinding,
  LINT_EDITION,
  lintPage,
  type PageFacts,
  type PageFinding,
  referencesOf,
} from '#contract/marketing/pages/lint-page.ts'
import type { PromoPage } from '#contract/marketing/pages/promo-pages.ts'
import type { DB } from '#server/database/schema.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'
import { isShown, shownJoins } from './live-version.ts'

type Facts = { lotId: string | null; blocks: readonly StoredBlock[] }

/** What the rules ask about the customer, for a page of one lot, or of all lots that buyers see, and about what its blocks refer to. */
export async function readPageFacts(db: Database, { lotId, blocks }: Facts): Promise<PageFacts> {
  return { ...(await readCustomerFacts(db, lotId)), gone: await readGone(db, blocks) }
}

/** What visitors don't get of what blocks refer to. A vehicle that the reader can't reach isn't known to be gone. */
async function readGone(db: Database, blocks: readonly StoredBlock[]): Promise<PageFacts['gone']> {
  const { vehicles, forms, lots } = referencesOf(blocks)
  if (vehicles.length + forms.length + lots.length === 0) return NOTHING_GONE
  const { rows } = await sql<PageFacts['gone']>`select
    array(select given from unnest(${vehicles}::text[]) given
      left join vehicles v on v.id = given::bigint left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
      where not coalesce(${isPublishedOnLot}, current_setting('app.reach', true) is distinct from 'customer')) as vehicles,
    array(select given from unnest(${forms}::text[]) given where not exists (
      select from forms f where f.key = given and f.published_number is not null and f.closed_at is null)) as forms,
    array(select given from unnest(${lots}::text[]) given where not exists (
      select from lots l where l.id = given::bigint and l.is_visible)) as lots`.execute(db)
  return rows[0] ?? NOTHING_GONE
}
const NOTHING_GONE: PageFacts['gone'] = { vehicles: [], forms: [], lots: [] }

/** Keeps the forms and lots of a page until it is published. */
async function holdReferences(db: Database, blocks: readonly StoredBlock[]): Promise<void> {
  const { forms, lots } = referencesOf(blocks)
  await sql`select from forms where key = any(${forms}) order by id for key share`.execute(db)
  await sql`select from lots where id = any(${lots}::bigint[]) order by id for key share`.execute(db)
}

async function readCustomerFacts(db: Database, lotId: string | null): Promise<Omit<PageFacts, 'gone'>> {
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

/** What a layout lets pages do; null if there is none. */
export async function readLayoutRules(
  db: Database,
  id: string | null,
): Promise<(LayoutRules & { locked: StoredBlock[] }) | null> {
  if (id === null) return null
  const { rows } = await sql<{ name: string; allowed: string[]; isOrdered: boolean; locked: unknown }>`
    select name, allowed, is_ordered, top || bottom as locked from dvp_layouts where id = ${id}`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, locked: StoredBlocks.catch([]).parse(row.locked) }
}

/** What the rules, and the layout as it is now, have against a page. */
async function findFindings(
  db: Database,
  page: Checked,
): Promise<{ faults: BlockFault[]; findings: PageFinding[] }> {
  const layout = await readLayoutRules(db, page.layoutId)
  const facts = await readPageFacts(db, page)
  return {
    faults: faultsOnPublish(page.blocks, layout),
    findings: lintPage({ ...page, locked: layout?.locked ?? [] }, facts),
  }
}

/** What keeps a page from being published, as errors of its fields; null if nothing does. */
export async function findStopping(db: Database, page: Checked): Promise<Record<string, string> | null> {
  await holdReferences(db, page.blocks)
  const { faults, findings } = await findFindings(db, page)
  const [fault] = faults
  if (fault !== undefined) return { blocks: fault.message }
  const stopping = findings.filter(({ severity }) => severity === 'stops')
  if (stopping.length === 0) return null
  const fieldOf = ({ id, place }: PageFinding): string => (id === null ? place.toLowerCase() : 'blocks')
  return Object.fromEntries(
    [...Map.groupBy(stopping, fieldOf)].map(([field, all]) => [field, all.map(describeFinding).join(' ')]),
  )
}

/** Stores how many findings what visitors see of a page has, for the list. One that refers to what is gone needs a look, too. */
export async function storeCheck(
  db: Database,
  id: string,
  page: Checked & { number: number },
): Promise<void> {
  const { faults, findings } = await findFindings(db, page)
  const looks = findings.filter(({ severity, isGone }) => severity === 'stops' || isGone === true).length
  const stops = faults.length + looks
  await sql`
    insert into promo_page_checks (page_id, number, edition, stops, notes)
    values (${id}, ${page.number}, ${LINT_EDITION}, ${stops}, ${findings.length - looks})
    on conflict (customer_id, page_id) do update set number = excluded.number, edition = excluded.edition,
      stops = excluded.stops, notes = excluded.notes, checked_at = app_now()`.execute(db)
}

/** Checks what visitors see of the pages of a layout again. */
export const checkPagesOfLayout = (db: Database, layoutId: string): Promise<void> =>
  checkPages(db, sql`p.layout_id = ${layoutId}`)

/** The customers with published pages. */
export async function customersWithPages(queue: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct customer_id::text as id from promo_page_versions where deleted_at is null`.execute(queue)
  return rows.map(({ id }) => id)
}

/** Checks what visitors see of all pages of these customers again: fees, vehicles, forms and rules change, and days pass. */
export async function checkPublishedPages(pool: pg.Pool, customerIds: readonly string[]): Promise<void> {
  for (const customerId of customerIds)
    // oxlint-disable-next-line no-await-in-loop -- One at a time, because no one waits for it.
    await inTenant(pool, systemScope(customerId, 'promo-page-check'), (db) => checkPages(db, sql`true`))
}

async function checkPages(db: Database, which: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Omit<Checked, 'blocks'> & { id: string; number: number; blocks: unknown }>`
    select p.id::text, live.number, live.title, live.description, live.blocks, to_char(live.ends_on, 'YYYY-MM-DD') as ends_on,
      p.lot_id::text, p.layout_id::text
    from promo_pages p ${shownJoins} where ${isShown} and ${which} order by p.id`.execute(db)
  for (const { id, blocks, ...page } of rows)
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await storeCheck(db, id, { ...page, blocks: StoredBlocks.catch([]).parse(blocks) })
}
