import { sql } from 'kysely'
import {
  type Block,
  type BlockOf,
  knownBlocks,
  type StoredBlock,
  StoredBlocks,
} from '#contract/marketing/pages/blocks.ts'
import type { PageLot, PageVehicles, PromoPageContent } from '#contract/marketing/site/promo-page.ts'
import type { PageLink, Site } from '#contract/marketing/site/site.ts'
import { readSearch, searchPath } from '#contract/marketing/site/vehicle-search.ts'
import { Holidays, OpeningHours } from '#contract/opening-hours.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { openForm, type Opened } from '../forms/open-form.ts'
import {
  findVehicles,
  type PictureAddress,
  readDisclaimersOf,
  readPublished,
  readSimilar,
  readVehiclePage,
  readVehicles,
} from '../site/site-vehicles.ts'
import { isShown, isThere, shownJoins } from './live-version.ts'

/** A page as the site has it now. `endsAt`: when its last day is over, in milliseconds. `form`: the one that it shows. */
export type ShownPage = Readonly<{
  kind: 'shown'
  id: string
  /** Changes with everything that can take something from the page. */
  revision: string
  endsAt: number | null
  content: PromoPageContent
  form: Readonly<{ heading: string; opened: Opened }> | null
}>
/** `over`: it was there, and is no longer. `moved`: it has another address. */
export type FoundPage = ShownPage | Readonly<{ kind: 'over' }> | Readonly<{ kind: 'moved'; slug: string }>

/** Lots and layouts are part of what pages show. */
const revision = sql<string>`p.slug || ' ' || p.version || ' ' || coalesce(live.number, 0) || ' ' || coalesce(y.version, 0) || ' ' ||
  md5(coalesce((select string_agg(l.id || ' ' || l.version, ',' order by l.id) from lots l
    where l.customer_id = p.customer_id and l.is_visible), ''))`
const joined = sql`promo_pages p ${shownJoins}
  left join dvp_layouts y on y.customer_id = p.customer_id and y.id = p.layout_id`

type Row = {
  id: string
  slug: string
  title: string
  description: string | null
  blocks: unknown
  zone: string
  revision: string
  endsAt: number | null
  isShown: boolean
  wasShown: boolean
}

type PageRequest = Readonly<{ slug: string; pictureAddress: PictureAddress }>

/** The page of an address; null if there is none, or not yet. */
export async function readPublicPage(
  db: Database,
  site: Site,
  { slug, pictureAddress }: PageRequest,
): Promise<FoundPage | null> {
  const { rows } = await sql<Row>`
    select p.id::text, p.slug, coalesce(live.title, p.title) as title, live.description, ${revision} as revision, c.time_zone as zone,
      coalesce(y.top, '[]') || coalesce(live.blocks, '[]') || coalesce(y.bottom, '[]') as blocks,
      (extract(epoch from (live.ends_on + 1)::timestamp at time zone c.time_zone) * 1000)::float8 as ends_at,
      ${isShown} as is_shown,
      ${isThere} and (live.number is not null or p.withdrawn_through > 0) as was_shown
    from ${joined} where p.customer_id = ${site.customerId} and p.slug = ${slug}`.execute(db)
  const [row] = rows
  if (row === undefined) return findMoved(db, site, slug)
  if (!row.isShown) return (await findMoved(db, site, slug)) ?? (row.wasShown ? { kind: 'over' } : null)
  return showPage(db, site, row, pictureAddress)
}

/** The draft of a page, whether or not it was published. */
export async function readDraftPage(
  db: Database,
  site: Site,
  { slug, pictureAddress }: PageRequest,
): Promise<ShownPage | null> {
  const { rows } = await sql<Row>`
    select p.id::text, p.slug, p.title, p.description, '' as revision, c.time_zone as zone, null as ends_at, true as is_shown, true as was_shown,
      coalesce(y.top, '[]') || p.blocks || coalesce(y.bottom, '[]') as blocks
    from ${joined} where p.customer_id = ${site.customerId} and p.slug = ${slug}`.execute(db)
  return rows[0] === undefined ? null : showPage(db, site, rows[0], pictureAddress)
}

/** A page with unsaved blocks, between those of its layout. */
export async function readGivenPage(
  db: Database,
  site: Site,
  {
    id,
    title,
    blocks,
    layoutId,
    pictureAddress,
  }: Readonly<{ id: string; title: string; blocks: readonly StoredBlock[]; layoutId: string | null }> &
    Pick<PageRequest, 'pictureAddress'>,
): Promise<ShownPage | null> {
  const { rows } = await sql<Row>`
    select p.id::text, p.slug, ${title} as title, p.description, '' as revision, c.time_zone as zone, null as ends_at, true as is_shown, true as was_shown,
      coalesce(y.top, '[]') || ${JSON.stringify(blocks)}::jsonb || coalesce(y.bottom, '[]') as blocks
    from promo_pages p join customers c on c.id = p.customer_id
      left join dvp_layouts y on y.customer_id = p.customer_id and y.id = ${layoutId}
    where p.customer_id = ${site.customerId} and p.id = ${id}`.execute(db)
  return rows[0] === undefined ? null : showPage(db, site, rows[0], pictureAddress)
}

async function findMoved(db: Database, { customerId }: Site, slug: string): Promise<FoundPage | null> {
  const { rows } = await sql<{ slug: string }>`
    select p.slug from promo_page_addresses a join ${joined} on p.customer_id = a.customer_id and p.id = a.page_id
    where a.customer_id = ${customerId} and a.slug = ${slug} and ${isThere} and live.number is not null`.execute(
    db,
  )
  return rows[0] === undefined ? null : { kind: 'moved', slug: rows[0].slug }
}

