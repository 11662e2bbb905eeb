import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { PARTICIPANTS_PAGE } from '#contract/participants/area/participant-area.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { OUTSIDE } from './database/outside-transaction.ts'
import type { DB } from './database/schema.ts'
import { kyselyOver, statement, type AsOwner } from './database/tenant-transaction.ts'
import { affectsPrices, affectsSites } from './affects-prices.ts'
import { allSources } from './all-sources.ts'
import { lotJobs } from './customers/index.ts'
import type { Settings } from './environment.ts'
import { logFiles, makePublicPictures, makeQuota, mediaReader } from './files/index.ts'
import { installConnectionErrors, connectionErrorOptions } from './http/connection-errors.ts'
import { closeWithoutWaiting, connectionLimits, limitBodyTime } from './http/connection-limits.ts'
import { readJsonBodies } from './http/json-bodies.ts'
import { BODY_LIMIT, installErrors, readableUrl, sendError } from './http/errors.ts'
import { watchEventLoop } from './http/event-loop.ts'
import { type Drain, installDrain, makeDrain } from './http/drain.ts'
import { Failure } from './http/failure.ts'
import { holdRefusals } from './http/hold-refusals.ts'
import { isPartAFile } from './http/kinds.ts'
import { serveMetrics } from './http/metrics.ts'
import { serveReference } from './http/reference.ts'
import { logRequests, warnOfProxies, watchRequests } from './http/request-log.ts'
import { installSecurityHeaders, OFFICE_HEADERS } from './http/security-headers.ts'
import { serve } from './http/serve.ts'
import { hostOf, makeVisits } from './http/visit.ts'
import { serveWebFiles } from './http/web-files.ts'
import {
  authenticate,
  countRequest,
  makeGuessCounter,
  makeIdentity,
  noteDownload,
  noteEvent,
  readMember,
  userJob,
  whiteLabelOf,
  type Identity,
} from './identity/index.ts'
import {
  customJob,
  makePhotoCopying,
  type PhotoCopying,
  removeVehiclesJob,
  bulkPriceJob,
  priceJob,
  unlockVehiclesJob,
  vehicleJob,
} from './vehicles/index.ts'
import { feedJobs, makeFeeds, valueJob } from './feeds/index.ts'
import { makeChannelWorker } from './channels/index.ts'
import { makePriceWorker } from './pricing/index.ts'
import { leadsJob, makeDeliveryWorker, makeInbound } from './leads/index.ts'
import { makeJobs, type Jobs } from './queue/jobs.ts'
import { gaugesOf } from './gauges.ts'
import { isCopy } from './installation/copy-state.ts'
import { readVersion } from './installation/version.ts'
import { makeOutbox, type Outbox } from './mail/index.ts'
import { authenticateParticipant, makeInvitations } from './participants/index.ts'
import { makeImportThread } from './questionnaires/index.ts'
import {
  layoutTable,
  makeSites,
  campaignTable,
  listJob,
  makeCampaignWorker,
  makeTargetChecks,
  readSiteOf,
  pageTable,
  savedBlocksTable,
  shortUrlTable,
  type Sites,
  type TargetChecks,
} from './marketing/index.ts'
import { setUpState } from './organizations/index.ts'
import type { FileStorage } from './outside/file-storage.ts'
import { guardStorage, type OutsideStorage } from './outside/open-transaction.ts'
import { guardOutgoing } from './outside/restored-copy.ts'
import { openSmtp, type MailTransport } from './outside/smtp.ts'
import { exportJob, makePdfs } from './reports/index.ts'
import type { Secrets } from './secrets.ts'
import { handlersOf } from './handlers.ts'

export type Parts = {
  settings: Settings
  secrets: Secrets
  /** Suffix of our cookie names. */
  installId: string
  databaseMode: 'embedded' | 'external'
  /** The request's pool (role forecourt_app) and identity's (role forecourt_iam). */
  pool: pg.Pool
  iamPool: pg.Pool
  /** The request role again, for downloads that take as long as the client reads them. */
  exportPool: pg.Pool
  /** The queue's pool (role forecourt_jobs). */
  jobsPool: pg.Pool
  asOwner: AsOwner
  /** The file storage. */
  storage: FileStorage
  /** The folder of this process for forms that were received while the database was away. */
  inboxFolder: string
  webFolder?: string
  /** Sends emails, in place of the mail server in the settings. */
  transport?: MailTransport
  /** Called when an email was queued. */
  onMail?: () => void
  /** Called when a job was queued. */
  onJob?: () => void
  /** Called when a channel or feed source became due. */
  onDue?: () => void
  /** Called when a lead delivery became due. */
  onDelivery?: () => void
  /** Called after a request that changed something prices depend on. */
  onPrices?: () => void
  /** Called after a request that changed something public sites show. */
  onSites?: () => void
  /** Receives the log, in place of the terminal. */
  logTo?: { write: (line: string) => void }
  /** Tests only: also validates responses that the database wrote as JSON. */
  checksJsonText?: boolean
}

