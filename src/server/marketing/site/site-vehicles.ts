import { disclaimersOf } from '#contract/customers/details/details.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  eachFacet,
  FACET_NAMES,
  PAGE_SIZE,
  CONDITION_LABELS,
  type Facet,
  type Sort,
  type VehicleSearch,
} from '#contract/marketing/site/vehicle-search.ts'
import { hasWords, type SearchWord, searchWords } from '#contract/marketing/site/search-words.ts'
import type { FacetValue, SearchResult, Site, SiteVehicle } from '#contract/marketing/site/site.ts'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { OUT_OF_STOCK_STATUSES } from '#contract/vehicles/vehicles/stock-rules.ts'
import { realPictures } from '#contract/channels/listings/vehicle-listing.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { listingOf, readListings, type ListingRow } from '#server/channels/index.ts'
import { readDisclaimers, useLotTimeZones } from '#server/customers/index.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'

/** Values per facet. Buyers can search for rarer ones. */
const MAX_VALUES = 40
const MAX_SIMILAR = 6

/** Statuses of vehicles that were for sale. */
const GONE: ReadonlySet<string> = new Set(['pending', ...OUT_OF_STOCK_STATUSES])

/** Builds the address of a photo on this site. */
export type PictureAddress = (facts: { id: string }, place: string) => string

/** What buyers can see: exactly the published vehicles. */
const published = (customerId: string): RawBuilder<unknown> =>
  sql`${vehiclesOf()} ${publishedOnly(customerId)}`
const vehiclesOf = (): RawBuilder<unknown> =>
  sql`from vehicles v join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
    left join vehicle_prices p on p.customer_id = v.customer_id and p.vehicle_id = v.id`
const publishedOnly = (customerId: string): RawBuilder<unknown> =>
  sql`where v.customer_id = ${customerId} and ${isPublishedOnLot}`

const FACET_COLUMNS: Readonly<Record<Facet, RawBuilder<string | null>>> = {
  condition: sql`v.condition`,
  make: sql`v.make`,
  model: sql`v.model`,
  body: sql`v.body`,
  fuel: sql`v.fuel`,
  drivetrain: sql`v.drivetrain`,
  transmission: sql`v.transmission`,
  color: sql`v.generic_color`,
  store: sql`l.code`,
}

const ORDERS: Readonly<Record<Sort, RawBuilder<unknown>>> = {
  newest: sql`v.in_stock_on desc nulls last, v.id desc`,
  priceUp: sql`p.total_cents nulls last, v.id`,
  priceDown: sql`p.total_cents desc nulls last, v.id desc`,
  mileage: sql`v.mileage nulls last, v.id`,
  year: sql`v.year desc, v.id desc`,
}

/** The vehicles that match a buyer's search, one page of them, with the counts of each facet. */
export async function searchVehicles(
  db: Database,
  { site, search, pictureAddress }: { site: Site; search: VehicleSearch; pictureAddress: PictureAddress },
): Promise<SearchResult> {
  const exact = await findVehicles(db, { site, search, most: PAGE_SIZE })
  const isClose = exact.total === 0 && searchWords(search.text).length > 0
  const { ids, total } = isClose ? await findVehicles(db, { site, search, most: PAGE_SIZE, isClose }) : exact
  const vehicles = await readVehicles(db, { site, ids, pictureAddress })
  const facets = await readFacets(db, { site, search, isClose: isClose && total > 0 })
  return {
    search: { ...search, chosen: asVehiclesHaveThem(search.chosen, facets) },
    isClose: isClose && total > 0,
    vehicles,
    disclaimers: await readDisclaimersOf(db, site, vehicles),
    total,
    pages: Math.ceil(total / PAGE_SIZE),
    facets,
  }
}

