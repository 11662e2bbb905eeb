import type pg from 'pg'
import { idOfSlug } from '#contract/marketing/site/vehicle-address.ts'
import { ALL_VEHICLES, isSearch, readSearch, searchPath } from '#contract/marketing/site/vehicle-search.ts'
import type { SearchResult, Site, SiteVehicle, Store } from '#contract/marketing/site/site.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type ListingRow, pictureKey } from '#server/channels/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { messagePage } from '#public/layout.ts'
import { vehicleListPage } from '#public/vehicle-list-page.ts'
import { soldPage, vehiclePage } from '#public/vehicle-page.ts'
import { type FormReaders, keepOpened } from '../forms/form-readers.ts'
import { type FormScripts, vehicleForm } from '../forms/form-view.ts'
import { askedVehicle, type Opened, readVehicleOpened } from '../forms/open-form.ts'
import { inSite } from './in-site.ts'
import { withCampaign } from './pass-parameters.ts'
import type { Allowed, PublicMemory } from './public-memory.ts'
import type { HomeOf, PagesOf, SiteAnswer, SiteApp, SiteRequest } from './site-app.ts'
import {
  readAddresses,
  readDisclaimersOf,
  readSimilar,
  readVehiclePage,
  searchVehicles,
  type PictureAddress,
} from './site-vehicles.ts'

/** A price, a sale and a new photo appear within three seconds. */
const FRESH_MS = 3_000

export type SitePageParts = {
  pool: pg.Pool
  memory: PublicMemory
  readers: FormReaders
  secrets: Secrets
  scriptsOf: FormScripts
  pagesOf: PagesOf
  homeOf: HomeOf
}

/** The address of a photo on any host of the customer. */
export function sitePictures(secrets: Secrets, { customerId }: Site): PictureAddress {
  return ({ id }, place) => `/feeds/pictures/${pictureKey(secrets, { customerId, vehicleId: id, place })}`
}

/** The list of vehicles, the page of each, the site map and the rules for robots. */
export function addVehiclePages(
  sites: SiteApp,
  { pool, memory, readers, secrets, scriptsOf, pagesOf, homeOf }: SitePageParts,
): void {
  const searched = memory.reader<SearchResult>({
    name: 'vehicles',
    freshMs: FRESH_MS,
    // Anyone can make up texts to search for.
    shows: ({ search, vehicles }) => (search.text === '' ? { vehicles: idsOf(vehicles) } : null),
    without: (result, { vehicle }) => ({
      ...result,
      vehicles: result.vehicles.filter(({ listing }) => vehicle(listing.id)),
    }),
  })
  const opened = memory.reader<VehicleData | null>({
    name: 'vehicle',
    freshMs: FRESH_MS,
    shows: shownBy,
    without: onlyAllowed,
  })
  const list = async ({ site, query }: SiteRequest): Promise<SiteAnswer> => {
    const search = readSearch(query)
    const pictureAddress = sitePictures(secrets, site)
    const result = await searched(site, searchPath(search), () =>
      inSite(pool, site, 'site.vehicles', (db) => searchVehicles(db, { site, search, pictureAddress })),
    )
    const hasHome = (await pagesOf(site)).some(({ isHome }) => isHome)
    // Searches that differ only in what couldn't be read have the same result.
    const shown = { ...result, search: { ...result.search, unread: search.unread } }
    return { page: vehicleListPage(site, shown, { hasHome }) }
  }
  sites.page(ALL_VEHICLES, list)
  sites.page(
    '/',
    async (visitor) => (isSearch(visitor.query) ? null : await homeOf(visitor)) ?? (await list(visitor)),
  )

  sites.page('/v/:slug', async (visitor): Promise<SiteAnswer> => {
    const { site, reply, origin, query } = visitor
    const { slug = '' } = visitor.params
    const id = idOfSlug(slug)
    const found =
      id === null
        ? null
        : await opened(site, id, async () => {
            const data = await inSite(pool, site, 'site.vehicle', (db) =>
              readVehicleData(db, site, { id, secrets }),
            )
            if (data?.form) await keepOpened(readers, site, data.form)
            return data
          })
    // Never published, or not yet: nothing about it is public.
    if (found === null || !(found.isPublished || found.isGone || found.isSoldUnseen))
      return { page: noVehiclePage(), status: 404 }
    const { vehicle, row, similar, disclaimers, form: asked } = found
    if (!found.isPublished) {
      const named = found.isGone ? vehicle : null
      return { page: soldPage(named, { similar, disclaimers }), status: 410 }
    }
    if (`/v/${slug}` !== vehicle.path) {
      // It may move back: browsers ask again.
      reply.header('cache-control', 'no-cache')
      await reply.redirect(withCampaign(vehicle.path, query), 301)
      return { page: noVehiclePage() }
    }
    const form = asked && (await vehicleForm(asked, visitor, { secrets, scriptsOf }))
    const forms = (await sites.menuOf(site)).filter(
      ({ organizationId }) => organizationId === null || organizationId === row.organizationId,
    )
    const page = {
      vehicle,
      similar,
      disclaimers,
      origin,
      store: storeOf(row),
      form,
      forms,
    }
    return { page: vehiclePage(site, page) }
  })

  addSiteMap(sites, { pool, memory, pagesOf })
}