/** The assembled product: the server, and what works beside its requests. */
type Product = {
  app: FastifyInstance
  identity: Identity
  outbox: Outbox
  jobs: Jobs
  channels: ReturnType<typeof makeChannelWorker>
  feeds: ReturnType<typeof makeFeeds>
  prices: ReturnType<typeof makePriceWorker>
  deliveries: ReturnType<typeof makeDeliveryWorker>
  photos: PhotoCopying
  /** Checks the web addresses that short URLs lead to. */
  targets: TargetChecks
  campaigns: ReturnType<typeof makeCampaignWorker>
  sites: Sites
  /** The address of the product. */
  base: () => string
}

/** Assembles the product: infrastructure, domains, and the contract that connects them. It does not listen yet. */
export async function buildApp(parts: Parts): Promise<Product> {
  const { settings, secrets, installId, pool, iamPool } = parts
  /** For background work. Handlers get it only where no transaction is open. */
  const storage = guardStorage(parts.storage)
  const outsideStorage: OutsideStorage = () => storage
  const iam = kyselyOver((query) => iamPool.query(statement(query)))
  const queue = kyselyOver((query) => parts.jobsPool.query(statement(query)))
  const isHttps = settings.publicUrl?.startsWith('https:') === true

  const app = openFastify(parts)
  const endGuard = guardOutgoing(() => isCopy(iam))
  app.addHook('onClose', async () => endGuard())
  const transport = parts.transport ?? (settings.smtp === null ? null : openSmtp(settings.smtp))
  const { postmarkUrl, allowsPrivateAddresses: allowsPrivate } = settings
  const transportOptions = { postmarkUrl, allowsPrivate }
  const media = mediaReader(storage)
  const fileLimits = { file: settings.fileLimit, customer: settings.customerFilesLimit }
  const noteFile = logFiles((entry) => noteEvent(iam, entry))
  const outbox = makeOutbox({
    iam,
    secrets,
    transport,
    transportOptions,
    picture: media.read,
    onQueued: parts.onMail,
  })
  const countTest = (customerId: string) => countRequest(iam, 'test mails of a customer', customerId, 3_600)
  const identity = makeIdentity(iam, settings, secrets, {
    outbox,
    address: () => addressOf(app, settings),
    onError: (error) => app.log.error({ err: error }, 'unexpected error'),
  })
  app.addHook('onClose', identity.passwordRequests.stop)
  app.addHook('onClose', identity.refusals.flush)
  app.addHook('onClose', identity.strangers.flush)
  const countGuess = makeGuessCounter()
  const exported = { pool: parts.exportPool, sources: allSources, iam }
  const base = (): string => settings.publicUrl ?? addressOf(app, settings)
  const jobs = makeJobs({
    pool,
    queue,
    kinds: [
      ...lotJobs,
      userJob(),
      leadsJob,
      vehicleJob,
      customJob,
      removeVehiclesJob,
      shortUrlTable.removeJob,
      campaignTable.removeJob,
      listJob,
      pageTable.removeJob,
      layoutTable.removeJob,
      savedBlocksTable.removeJob,
      bulkPriceJob,
      priceJob,
      unlockVehiclesJob,
      ...feedJobs(storage, { iam, put: outbox.put, base }),
      valueJob,
      exportJob(exported),
    ],
    readMember: (standing) => readMember(identity, standing),
    onJob: parts.onJob ?? (() => {}),
    onError: (error) => app.log.error({ err: error }, 'job'),
  })
  const workers = makeWorkers(app, parts, { iam, queue, storage, base, put: outbox.put })
  const feeds = makeFeeds({
    storage: outsideStorage,
    background: OUTSIDE,
    fileLimit: settings.fileLimit,
    startFile: jobs.startFile,
    pool,
    queue,
    secrets,
    notices: { iam, put: outbox.put, base },
    allowsPrivate: transportOptions.allowsPrivate,
    readMember: (standing) => readMember(identity, standing),
    onDue: parts.onDue,
    count: (what, key) => countRequest(iam, what, key, 3_600),
    onError: (error) => app.log.error({ err: error }, 'feed source'),
  })
  app.addHook('onClose', feeds.stop)
  const inbound = openInbound(app, { pool, iam, storage, limit: fileLimits.customer })
  const importThread = makeImportThread()
  app.addHook('onClose', importThread.stop)
  const eventLoop = watchEventLoop()
  app.addHook('onClose', async () => eventLoop.stop())
  await watch(app, parts, { iam, queue, storage, eventLoop: eventLoop.read })
  const drain = makeDrain({ seconds: settings.drainSeconds })
  const sites = await makeSites(app, {
    drain,
    pool,
    iam,
    secrets,
    settings,
    webFolder: parts.webFolder,
    isHttps,
    base,
    genReqId: newRequestId,
    putMail: outbox.put,
    storage,
    fileLimits,
    inboxFolder: parts.inboxFolder,
    countGuess,
    onLimit: identity.strangers.note,
    onError: (error) => app.log.error({ err: error }, 'public site'),
  })
  await installPlugins(app, drain, isHttps)

  serve(
    app,
    contract,
    handlersOf({
      settings,
      secrets,
      installId,
      databaseMode: parts.databaseMode,
      hasMailServer: transport !== null,
      pool,
      exportPool: parts.exportPool,
      asOwner: parts.asOwner,
      iam,
      queue,
      outsideStorage,
      outbox,
      identity,
      jobs,
      feeds,
      inbound,
      invitations: makeInvitations(identity),
      importThread,
      pdfOf: makePdfs(settings.fontsFolder),
      drain,
      eventLoop: eventLoop.read,
      transportOptions,
      media,
      photos: workers.photos,
      fileLimits,
      noteFile,
      countTest,
      exported,
      base,
      onDelivery: parts.onDelivery ?? (() => {}),
      onDue: parts.onDue ?? (() => {}),
    }),
    {
      pool,
      checksJsonText: parts.checksJsonText,
      visit: makeVisits({ installId, isSecure: isHttps, operatorToken: settings.metricsToken }),
      authenticate: (visit, called) => authenticate(identity, visit, called),
      noteRefusal: identity.refusals.ofCaller,
      countGuess,
      noteStranger: ({ host, ip }, { endpoint, params, message, isGuess }) =>
        identity.strangers.note({
          kind: isGuess ? 'links' : 'requests',
          customerId: namedCustomer(params),
          host,
          ip,
          endpoint,
          message,
        }),
      authenticateParticipant: (visit) => authenticateParticipant(iam, visit),
      noteDownload: (actor, taken) => noteDownload(iam, actor, taken),
    },
  )
  await serveReference(app, contract)
  await serveWeb(app, parts, iam)
  return { ...workers, app, identity, outbox, jobs, feeds, sites, base }
}