/** `make=toyota` is Toyota. */
const asVehiclesHaveThem = (
  chosen: VehicleSearch['chosen'],
  facets: SearchResult['facets'],
): VehicleSearch['chosen'] =>
  eachFacet((facet) =>
    chosen[facet].map((value) => facets[facet].find((one) => isSame(one.value, value))?.value ?? value),
  )
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The published vehicles that match a buyer's search: the IDs of one page of at most `most`, and how many there are. */
export async function findVehicles(
  db: Database,
  {
    site: { customerId },
    search,
    most,
    isClose = false,
  }: { site: Site; search: VehicleSearch; most: number; isClose?: boolean },
): Promise<{ ids: string[]; total: number }> {
  const matching = sql`${narrowed(search, isClose)} and ${conditionOf(search.chosen, null)}`
  // Of words that are spelled alike, the most alike come first, unless the buyer chose an order.
  const likeness = isClose && search.sort === 'newest' ? sql`${likenessOf(search.text)} desc, ` : sql``
  const { rows } = await sql<{ id: string; total: number }>`
    select v.id::text, count(*) over ()::int as total ${published(customerId)} ${matching}
    order by ${likeness}${ORDERS[search.sort]} limit ${most} offset ${(search.page - 1) * most}`.execute(db)
  const total = rows[0]?.total ?? (search.page === 1 ? 0 : await countMatches(db, customerId, matching))
  return { ids: rows.map(({ id }) => id), total }
}

/** The published vehicles with these IDs, in this order. */
export async function readVehicles(
  db: Database,
  { site, ids, pictureAddress }: { site: Site; ids: readonly string[]; pictureAddress: PictureAddress },
): Promise<SiteVehicle[]> {
  if (ids.length === 0) return []
  const { customerId } = site
  const zone = await useLotTimeZones(db, customerId)
  const rows = await readListings(db, { customerId, rule: '', zone, ids })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [siteVehicle(row, pictureAddress)]
  })
}

/** The texts that the customer wants beside the prices and offers of these vehicles, in their order. */
export async function readDisclaimersOf(
  db: Database,
  { customerId }: Site,
  vehicles: readonly SiteVehicle[],
): Promise<string[]> {
  if (vehicles.length === 0) return []
  const shown = vehicles.map(({ listing }) => listing)
  return disclaimersOf(await readDisclaimers(db, customerId), shown)
}

