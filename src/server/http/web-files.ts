import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brandStyleSheet } from '#contract/appearance/brand.ts'
import { BOOT_ELEMENT, type Boot } from '#contract/identity/boot.ts'
import { refuseAddress } from './errors.ts'
import { LINK_PAGE_HEADERS, policyOptions } from './security-headers.ts'

const MARK = '<!--boot-->'
const YEAR_SECONDS = 31_536_000

type WebFiles = {
  folder: string
  boot: (request: FastifyRequest) => Promise<Boot>
  linkPages: readonly string[]
  isHttps: boolean
}

/**
 * Serves the built web client. Files under /assets have a content hash in their name and may be cached forever. Every page
 * address gets the single HTML page, with the data for its first paint. `linkPages`: paths that secret links open.
 */
export async function serveWebFiles(
  app: FastifyInstance,
  { folder, boot, linkPages, isHttps }: WebFiles,
): Promise<void> {
  // Without a built web client only the API works, as in tests.
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(refuseAddress)
    return
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const [head = '', tail = ''] = page.split(MARK)

  await app.register(fastifyStatic, {
    root: folder,
    // One route per file, so that '/' and other page addresses reach the handler below.
    wildcard: false,
    globIgnore: ['index.html'],
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'))
      void reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    },
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageAddress(request)) refuseAddress(request)
    if (linkPages.includes(routeOf(request)))
      reply.helmet(policyOptions({ isHttps, policy: LINK_PAGE_HEADERS }))
    const start = await boot(request)
    const json = JSON.stringify(start).replace(/</g, '\\u003c')
    const colors = `<style>${brandStyleSheet(start.whiteLabel.brand)}</style>`
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`${head}${colors}<script type="application/json" id="${BOOT_ELEMENT}">${json}</script>${tail}`)
  })
}

/** A page address has no file extension and is not under /api. */
function isPageAddress(request: FastifyRequest): boolean {
  const path = pathOf(request)
  const isCall = path === '/api' || path.startsWith('/api/')
  return (request.method === 'GET' || request.method === 'HEAD') && !isCall && !/\.\w+$/.test(path)
}

/** The path as the page's router finds it: decoded, in lower case, without repeated slashes and one at the end. */
function routeOf(request: FastifyRequest): string {
  // `readableUrl` has replaced what can't be decoded.
  const path = decodeURIComponent(pathOf(request)).replaceAll(/\/+/g, '/').toLowerCase()
  return path.length > 1 ? path.replace(/\/$/, '') : path
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''
