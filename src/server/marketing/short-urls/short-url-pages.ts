import type pg from 'pg'
import { readKey } from '#contract/marketing/short-urls/short-url-fields.ts'
import { clock } from '#server/clock.ts'
import type { CountGuess } from '#server/identity/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { messagePage, previewPage } from '#public/layout.ts'
import { inSite } from '../site/in-site.ts'
import { withParameters } from '../site/pass-parameters.ts'
import type { PublicMemory } from '../site/public-memory.ts'
import type { SiteAnswer, SiteApp, SiteRequest } from '../site/site-app.ts'
import { makeSeenOnce, readClickMark, writeClickMark } from './click-mark.ts'
import { classifyClick } from './classify-click.ts'
import type { ClickCounter } from './count-clicks.ts'
import { makeBurstFinder } from './find-bursts.ts'
import { visitOf } from './visit-of.ts'
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
  secrets: Secrets
  clicks: ClickCounter
  countGuess: CountGuess
}>

/** `/s/{key}`, and what the page it leads to says about its visitor. */
export function addShortUrlPages(sites: SiteApp, parts: ShortUrlParts): void {
  const { pool, memory, secrets, clicks, countGuess } = parts
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
  const note = makeClickNotes(parts)

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
      if (key !== null && note.isUnknown(visitor, key)) clicks.countUnknown(site.customerId, key)
      if (limit !== null) throw limit
      return { page: unknownPage(), status: 404 }
    }
    const hasEnded =
      found.target === null || found.isUsedUp || (found.endsAt !== null && clock.now() >= found.endsAt)
    const mark = note.click(visitor, found)
    if (found.target === null || hasEnded) return { page: endedPage(), status: 410 }
    const { preview, preset } = found
    const wantsPreview = PREVIEWS.test(request.headers['user-agent'] ?? '')
    if (wantsPreview && (preview.title !== null || preview.picture !== null))
      return { page: previewPage({ ...preview, title: preview.title ?? site.title }) }
    const target = withParameters(found.target, { preset, opened: query })
    await reply.redirect(mark === null ? target : `${target}${MARK}${mark}`, 302)
    return SENT
  })

  const seenOnce = makeSeenOnce()
  sites.app.post('/s/seen', (request, reply) => {
    const { customerId } = sites.visit(request, reply).site
    const { body } = request
    const mark = body instanceof URLSearchParams ? body.get('click') : null
    const click = readClickMark(secrets, customerId, mark ?? '')
    if (click !== null && !note.isVoid(click.nonce) && seenOnce(click.nonce)) {
      const { id, at, kind, visit } = click
      clicks.count(customerId, { id, at, kind, visit, clicks: -1 })
      clicks.count(customerId, { id, at, kind: 'person', visit })
    }
    return reply.code(204).send()
  })
}

/** Not shown: the browser was sent on. */
const SENT: SiteAnswer = { page: messagePage({ title: '', text: '' }) }

/** Counts clicks by kind. */
function makeClickNotes({ clicks, secrets }: ShortUrlParts) {
  const isBurst = makeBurstFinder()
  // Marks of clicks that turned out to belong to a burst.
  const voided = makeSeenOnce()
  const isVoid = (nonce: string): boolean => voided.has(nonce)
  return {
    isVoid,
    /** Whether an unknown key is worth a report: scanners that try keys are not. */
    isUnknown: ({ site, request }: SiteRequest, key: string): boolean =>
      classifyClick(request, { toOwnPage: true }) !== 'bot' &&
      !isBurst({ customerId: site.customerId, ip: request.ip, key }, () => {}),
    /** @returns the mark of the page that the click leads to; null if its kind is certain */
    click({ site, request }: SiteRequest, { id, isOwnPage, target, revision }: FoundShortUrl): string | null {
      const { customerId } = site
      const at = clock.now()
      const visit = visitOf(request, site.host)
      const first = classifyClick(request, { toOwnPage: isOwnPage && target !== null })
      const isPage = request.method === 'GET' && isOwnPage && target !== null && first !== 'person'
      const marked = isPage
        ? writeClickMark(secrets, customerId, { id, kind: first === 'bot' ? 'bot' : 'suspect', visit })
        : null
      const makeBot = (): void => {
        if (marked !== null) voided(marked.nonce)
        if (first === 'bot') return
        clicks.count(customerId, { id, at, kind: first, visit, clicks: -1 })
        clicks.count(customerId, { id, at, kind: 'bot', visit })
      }
      if (isBurst({ customerId, ip: request.ip, key: revision }, makeBot)) {
        clicks.count(customerId, { id, at, kind: 'bot', visit })
        return null
      }
      clicks.count(customerId, { id, at, kind: first, visit })
      return marked?.mark ?? null
    },
  }
}

const unknownPage = () =>
  messagePage({
    title: 'This short link is unknown',
    text: 'Check that you typed it as it is printed. It may also have been removed.',
  })

const endedPage = () =>
  messagePage({ title: 'This short link has ended', text: 'What it led to is no longer available.' })
