import type pg from 'pg'
import { readKey } from '#contract/marketing/short-urls/short-url-fields.ts'
import { clock } from '#server/clock.ts'
import type { CountGuess } from '#server/identity/index.ts'
import { messagePage, previewPage } from '#public/layout.ts'
import { inSite } from '../site/in-site.ts'
import { withParameters } from '../site/pass-parameters.ts'
import type { PublicMemory } from '../site/public-memory.ts'
import type { SiteAnswer, SiteApp } from '../site/site-app.ts'
import type { VisitNotes } from '../visits/note-visits.ts'
import type { ClickCounter } from '../visits/count-clicks.ts'
import { findShortUrl, type FoundShortUrl, unnamedPath } from './find-short-url.ts'

/** A changed or deleted short URL takes effect within three seconds. */
const FRESH_MS = 3_000
/** Read by the script of the page, which browsers keep to themselves: it is no part of the address that the server sees. */
const MARK = '#fc-click='
/** What fetches the previews that chats show. Everything else is sent on. */
const PREVIEWS =
  /facebookexternalhit|facebot|twitterbot|slackbot|linkedinbot|whatsapp|telegrambot|discordbot|skypeuripreview|pinterestbot/i

export type ShortUrlParts = Readonly<{
  pool: pg.Pool
  memory: PublicMemory
  clicks: ClickCounter
  notes: Readonly<{ clicks: VisitNotes; pages: VisitNotes }>
  countGuess: CountGuess
}>

/** `/s/{key}`, and what the page it leads to says about its visitor. */
export function addShortUrlPages(sites: SiteApp, parts: ShortUrlParts): void {
  const { pool, memory, clicks, notes, countGuess } = parts
  const read = memory.reader<FoundShortUrl | null>({
    name: 'short url',
    freshMs: FRESH_MS,
    // Anyone can make up keys.
    shows: (found) =>
      found && { links: [found.revision], vehicles: found.vehicleId === null ? [] : [found.vehicleId] },
    without: (found, { link, vehicle }) => {
      if (found === null || !link(found.revision)) return null
      const { vehicleId } = found
      if (vehicleId === null || vehicle(vehicleId)) return found
      return { ...found, target: unnamedPath(vehicleId), vehicleId: null }
    },
  })
  sites.page('/s/:key', async (visitor): Promise<SiteAnswer> => {
    const { site, request, reply, query, params } = visitor
    void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    const key = readKey(params['key'] ?? '')
    const found =
      key === null
        ? null
        : await read(site, key, () => inSite(pool, site, 'site.link', (db) => findShortUrl(db, site, key)))
    if (key === null || found === null) {
      const limit = countGuess(request.ip)
      if (key !== null && notes.clicks.isUnknown(visitor, key)) clicks.countUnknown(site.customerId, key)
      if (limit !== null) throw limit
      return { page: unknownPage(), status: 404 }
    }
    const hasEnded =
      found.target === null || found.isUsedUp || (found.endsAt !== null && clock.now() >= found.endsAt)
    const { id, revision, isOwnPage } = found
    const mark = notes.clicks.note(visitor, {
      id,
      key: revision,
      toOwnPage: isOwnPage && found.target !== null,
    })
    if (found.target === null || hasEnded) return { page: endedPage(), status: 410 }
    const { preview, preset } = found
    const wantsPreview = PREVIEWS.test(request.headers['user-agent'] ?? '')
    if (wantsPreview && (preview.title !== null || preview.picture !== null))
      return { page: previewPage({ ...preview, title: preview.title ?? site.title }) }
    const target = withParameters(found.target, { preset, opened: query })
    await reply.redirect(mark === null ? target : `${target}${MARK}${mark}`, 302)
    return SENT
  })

  sites.app.post('/s/seen', (request, reply) => {
    const { customerId } = sites.visit(request, reply).site
    const { body } = request
    if (body instanceof URLSearchParams) {
      notes.clicks.confirm(customerId, body.get('click') ?? '')
      notes.pages.confirm(customerId, body.get('visit') ?? '')
    }
    return reply.code(204).send()
  })
}

/** Not shown: the browser was sent on. */
const SENT: SiteAnswer = { page: messagePage({ title: '', text: '' }) }

const unknownPage = () =>
  messagePage({
    title: 'This short link is unknown',
    text: 'Check that you typed it as it is printed. It may also have been removed.',
  })

const endedPage = () =>
  messagePage({ title: 'This short link has ended', text: 'What it led to is no longer available.' })