/** The workers of queues that start no jobs: channels, stored prices, lead deliveries, copies of photos, checks of targets and campaigns. */
function makeWorkers(
  app: FastifyInstance,
  { settings, secrets, pool, exportPool, jobsPool }: Parts,
  given: Pick<Parameters<typeof makeChannelWorker>[0], 'queue' | 'base'> &
    Pick<Parameters<typeof makePhotoCopying>[0], 'storage' | 'iam'> & { put: Outbox['put'] },
) {
  const { queue, base, put, storage, iam } = given
  const { allowsPrivateAddresses: allowsPrivate, photoCopyLimits: limits } = settings
  const noteError = (what: string) => (error: unknown) => app.log.error({ err: error }, what)
  return {
    channels: makeChannelWorker({ pool, queue, secrets, base, allowsPrivate, onError: noteError('channel') }),
    prices: makePriceWorker({ pool, queue, onError: noteError('prices') }),
    deliveries: makeDeliveryWorker({
      pool,
      queue,
      put,
      secrets,
      allowsPrivate,
      onError: noteError('lead delivery'),
    }),
    photos: makePhotoCopying({
      pool,
      exportPool,
      queue: jobsPool,
      storage,
      pictures: makePublicPictures(storage),
      iam,
      limits,
      allowsPrivate,
      onError: noteError('copies of photos'),
    }),
    targets: makeTargetChecks(queue, { allowsPrivate }),
    campaigns: makeCampaignWorker({
      pool,
      queue,
      put,
      secrets,
      base,
      readSite: (customerId) => readSiteOf(iam, customerId),
      onError: noteError('campaigns'),
    }),
  }
}

/** The customer that the token of a link names, whether the token is right or not; null if it names none. */
function namedCustomer(params: unknown): string | null {
  for (const value of Object.values(params ?? {})) {
    const [, customerId] = /^([1-9]\d{0,17})-\d{1,18}-/.exec(String(value)) ?? []
    if (customerId !== undefined) return customerId
  }
  return null
}

