import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import type pg from 'pg'
import { contract } from '#contract/index.ts'
import { kyselyOver, statement, type AsOwner } from './database/tenant-transaction.ts'
import { lotHandlers } from './customers/index.ts'
import type { Settings } from './environment.ts'
import { dashboardHandlers, healthHandlers } from './home/index.ts'
import { BODY_LIMIT, installErrors, readableUrl, sendError } from './http/errors.ts'
import { serveReference } from './http/reference.ts'
import { installSecurityHeaders } from './http/security-headers.ts'
import { serve } from './http/serve.ts'
import { hostOf, makeVisits } from './http/visit.ts'
import { serveWebFiles } from './http/web-files.ts'
import { authenticate, authHandlers, makeIdentity, whiteLabelOf, type Identity } from './identity/index.ts'
import { organizationHandlers, setUpHandlers } from './organizations/index.ts'
import type { Secrets } from './secrets.ts'

export type Parts = {
  settings: Settings
  secrets: Secrets
  /** Ends our cookies' names. */
  installId: string
  databaseMode: 'embedded' | 'external'
  /** The request's pool (role forecourt_app) and identity's (role forecourt_iam). */
  pool: pg.Pool
  iamPool: pg.Pool
  asOwner: AsOwner
  webFolder?: string
}

/** Puts the product together: mechanisms, domains, and the contract that joins them. Does not listen yet. */
export async function buildApp(parts: Parts): Promise<{ app: FastifyInstance; identity: Identity }> {
  const { settings, secrets, installId, pool, iamPool } = parts
  const iam = kyselyOver((query) => iamPool.query(statement(query)))
  const identity = makeIdentity(iam, settings, secrets)
  const isHttps = settings.publicUrl?.startsWith('https:') === true

  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: settings.trustProxy,
    genReqId: newRequestId,
    logger: { level: 'error' },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply)
    },
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: (request) => readableUrl(request.url ?? '/'),
    forceCloseConnections: 'idle',
  })
  installErrors(app)
  readEmptyJson(app)
  await installSecurityHeaders(app, { isHttps })
  await app.register(compress, { threshold: 1024 })
  await app.register(cookie)
  await app.register(multipart, { throwFileSizeLimit: true })

  serve(
    app,
    contract,
    {
      auth: authHandlers(identity),
      setUp: setUpHandlers(parts.asOwner, identity, { secrets, installId }),
      organizations: organizationHandlers(identity),
      lots: lotHandlers,
      dashboard: dashboardHandlers,
      health: healthHandlers(iam, parts.databaseMode),
    },
    {
      pool,
      visit: makeVisits({ installId, isSecure: isHttps }),
      authenticate: (visit, endpoint) => authenticate(identity, visit, endpoint),
    },
  )
  await serveReference(app, contract)
  await serveWebFiles(app, {
    folder: parts.webFolder ?? join(settings.projectFolder, 'dist/web'),
    boot: async (request: FastifyRequest) => ({
      whiteLabel: await whiteLabelOf(iam, hostOf(request)),
      idleSeconds: settings.idleSeconds,
      idleWarningSeconds: settings.idleWarningSeconds,
      hasThemeCustomizer: settings.hasThemeCustomizer,
      installId,
    }),
  })
  return { app, identity }
}

/** Short enough to read out on the phone: 7F3A-91C2. */
function newRequestId(): string {
  const hex = randomBytes(4).toString('hex').toUpperCase()
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}

/** Clients announce JSON and send nothing, with DELETE above all: that is no body, not a broken one. */
function readEmptyJson(app: FastifyInstance): void {
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void readJson(request, body.toString(), done)
  })
}
