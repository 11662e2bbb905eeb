import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { PageLink, Site } from '#contract/marketing/site/site.ts'
import { limitBodyTime } from '#server/http/connection-limits.ts'
import { Failure, refused } from '#server/http/failure.ts'
import { namesOneHost } from '#server/http/host-header.ts'
import { isPartAFile } from '#server/http/kinds.ts'
import { installSecurityHeaders, type HeaderPolicy } from '#server/http/security-headers.ts'
import { hostOf } from '#server/http/visit.ts'
import { isAway } from '#server/database/database-watch.ts'
import { sendAgainForm } from '#public/away-page.ts'
import { documentOf, messagePage, type Page } from '#public/layout.ts'
import { pageTexts, waitInWords } from '#public/page-texts.ts'
import type { Settings } from '#server/environment.ts'
import type { StrangerLimit } from '#server/identity/index.ts'
import type { FindSite } from './site-host.ts'
import type { SiteAssets } from './site-assets.ts'
import type { MenuOf } from './site-menu.ts'
import { answerAway, answerClosed } from './away-answer.ts'
import { FORM_LIMIT, MAX_FORM_FIELDS, readFormFields } from './form-limit.ts'
import { notSentOf, sentFieldsOf, visitorLanguage } from './not-sent.ts'
import { errorPage, notFoundPage, type Problem, problemOf } from './site-errors.ts'

/**
 * The public pages. Everything they load comes from their own host; there are no inline scripts or styles, and no other site
 * can show them in a frame.
 */
const SITE_HEADERS: HeaderPolicy = {
  content: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrer: 'strict-origin-when-cross-origin',
  permissions: 'camera=(), geolocation=(), microphone=(), payment=(), browsing-topics=()',
}

const FORM_LIMITS = {
  fieldSize: FORM_LIMIT,
  fields: MAX_FORM_FIELDS,
  files: MAX_FORM_FIELDS,
  parts: MAX_FORM_FIELDS,
  fileSize: Infinity,
}
/** @throws Failure 413 */
function readBody(text: string): URLSearchParams {
  const fields = readFormFields(text)
  if (fields === null) throw new Failure(413, 'This form has too many fields, or too much text.')
  return fields
}
const FOREVER = 'public, max-age=31536000, immutable'
/** Routes of the main server that public hosts have, too, by endpoint: photos, channel files, and the logo. */
const SHARED: ReadonlySet<string> = new Set([
  'publicFeeds.file',
  'publicFeeds.picture',
  'whiteLabels.picture',
])
/** Answers without a host, so that it works whatever happens to the database. */
const ALIVE = '/livez'
/** Answer on every host of the back office, and while hosts can't be looked up: they say that the database is away. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export type SiteRequest = Readonly<{
  site: Site
  origin: string
  /** The parameters of the address, and the named parts of its path. */
  query: URLSearchParams
  params: Readonly<Record<string, string>>
  request: FastifyRequest
  reply: FastifyReply
}>
/** Answers with a page and its status. */
export type SiteAnswer = Readonly<{
  page: Page
  status?: number
  /** The origins of other sites that may show the page in a frame; absent: none. */
  framedBy?: readonly string[]
}>

/** Answers with the home page of a site; null if it has none. */
export type HomeOf = (visitor: SiteRequest) => Promise<SiteAnswer | null>

/** Finds the pages that visitors may open. */
export type PagesOf = (site: Site) => Promise<readonly PageLink[]>

type SiteAppParts = {
  assets: SiteAssets
  originOf: (site: Site) => string
  menuOf: MenuOf
  pagesOf: PagesOf
  isHttps: boolean
  trustProxy: Settings['trustProxy']
  genReqId: () => string
  /** Called when a visitor reached a limit. */
  onLimit: (limit: StrangerLimit) => Promise<void>
  onError: (error: unknown, requestId: string) => void
}