async function showPage(
  db: Database,
  site: Site,
  row: Row,
  pictureAddress: PictureAddress,
): Promise<ShownPage> {
  const { id, slug, title, description, endsAt, zone } = row
  const blocks = knownBlocks(StoredBlocks.catch([]).parse(row.blocks))
  const asked = blocks.find((one): one is BlockOf<'form'> => one.type === 'form' && one.data.formKey !== '')
  const opened =
    asked === undefined
      ? null
      : await openForm(db, site, { key: asked.data.formKey, vehicleId: null, pictureAddress })
  const vehicles: [string, PageVehicles][] = []
  for (const block of blocks)
    // oxlint-disable no-await-in-loop -- One connection.
    if (block.type === 'vehicles')
      vehicles.push([block.id, await vehiclesOf(db, site, { block, pictureAddress })])
    else if (block.type === 'vehicle' && block.data.vehicleId !== null)
      vehicles.push([block.id, await vehicleOf(db, site, { id: block.data.vehicleId, pictureAddress })])
  // oxlint-enable no-await-in-loop
  return {
    kind: 'shown',
    id,
    revision: row.revision,
    endsAt,
    content: {
      slug,
      title,
      description,
      blocks,
      vehicles: Object.fromEntries(vehicles),
      lots: await readLots(db, site, blocks),
      disclaimers: await readDisclaimersOf(
        db,
        site,
        vehicles.flatMap(([, { shown, similar = [] }]) => [...shown, ...similar]),
      ),
      zone,
    },
    form:
      asked === undefined || opened === null || opened.form.isClosed
        ? null
        : { heading: asked.data.heading, opened },
  }
}

async function vehiclesOf(
  db: Database,
  site: Site,
  { block: { data }, pictureAddress }: { block: BlockOf<'vehicles'>; pictureAddress: PictureAddress },
) {
  if (data.source === 'chosen') {
    // In the order in which they were chosen.
    const published = new Set(await readPublished(db, site.customerId, data.vehicleIds))
    const ids = data.vehicleIds.filter((one) => published.has(one))
    const shown = await readVehicles(db, { site, ids, pictureAddress })
    return { shown, total: shown.length, path: null }
  }
  const search = readSearch(new URLSearchParams(data.search))
  const { ids, total } = await findVehicles(db, { site, search, most: data.most })
  return { shown: await readVehicles(db, { site, ids, pictureAddress }), total, path: searchPath(search) }
}

/** A row of cards. */
const MOST_SIMILAR = 3

/** One vehicle. If buyers don't see it: nothing of it, but others like it. */
async function vehicleOf(
  db: Database,
  site: Site,
  of: { id: string; pictureAddress: PictureAddress },
): Promise<PageVehicles> {
  const read = await readVehiclePage(db, { site, ...of })
  const none = { shown: [], total: 0, path: null }
  if (read === null) return none
  const { row, isPublished } = read
  if (!isPublished)
    return { ...none, similar: (await readSimilar(db, { site, row, ...of })).slice(0, MOST_SIMILAR) }
  return { shown: [read.vehicle], total: 1, path: null }
}

async function readLots(
  db: Database,
  { customerId }: Site,
  blocks: readonly Block[],
): Promise<Record<string, PageLot>> {
  const ids = blocks.flatMap((one) =>
    (one.type === 'hours' || one.type === 'map') && one.data.lotId !== null ? [one.data.lotId] : [],
  )
  if (ids.length === 0) return {}
  const { rows } = await sql<
    Omit<PageLot, 'hours' | 'holidays'> & { id: string; hours: unknown; holidays: unknown }
  >`
    select l.id::text, l.name, l.phone, l.hours, l.holidays, coalesce(l.time_zone, o.time_zone, c.time_zone) as zone,
      concat_ws(', ', l.address, l.city, nullif(concat_ws(' ', l.region, l.postal_code), '')) as address
    from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
      join customers c on c.id = l.customer_id
    where l.customer_id = ${customerId} and l.is_visible and l.id = any(${ids}::bigint[])`.execute(db)
  return Object.fromEntries(
    rows.map(({ id, hours, holidays, ...lot }) => [
      id,
      { ...lot, hours: OpeningHours.catch([]).parse(hours), holidays: Holidays.catch([]).parse(holidays) },
    ]),
  )
}

/** Those of these revisions that are still current. */
export async function readPageRevisions(
  db: Database,
  customerId: string,
  revisions: readonly string[],
): Promise<string[]> {
  if (revisions.length === 0) return []
  const slugs = revisions.map((one) => one.split(' ')[0] ?? '')
  const { rows } = await sql<{ revision: string }>`
    select ${revision} as revision from ${joined} where p.customer_id = ${customerId} and p.slug = any(${slugs}) and ${isShown}`.execute(
    db,
  )
  return rows.map((row) => row.revision)
}

/** The pages that visitors may open, for menu, footer and site map. */
export async function readPageLinks(db: Database, customerId: string): Promise<PageLink[]> {
  const { rows } = await sql<PageLink>`
    select p.slug, live.title, p.is_home, p.is_in_menu, p.is_in_footer, to_char(live.published_at at time zone 'UTC', 'YYYY-MM-DD') as changed_on, ${revision} as revision
    from ${joined} where p.customer_id = ${customerId} and ${isShown} order by p.is_home desc, p.name_key limit 5000`.execute(
    db,
  )
  return rows
}