/** What search engines read: the addresses of all pages, and the rules for robots. */
function addSiteMap(
  sites: SiteApp,
  { pool, memory, pagesOf }: Pick<SitePageParts, 'pool' | 'memory' | 'pagesOf'>,
): void {
  const addressesOf = memory.reader<{ path: string; changedOn: string }[]>({
    name: 'site map',
    freshMs: 0,
    // Search engines come again.
    shows: () => null,
  })

  sites.app.get('/robots.txt', (request, reply) => {
    const { origin } = sites.visit(request, reply)
    return reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nAllow: /\nDisallow: /f/\nSitemap: ${origin}/sitemap.xml\n`)
  })

  sites.app.get('/sitemap.xml', async (request, reply) => {
    const { site, origin } = sites.visit(request, reply)
    const addresses = await addressesOf(site, '', () =>
      inSite(pool, site, 'site.map', (db) => readAddresses(db, site.customerId)),
    )
    const links = await pagesOf(site)
    const pages = links.map(({ slug, isHome, changedOn }) => ({
      path: isHome ? ALL_VEHICLES : `/p/${slug}`,
      changedOn,
    }))
    const entries = [...pages, ...addresses].map(
      ({ path, changedOn }) => `<url><loc>${origin}${path}</loc><lastmod>${changedOn}</lastmod></url>`,
    )
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url>${entries.join('')}</urlset>\n`,
      )
  })
}

/** What a vehicle page shows to everyone. */
type VehicleData = NonNullable<Awaited<ReturnType<typeof readVehiclePage>>> & {
  similar: SiteVehicle[]
  disclaimers: string[]
  form: Opened | null
}

const idsOf = (vehicles: readonly SiteVehicle[]): string[] => vehicles.map(({ listing }) => listing.id)

function shownBy(data: VehicleData | null) {
  if (data === null) return {}
  // It could be withdrawn altogether, which a check of what is published doesn't notice.
  if (data.isGone || data.isSoldUnseen) return null
  const { vehicle, isPublished, similar, form } = data
  return {
    vehicles: idsOf(isPublished ? [vehicle, ...similar] : similar),
    forms: form === null ? [] : [form.form.key],
  }
}

function onlyAllowed(data: VehicleData | null, allowed: Allowed): VehicleData | null {
  if (data === null || (data.isPublished && !allowed.vehicle(data.vehicle.listing.id))) return null
  return {
    ...data,
    similar: data.similar.filter(({ listing }) => allowed.vehicle(listing.id)),
    form: data.form !== null && allowed.form(data.form.form.key) ? data.form : null,
  }
}

async function readVehicleData(
  db: Database,
  site: Site,
  { id, secrets }: { id: string; secrets: Secrets },
): Promise<VehicleData | null> {
  const pictureAddress = sitePictures(secrets, site)
  const read = await readVehiclePage(db, { site, id, pictureAddress })
  if (read === null) return null
  const { row, vehicle, isPublished } = read
  const similar = await readSimilar(db, { site, row, pictureAddress })
  const disclaimers = await readDisclaimersOf(db, site, isPublished ? [vehicle, ...similar] : similar)
  const asked = { vehicle: askedVehicle(vehicle), lotId: row.lotId }
  return {
    ...read,
    similar,
    disclaimers,
    form: isPublished ? await readVehicleOpened(db, site, asked) : null,
  }
}

const noVehiclePage = () =>
  messagePage({
    title: 'Vehicle not found',
    text: "This vehicle doesn't exist. The link may be old or incomplete.",
  })

function storeOf({ lotName, address, city, region, postalCode, phone }: ListingRow): Store {
  const place = [address, city, [region, postalCode].filter((part) => part !== null).join(' ')]
  return { name: lotName, address: place.filter((part) => part !== null && part !== '').join(', '), phone }
}