/** Counts requests for the metrics, and logs them if the settings want it. */
async function watch(
  app: FastifyInstance,
  parts: Parts,
  given: Omit<Parameters<typeof gaugesOf>[1], 'version' | 'inboxFolder'>,
): Promise<void> {
  const { settings } = parts
  const metrics = serveMetrics(app, {
    token: settings.metricsToken,
    gauges: gaugesOf(parts, {
      ...given,
      version: await readVersion(settings.projectFolder),
      inboxFolder: parts.inboxFolder,
    }),
  })
  warnOfProxies(app)
  const log = settings.logsRequests ? logRequests(app) : () => {}
  watchRequests(app, (request) => {
    metrics.count(request)
    log(request)
    if (request.status >= 400) return
    if (affectsPrices(request.endpoint)) parts.onPrices?.()
    if (affectsSites(request.endpoint)) parts.onSites?.()
  })
}

/** Endpoints whose bodies may take as long as their senders need. */
const UPLOADS: ReadonlySet<string> = new Set(
  listEndpoints(contract).flatMap(({ name, endpoint: { kind } }) =>
    kind === 'upload' || kind === 'raw' ? [name] : [],
  ),
)

/** Receives leads at addresses. Each file of an email has a limit of its own. */
function openInbound(
  app: FastifyInstance,
  { pool, iam, storage, limit }: { pool: pg.Pool; iam: Kysely<DB>; storage: FileStorage; limit: number },
): ReturnType<typeof makeInbound> {
  const inbound = makeInbound({
    pool,
    files: { storage, quota: makeQuota({ file: Infinity, customer: limit }) },
    count: (what, key) => countRequest(iam, what, key, 3_600),
  })
  app.addHook('onClose', inbound.stop)
  return inbound
}

/** What handles every request before its handler does. */
async function installPlugins(app: FastifyInstance, drain: Drain, isHttps: boolean): Promise<void> {
  installDrain(app, drain)
  holdRefusals(app)
  closeWithoutWaiting(app)
  installErrors(app)
  installConnectionErrors(app)
  limitBodyTime(app, {
    hasLongBody: ({ routeOptions }) => UPLOADS.has(routeOptions.config.endpoint ?? ''),
    onLate: (request, reply) =>
      void sendError(new Failure(408, 'The request did not arrive in time.'), request, reply),
  })
  readJsonBodies(app)
  await installSecurityHeaders(app, { isHttps, policy: OFFICE_HEADERS })
  // Most browsers take Zstandard. Brotli at the usual level takes ten times as long, for an answer that is 7 % smaller.
  await app.register(compress, {
    threshold: 1024,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  })
  await app.register(cookie)
  // The handlers that receive files set the file size limits.
  await app.register(multipart, { limits: { fileSize: Infinity, fields: 20, files: 200 }, isPartAFile })
}

/** The pages of the back office, with what they know before they sign in. */
async function serveWeb(
  app: FastifyInstance,
  { settings, installId, webFolder, asOwner }: Parts,
  iam: Kysely<DB>,
): Promise<void> {
  const isSetUp = setUpState(asOwner)
  await serveWebFiles(app, {
    folder: webFolder ?? join(settings.projectFolder, 'dist/web'),
    linkPages: [PARTICIPANTS_PAGE],
    isHttps: settings.publicUrl?.startsWith('https:') === true,
    boot: async (request: FastifyRequest) => ({
      whiteLabel: await whiteLabelOf(iam, hostOf(request)),
      idleSeconds: settings.idleSeconds,
      idleWarningSeconds: settings.idleWarningSeconds,
      hasThemeCustomizer: settings.hasThemeCustomizer,
      isSetUp: await isSetUp(),
      hasGoogle: settings.google !== null,
      installId,
    }),
  })
}

/** Fastify with the limits, ids and error handling of every request. */
function openFastify({ settings, logTo }: Parts): FastifyInstance {
  return Fastify({
    bodyLimit: BODY_LIMIT,
    ...connectionLimits(),
    trustProxy: settings.trustProxy,
    genReqId: newRequestId,
    logger: { level: 'error', ...(logTo && { stream: logTo }) },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply)
    },
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: (request) => readableUrl(request.url ?? '/'),
    forceCloseConnections: 'idle',
    ...connectionErrorOptions,
  })
}

/** The URL on this machine. Port 0 is resolved once the server listens. */
function addressOf(app: FastifyInstance, { host, port }: Settings): string {
  const bound = app.server.address()
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? 'localhost' : host
  const open = typeof bound === 'object' && bound !== null ? bound.port : port
  return `http://${name.includes(':') ? `[${name}]` : name}:${open}`
}

/** Short enough to read out over the phone: 7F3A-91C2. */
function newRequestId(): string {
  const hex = randomBytes(4).toString('hex').toUpperCase()
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}