/**
 * The server of the public sites: an application of its own, so that pages made by users never share headers, cookies or
 * error messages with the back office. It has no sign-in, sets no cookies, and its pages load nothing from elsewhere.
 */
export async function makeSiteApp({
  assets,
  originOf,
  menuOf,
  pagesOf,
  isHttps,
  trustProxy,
  genReqId,
  onLimit,
  onError,
}: SiteAppParts) {
  const sites = new WeakMap<IncomingMessage, Site>()
  const app = Fastify({
    bodyLimit: FORM_LIMIT,
    trustProxy,
    genReqId,
    logger: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 200 },
  })
  const routes: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') routes.push(`${String(method)} ${url}`)
  })
  const visit = (request: FastifyRequest, reply: FastifyReply): SiteRequest => {
    const site = sites.get(request.raw)
    if (site === undefined) throw new Error('The request has no site.')
    const [, text = ''] = /^[^?]*\?(.*)$/s.exec(request.url) ?? []
    const query = new URLSearchParams(text)
    return { site, origin: originOf(site), query, params: paramsOf(request.params), request, reply }
  }
  const send = async (
    { site, origin, reply }: SiteRequest,
    { page, status = 200, framedBy = [] }: SiteAnswer,
  ): Promise<FastifyReply> => {
    if (framedBy.length > 0) allowFrames(reply, framedBy)
    // An error page is shown even if the menu can't be read.
    const menu = page.isFramed === true ? [] : await menuOf(site).catch(() => [])
    const pages = page.isFramed === true ? [] : await pagesOf(site).catch(() => [])
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .send(documentOf(site, page, { origin, menu, pages, assets: assets.pathsOf(site) }))
  }

  await installSecurityHeaders(app, { isHttps, policy: SITE_HEADERS })
  // Browsers never compress forms.
  await app.register(compress, { threshold: 1024, globalDecompression: false })
  await app.register(multipart, { limits: FORM_LIMITS, isPartAFile })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string | Buffer) => readBody(body.toString()),
  )
  answerErrors(app, { visit, send, onLimit, onError })
  serveAssets(app, assets, (request, reply) => visit(request, reply).site)

  return {
    app,
    routes,
    visit,
    send,
    menuOf,
    /** Registers a page. */
    page(
      path: string,
      answer: (request: SiteRequest) => Promise<SiteAnswer>,
      method: 'GET' | 'POST' = 'GET',
    ): void {
      app.route({
        method,
        url: path,
        handler: async (request, reply) => {
          const visitor = visit(request, reply)
          const result = await answer(visitor)
          return reply.sent ? reply : send(visitor, result)
        },
      })
    },
    /** Passes a request of the main server on. */
    handle(site: Site, request: FastifyRequest, reply: FastifyReply): void {
      sites.set(request.raw, site)
      reply.hijack()
      app.routing(request.raw, reply.raw)
    },
  }
}
export type SiteApp = Awaited<ReturnType<typeof makeSiteApp>>

/**
 * Hands every request on a public host to its site. A host is either public or back office: on a public one there is no
 * sign-in and no API.
 */
export function routeByHost(
  main: FastifyInstance,
  { findSite, sites }: { findSite: FindSite; sites: SiteApp },
): void {
  main.addHook('onRequest', async (request, reply) => {
    const { rawHeaders, url = '' } = request.raw
    if (!namesOneHost({ rawHeaders, url }))
      throw refused('A request must name one host, as a name or address with an optional port.')
    // Only the routes themselves: an address that merely looks like one belongs to the site.
    const { url: route = '', config } = request.routeOptions
    if (!request.is404 && (route === ALIVE || SHARED.has(config.endpoint ?? ''))) return undefined
    try {
      const site = await findSite(hostOf(request))
      if (site === 'closed') return answerClosed(request, reply)
      if (site !== null) sites.handle(site, request, reply)
      return undefined
    } catch (error) {
      if (!isAway(error)) throw error
      return !request.is404 && PROBES.has(route) ? undefined : answerAway(request, reply)
    }
  })
}

function paramsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  )
}

/** Lets other sites show this response in a frame. `origins` come from the form, whose schema accepts only origins. */
function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header(
    'content-security-policy',
    policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`),
  )
  // It can't name other sites, and browsers that know frame-ancestors ignore it.
  void reply.removeHeader('x-frame-options')
}

/** The address without the slashes at its end, with which many people and programs write it; null if it has none. */
function withoutSlash({ method, url }: FastifyRequest): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  // Two slashes at the start, or a backslash, would lead to another site.
  const [, path, query = ''] = /^(\/[^/\\?][^\\?]*?)\/+(\?.*)?$/s.exec(url) ?? []
  return path === undefined ? null : `${path}${query}`
}

/** Pages for addresses without one, and for errors. */
function answerErrors(
  app: FastifyInstance,
  {
    visit,
    send,
    onLimit,
    onError,
  }: {
    visit: (request: FastifyRequest, reply: FastifyReply) => SiteRequest
    send: (visitor: SiteRequest, answer: SiteAnswer) => Promise<FastifyReply>
    onLimit: (limit: StrangerLimit) => Promise<void>
    onError: (error: unknown, requestId: string) => void
  },
): void {
  app.setNotFoundHandler((request, reply) => {
    const address = withoutSlash(request)
    // It may move back: browsers ask again.
    if (address !== null) return reply.header('cache-control', 'no-cache').redirect(address, 301)
    return send(visit(request, reply), { page: notFoundPage(), status: 404 })
  })
  const answer = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const problem = problemOf(error)
    const { status, retryAfterSeconds } = problem
    if (status === 500) onError(error, request.id)
    if (status === 429 && error instanceof Failure) {
      const { customerId, host } = visit(request, reply).site
      await onLimit({
        // Only addresses of forms are guessed.
        kind: request.method === 'POST' ? 'forms' : 'links',
        customerId,
        host,
        ip: request.ip,
        endpoint: 'site.form',
        message: error.message,
      })
    }
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
    return send(visit(request, reply), { page: pageOfProblem(problem, request), status })
  }
  app.setErrorHandler(answer)
  limitBodyTime(app, {
    onLate: (request, reply) =>
      void answer(new Failure(408, 'The form did not arrive in time.'), request, reply),
  })
}

/** What a visitor reads about an error. A form that could be stored later comes back with what was typed into it. */
function pageOfProblem(problem: Problem, request: FastifyRequest): Page {
  const { status, retryAfterSeconds = 0 } = problem
  const sent = notSentOf(request)
  const language = visitorLanguage(request, sentFieldsOf(request))
  if (sent === null || ![429, 503, 507].includes(status))
    return errorPage(problem, { requestId: request.id, language })
  const page = pageTexts(language)
  const busy = page('busyText', waitInWords(language, retryAfterSeconds))
  const texts = new Map([
    [429, [page('busy'), busy]],
    [507, [page('full'), page('fullText')]],
  ])
  const [title = '', text = ''] = texts.get(status) ?? [page('notSent'), page('notSentText')]
  return messagePage({ title, text, language, link: null, more: sendAgainForm(sent, language) })
}

function serveAssets(
  app: FastifyInstance,
  assets: SiteAssets,
  siteOf: (request: FastifyRequest, reply: FastifyReply) => Site,
): void {
  for (const { path, type, body } of assets.files) {
    app.get(path, (_request, reply) => reply.type(type).header('cache-control', FOREVER).send(body))
  }
  // Other sites load it, and always the current one.
  app.get('/embed.js', (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(assets.embed),
  )
  app.get('/site/:hash.css', (request, reply) => {
    const site = siteOf(request, reply)
    const isCurrent = request.url === assets.pathsOf(site).styles
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', isCurrent ? FOREVER : 'no-cache')
      .send(assets.styleSheet(site))
  })
}