/** Those of these vehicles that buyers can see. */
export async function readPublished(
  db: Database,
  customerId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select v.id::text ${published(customerId)} and v.id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * A vehicle with its public page, whether or not it is still published. `isGone`: buyers saw it before, on a lot that they still
 * see. `isSoldUnseen`: they saw only a short URL to it, which may be printed: the site says that it is sold, and nothing else of it.
 */
export async function readVehiclePage(
  db: Database,
  { site, id, pictureAddress }: { site: Site; id: string; pictureAddress: PictureAddress },
): Promise<VehiclePage | null> {
  const { customerId } = site
  const zone = await useLotTimeZones(db, customerId)
  const [row] = await readListings(db, { customerId, rule: '', zone, ids: [id] })
  if (row === undefined) return null
  const { rows } = await sql`select ${published(customerId)} and v.id = ${id}`.execute(db)
  const isPublished = rows.length > 0
  const mayBeGone = !isPublished && row.isLotPublic && GONE.has(row.status)
  const isGone = mayBeGone && (await wasPublished(db, customerId, id))
  const isSoldUnseen = mayBeGone && !isGone && (await hasShortUrl(db, customerId, id))
  return { row, vehicle: siteVehicle(row, pictureAddress), isPublished, isGone, isSoldUnseen }
}

type VehiclePage = Readonly<{
  row: ListingRow
  vehicle: SiteVehicle
  isPublished: boolean
  isGone: boolean
  isSoldUnseen: boolean
}>

async function hasShortUrl(db: Database, customerId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from short_urls where customer_id = ${customerId} and target = 'vehicle' and vehicle_id = ${id} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether the site ever showed the vehicle: then it advertised a price for it. */
async function wasPublished(db: Database, customerId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from advertised_prices where customer_id = ${customerId} and vehicle_id = ${id} and channel_id is null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Published vehicles like this one: the same model first, then the make, then the body style. */
export async function readSimilar(
  db: Database,
  { site, row, pictureAddress }: { site: Site; row: ListingRow; pictureAddress: PictureAddress },
): Promise<SiteVehicle[]> {
  const { make, model, body, year } = row
  const { rows } = await sql<{ id: string }>`
    select v.id::text ${published(site.customerId)} and v.id <> ${row.id}
      and (v.make = ${make} or v.body = ${body})
    order by (v.make = ${make} and v.model = ${model}) desc nulls last, (v.make = ${make}) desc nulls last,
      abs(v.year - ${year ?? 0}::int), v.id
    limit ${sql.lit(MAX_SIMILAR)}`.execute(db)
  return readVehicles(db, { site, ids: rows.map(({ id }) => id), pictureAddress })
}

/** The addresses of all published vehicles with the time of the last change, for the site map. */
export async function readAddresses(
  db: Database,
  customerId: string,
): Promise<{ path: string; changedOn: string }[]> {
  const { rows } = await sql<{
    id: string
    year: number | null
    make: string | null
    model: string | null
    trim: string | null
    changedOn: string
  }>`
    select v.id::text, v.year, v.make, v.model, v.trim, to_char(v.updated_at at time zone 'UTC', 'YYYY-MM-DD') as changed_on
    ${published(customerId)} order by v.id limit 50000`.execute(db)
  return rows.map((row) => ({ path: vehiclePath(row), changedOn: row.changedOn }))
}

function siteVehicle(row: ListingRow, pictureAddress: PictureAddress): SiteVehicle {
  // Photos of other hosts are shown through this server, too: the page makes no request to another origin.
  const photos = row.photos.map((photo) => ({ ...photo, kind: 'file' as const }))
  const path = vehiclePath(row)
  const listing = listingOf({ ...row, photos }, { pageTemplate: null, pictureAddress })
  const [picture] = realPictures(listing)
  return { listing: { ...listing, url: path }, path, picture: picture ?? null }
}

/** The text and the limits of a search as SQL. `isClose`: words that are spelled alike count too. */
function narrowed({ text, limits }: VehicleSearch, isClose = false): RawBuilder<unknown> {
  const { minPrice, maxPrice, minYear, maxYear, maxMileage } = limits
  const words = searchWords(text)
  const parts = [
    // Only marks, such as "%": no vehicle has them.
    ...(text !== '' && !hasWords(text) ? [sql`false`] : []),
    ...words.map((word) => (isClose ? isLike(word) : hasWord(word))),
    ...(minPrice === null ? [] : [sql`p.total_cents >= ${minPrice * 100}`]),
    ...(maxPrice === null ? [] : [sql`p.total_cents <= ${maxPrice * 100}`]),
    ...(minYear === null ? [] : [sql`v.year >= ${minYear}`]),
    ...(maxYear === null ? [] : [sql`v.year <= ${maxYear}`]),
    ...(maxMileage === null ? [] : [sql`v.mileage <= ${maxMileage}`]),
  ]
  return parts.length === 0 ? sql`` : sql`and ${sql.join(parts, sql` and `)}`
}

/** What buyers search in, with words for what is stored as a code. Written as `plainWords` writes it. */
const SEARCHED = sql<string>`' ' || regexp_replace(regexp_replace(lower(concat_ws(' ', v.year, v.make, v.model, v.trim, v.body, v.color,
  v.generic_color, v.fuel, v.drivetrain, v.transmission, v.stock, v.vin,
  case v.condition when 'cpo' then 'cpo certified used' else v.condition end,
  case v.electrification when 'electric' then 'electric' when 'plug-in' then 'plugin hybrid' when 'hybrid' then 'hybrid'
    when 'mild' then 'mild hybrid' when 'fuel-cell' then 'fuelcell hydrogen' end)), '[-.''’]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`

const hasWord = ({ any, isStart }: SearchWord): RawBuilder<unknown> =>
  sql`${SEARCHED} like any(${any.map((word) => (isStart ? `% ${word}%` : `%${word}%`))})`
/** How much a vehicle has words that are spelled like one of these, from 0 to 1. */
const likenessOfWord = ({ any }: SearchWord): RawBuilder<number> =>
  sql`greatest(${sql.join(any.map((word) => sql`word_similarity(${word}, ${SEARCHED})`))})`
const likenessOf = (text: string): RawBuilder<number> =>
  sql`(${sql.join(searchWords(text).map(likenessOfWord), sql` + `)})`
/** "silvrado" is like Silverado, and "camery" like Camry. */
const isLike = (word: SearchWord): RawBuilder<unknown> => sql`${likenessOfWord(word)} >= 0.4`

/** The chosen values as a condition, without those of one facet: its counts show what choosing another value would list. */
function conditionOf(chosen: VehicleSearch['chosen'], except: Facet | null): RawBuilder<unknown> {
  const parts = FACET_NAMES.flatMap((facet) => {
    const values = chosen[facet]
    const lower = values.map((value) => value.toLowerCase())
    return facet === except || values.length === 0
      ? []
      : [sql`lower(${FACET_COLUMNS[facet]}) = any(${lower})`]
  })
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
}

async function countMatches(
  db: Database,
  customerId: string,
  matching: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total ${published(customerId)} ${matching}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The values of each facet with counts, most frequent first; chosen values are always listed. */
async function readFacets(
  db: Database,
  { site, search, isClose }: { site: Site; search: VehicleSearch; isClose: boolean },
): Promise<Readonly<Record<Facet, readonly FacetValue[]>>> {
  // Models of all makes together would be a list of hundreds.
  const hasModels = search.chosen.make.length > 0 || search.chosen.model.length > 0
  const asked = FACET_NAMES.filter((facet) => facet !== 'model' || hasModels)
  // Reads each vehicle once, for all facets. One counts for a facet if it matches the choices of the others.
  const entries = asked.map(
    (
      facet,
    ) => sql`(${facet}, ${FACET_COLUMNS[facet]}, ${facet === 'store' ? sql`l.name` : FACET_COLUMNS[facet]},
      ${conditionOf(search.chosen, facet)})`,
  )
  const { rows } = await sql<{ facet: string; value: string; label: string; count: number }>`
    select entry.facet, entry.value, min(entry.label) as label, count(*)::int as count
    ${vehiclesOf()} cross join lateral (values ${sql.join(entries)}) entry (facet, value, label, is_matching)
    ${publishedOnly(site.customerId)} ${narrowed(search, isClose)} and entry.is_matching and entry.value is not null
    group by entry.facet, entry.value order by count desc, label`.execute(db)
  const of = (facet: Facet): FacetValue[] => {
    const found = rows.filter((row) => row.facet === facet)
    const chosen = search.chosen[facet]
    const missing = chosen
      .filter((value) => !found.some((row) => isSame(row.value, value)))
      .map((value) => ({ value, label: value, count: 0 }))
    return [
      ...found.filter(({ value }, at) => at < MAX_VALUES || chosen.some((one) => isSame(one, value))),
      ...missing,
    ].map(({ value, label, count }) => ({
      value,
      label: facet === 'condition' ? conditionLabel(value) : label,
      count,
    }))
  }
  return eachFacet((facet) => (facet === 'model' && !hasModels ? [] : of(facet)))
}

function conditionLabel(value: string): string {
  return isCondition(value) ? CONDITION_LABELS[value] : value
}

function isCondition(value: string): value is keyof typeof CONDITION_LABELS {
  return Object.hasOwn(CONDITION_LABELS, value)
}
