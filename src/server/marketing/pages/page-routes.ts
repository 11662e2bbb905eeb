import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { AskedWidth, PICTURE_WIDTHS } from '#contract/files/picture-widths.ts'
import { picturesIn } from '#contract/marketing/pages/blocks.ts'
import type { PromoPageContent } from '#contract/marketing/site/promo-page.ts'
import type { PageLink, Site } from '#contract/marketing/site/site.ts'
import { clock } from '#server/clock.ts'
import { makePublicPictures, mediaReader, MOST_PICTURE_BYTES } from '#server/files/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import type { Secrets } from '#server/secrets.ts'
import { messagePage } from '#public/layout.ts'
import { promoPage } from '#public/promo-page.ts'
import { type FormReaders, keepOpened } from '../forms/form-readers.ts'
import { type FormScripts, pageForm } from '../forms/form-view.ts'
import { inSite } from '../site/in-site.ts'
import { withCampaign } from '../site/pass-parameters.ts'
import type { Allowed, PublicMemory } from '../site/public-memory.ts'
import { notFoundPage } from '../site/site-errors.ts'
import type { HomeOf, PagesOf, SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import { sitePictures } from '../site/site-pages.ts'
import type { VisitNotes } from '../visits/note-visits.ts'
import { previewLinks } from './preview-link.ts'
import {
  type FoundPage,
  readDraftPage,
  readPageLinks,
  readPublicPage,
  type ShownPage,
} from './public-pages.ts'

/** A publication, a price, a sale and a page in the menu appear or disappear within three seconds. */
const FRESH_MS = 3_000
/** A browser that has loaded a picture may show it again for this long. */
const PICTURE_SECONDS = 3_600
const LARGEST = Math.max(...PICTURE_WIDTHS)

type PageParts = Readonly<{
  pool: pg.Pool
  memory: PublicMemory
  readers: FormReaders
  secrets: Secrets
  storage: FileStorage
  visits: VisitNotes
  scriptsOf: FormScripts
  pagesOf: PagesOf
}>

/** Finds the pages that visitors may open, by name. */
export function makePagesOf(
  pool: pg.Pool,
  memory: PublicMemory,
): (site: Site) => Promise<readonly PageLink[]> {
  const read = memory.reader<PageLink[]>({
    name: 'page links',
    freshMs: FRESH_MS,
    shows: (links) => ({ pages: links.map(({ revision }) => revision) }),
    without: (links, { page }) => links.filter(({ revision }) => page(revision)),
  })
  return (site) =>
    read(site, '', () => inSite(pool, site, 'site.pages', (db) => readPageLinks(db, site.customerId)))
}

/**
 * `/p/{slug}`: promo pages, their pictures, and previews of their drafts.
 * @returns the page at the address of the site itself; null if it has none.
 */
export function addPromoPages(sites: SiteApp, parts: PageParts): HomeOf {
  const { pool, memory, readers, secrets, visits, scriptsOf, pagesOf } = parts
  const kept = memory.reader<FoundPage | null>({
    name: 'promo page',
    freshMs: FRESH_MS,
    shows: shownBy,
    without: onlyAllowed,
    bytesOf: (found) => (found?.kind === 'shown' ? JSON.stringify(found.content).length * 2 : 0),
  })
  const wanted = (site: Site, slug: string) => ({ slug, pictureAddress: sitePictures(secrets, site) })
  const find = async ({ site, params, query }: SiteRequest): Promise<FoundPage | null> => {
    const slug = /^[a-z0-9-]{1,60}$/.exec((params['slug'] ?? '').toLowerCase())?.[0]
    if (slug === undefined) return null
    if (query.has('preview')) return findDraft({ site, query, slug })
    const found = await kept(site, slug, async () => {
      const page = await inSite(pool, site, 'site.page', (db) => readPublicPage(db, site, wanted(site, slug)))
      if (page?.kind === 'shown' && page.form !== null) await keepOpened(readers, site, page.form.opened)
      return page
    })
    const isOver = found?.kind === 'shown' && found.endsAt !== null && clock.now() >= found.endsAt
    return isOver ? { kind: 'over' } : found
  }
  const findDraft = async ({ site, query, slug }: { site: Site; query: URLSearchParams; slug: string }) => {
    const draft = await inSite(pool, site, 'site.page', (db) => readDraftPage(db, site, wanted(site, slug)))
    const of = { customerId: site.customerId, id: draft?.id ?? '' }
    return previewLinks.read(secrets, of, query.get('preview')) === 'valid' ? draft : null
  }

  const homeLink = async (site: Site) => (await pagesOf(site)).find(({ isHome }) => isHome)
  const show = async (visitor: SiteRequest, found: ShownPage, path: string): Promise<SiteAnswer> => {
    const { site, origin, query } = visitor
    const { slug } = found.content
    const named = { page: `${origin}${path}`, hasHeading: found.form?.heading !== '' }
    const form = found.form && (await pageForm(found.form.opened, visitor, { secrets, scriptsOf }, named))
    const preview = query.get('preview')
    const visitMark =
      preview === null ? visits.note(visitor, { id: found.id, key: found.id, toOwnPage: true }) : null
    const suffix = preview === null ? '' : `?preview=${encodeURIComponent(preview)}`
    return {
      page: promoPage(site, {
        content: found.content,
        form,
        origin,
        path,
        now: clock.date(),
        isPreview: preview !== null,
        visitMark,
        pictureUrl: (place) => `/p/${slug}/picture/${fingerprint(secrets, site, place)}${suffix}`,
      }),
    }
  }

  sites.page('/p/:slug', async (visitor): Promise<SiteAnswer> => {
    const { site, query, reply, params } = visitor
    const found = await find(visitor)
    const isPreview = query.has('preview')
    if (isPreview) void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
    if (found === null) return { page: isPreview ? noPreview() : notFoundPage(), status: 404 }
    if (found.kind === 'over') return { page: overPage(), status: 410 }
    const slug = found.kind === 'moved' ? found.slug : found.content.slug
    if (params['slug'] !== slug) {
      // It may move back: browsers ask again.
      reply.header('cache-control', 'no-cache')
      await reply.redirect(withCampaign(`/p/${slug}`, query), 301)
      return { page: notFoundPage() }
    }
    if (found.kind === 'moved') return { page: notFoundPage(), status: 404 }
    const isHome = !isPreview && (await homeLink(site))?.slug === slug
    return show(visitor, found, isHome ? '/' : `/p/${slug}`)
  })
  addPictures(sites, parts, find)

  return async (visitor) => {
    const link = await homeLink(visitor.site)
    if (link === undefined) return null
    const found = await find({ ...visitor, params: { slug: link.slug } })
    return found?.kind === 'shown' ? show(visitor, found, '/') : null
  }
}

/** `/p/{slug}/picture/{fingerprint}`: only pictures of blocks that the page shows now. */
function addPictures(
  sites: SiteApp,
  { storage, secrets }: PageParts,
  find: (visitor: SiteRequest) => Promise<FoundPage | null>,
): void {
  const pictures = makePublicPictures(storage)
  const media = mediaReader(storage)
  sites.app.get<{ Params: { slug: string; hash: string } }>(
    '/p/:slug/picture/:hash',
    async (request, reply) => {
      const visitor = sites.visit(request, reply)
      const { site, query } = visitor
      const { customerId } = site
      const found = await find(visitor)
      const path =
        found?.kind === 'shown'
          ? picturesOf(found).find((one) => fingerprint(secrets, site, one) === request.params.hash)
          : undefined
      const width = AskedWidth.optional().safeParse(query.get('w') ?? undefined)
      const original = path === undefined ? null : await media.identify(customerId, path)
      if (path === undefined || original === null || !width.success)
        return sites.send(visitor, { page: notFoundPage(), status: 404 })
      const type = width.data === undefined ? 'image/jpeg' : 'image/webp'
      const bytes = await pictures.read({
        customerId,
        original,
        width: width.data ?? LARGEST,
        type,
        load: async () => (await media.read(customerId, path, MOST_PICTURE_BYTES))?.bytes ?? null,
      })
      if (bytes === null) return sites.send(visitor, { page: notFoundPage(), status: 404 })
      return reply.type(type).header('cache-control', `private, max-age=${PICTURE_SECONDS}`).send(bytes)
    },
  )
}

function shownBy(found: FoundPage | null) {
  // Anyone can make up addresses, and what is over or moved could be shown again.
  if (found?.kind !== 'shown') return null
  const { content, form, revision } = found
  return {
    pages: [revision],
    vehicles: vehicleIds(content),
    forms: form === null ? [] : [form.opened.form.key],
  }
}

/** The page without what may not be shown anymore. */
function onlyAllowed(found: FoundPage | null, { page, vehicle, form }: Allowed): FoundPage | null {
  if (found?.kind !== 'shown') return found
  if (!page(found.revision)) return null
  const vehicles = Object.entries(found.content.vehicles).map(([block, of]) => [
    block,
    {
      ...of,
      shown: of.shown.filter(({ listing }) => vehicle(listing.id)),
      similar: of.similar?.filter(({ listing }) => vehicle(listing.id)) ?? [],
    },
  ])
  return {
    ...found,
    content: { ...found.content, vehicles: Object.fromEntries(vehicles) },
    form: found.form !== null && form(found.form.opened.form.key) ? found.form : null,
  }
}

const vehicleIds = ({ vehicles }: PromoPageContent): string[] =>
  Object.values(vehicles).flatMap(({ shown, similar = [] }) =>
    [...shown, ...similar].map(({ listing }) => listing.id),
  )

/** The paths of its pictures in the media library. */
const picturesOf = ({ content }: ShownPage): string[] =>
  content.blocks.flatMap((one) => picturesIn(one).map(({ path }) => path))

/** Names a picture without telling where it is stored. */
function fingerprint(secrets: Secrets, { customerId }: Site, path: string): string {
  const key = secrets.deriveKey('pictures of promo pages')
  return createHmac('sha256', key).update(`${customerId}/${path}`).digest('base64url').slice(0, 22)
}

const overPage = () =>
  messagePage({ title: 'This page has ended', text: 'See the vehicles that are for sale now.' })

const noPreview = () =>
  messagePage({
    title: 'This preview has ended',
    text: 'A preview link works for an hour. Open a new one from the editor of the page.',
    link: null,
  })
