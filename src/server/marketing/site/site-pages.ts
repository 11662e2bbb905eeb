import type pg from 'pg'
import { evaluatePrice } from '#contract/pricing/rules/evaluate-price.ts'
import { lawOf, profileOf } from '#contract/customers/details/price-laws.ts'
import { idOfSlug } from '#contract/marketing/site/vehicle-address.ts'
import { readSearch, searchPath } from '#contract/marketing/site/vehicle-search.ts'
import type { SearchResult, Site, SiteOffer, SiteVehicle, Store } from '#contract/marketing/site/site.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type ListingRow, pictureKey } from '#server/channels/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { messagePage } from '#public/layout.ts'
import { vehicleListPage } from '#public/vehicle-list-page.ts'
import { soldPage, vehiclePage } from '#public/vehicle-page.ts'
import { vehicleForm } from '../forms/form-view.ts'
import { askedVehicle, type Opened, readVehicleOpened } from '../forms/open-form.ts'
import { makeBriefCache } from './brief-cache.ts'
import { inSite } from './in-site.ts'
import type { SiteAnswer, SiteApp } from './site-app.ts'
import {
  readAddresses,
  readSimilar,
  readVehiclePage,
  searchVehicles,
  type PictureAddress,
} from './site-vehicles.ts'

/** A price, a sale and a new photo appear within three seconds. */
const PAGES = { freshMs: 3_000, most: 300 }

export type SitePageParts = {
  pool: pg.Pool
  secrets: Secrets
  proofWorkerOf: (site: Site) => string | null
}

/** The address of a photo on any host of the customer. */
export function sitePictures(secrets: Secrets, { customerId }: Site): PictureAddress {
  return ({ id }, place) => `/feeds/pictures/${pictureKey(secrets, { customerId, vehicleId: id, place })}`
}

/** The list of vehicles, the page of each, the site map and the rules for robots. */
export function addVehiclePages(sites: SiteApp, { pool, secrets, proofWorkerOf }: SitePageParts): void {
  const searched = makeBriefCache<SearchResult>(PAGES)
  const opened = makeBriefCache<VehicleData | null>(PAGES)

  sites.page('/', async ({ site, query }) => {
    const search = readSearch(query)
    const pictureAddress = sitePictures(secrets, site)
    const result = await searched(`${site.customerId} ${searchPath(search)}`, () =>
      inSite(pool, site, 'site.vehicles', (db) => searchVehicles(db, { site, search, pictureAddress })),
    )
    return { page: vehicleListPage(site, result) }
  })

  sites.page('/v/:slug', async (visitor): Promise<SiteAnswer> => {
    const { site, reply, origin } = visitor
    const { slug = '' } = visitor.params
    const id = idOfSlug(slug)
    const found =
      id === null
        ? null
        : await opened(`${site.customerId} ${id}`, () =>
            inSite(pool, site, 'site.vehicle', (db) => readVehicleData(db, site, { id, secrets })),
          )
    // Never published, or not yet: nothing about it is public.
    if (found === null || (!found.isPublished && !found.isGone)) return { page: noVehiclePage(), status: 404 }
    const { vehicle, row, similar, form: asked } = found
    if (found.isGone) return { page: soldPage(vehicle, similar), status: 410 }
    if (`/v/${slug}` !== vehicle.path) {
      await reply.redirect(vehicle.path, 301)
      return { page: noVehiclePage() }
    }
    const form = asked && (await vehicleForm(asked, visitor, { secrets, proofWorkerOf }))
    const forms = (await sites.menuOf(site)).filter(
      ({ organizationId }) => organizationId === null || organizationId === row.organizationId,
    )
    const page = { vehicle, similar, origin, store: storeOf(row), offers: offersOf(row), form, forms }
    return { page: vehiclePage(site, page) }
  })

  sites.app.get('/robots.txt', (request, reply) => {
    const { origin } = sites.visit(request, reply)
    return reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nAllow: /\nDisallow: /f/\nSitemap: ${origin}/sitemap.xml\n`)
  })

  sites.app.get('/sitemap.xml', async (request, reply) => {
    const { site, origin } = sites.visit(request, reply)
    const addresses = await inSite(pool, site, 'site.map', (db) => readAddresses(db, site.customerId))
    const entries = addresses.map(
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
  form: Opened | null
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
  const asked = { vehicle: askedVehicle(vehicle), lotId: row.lotId }
  return { ...read, similar, form: isPublished ? await readVehicleOpened(db, site, asked) : null }
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

/** The conditional offers of a vehicle now. */
function offersOf(row: ListingRow): SiteOffer[] {
  const { law } = lawOf(row)
  const { deductsRebates } = profileOf(law, row.minute.slice(0, 10), row.profiles)
  const { offers } = evaluatePrice(row.rules, row, { minute: row.minute, deductsRebates })
  return offers.map(({ name, label, cents, qualifier, disclaimer, until }) => ({
    name: label ?? name,
    cents,
    qualifier,
    disclaimer,
    until,
  }))
}
