import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { PARTICIPANTS_PAGE } from '#contract/participants/area/participant-area.ts'
import { contract } from '#contract/index.ts'
import { lackingMigrations } from './database/migrate.ts'
import { OUTSIDE } from './database/outside-transaction.ts'
import type { DB } from './database/schema.ts'
import { kyselyOver, statement, type AsOwner } from './database/tenant-transaction.ts'
import { auditHandlers } from './administration/index.ts'
import { affectsPrices } from './affects-prices.ts'
import { allSources } from './all-sources.ts'
import {
  activityHandlers,
  activityImportHandlers,
  evidenceHandlers,
  groupHandlers,
  assignmentHandlers,
  customSourceHandlers,
  dataRequestHandlers,
  factorEditionHandlers,
  factorHandlers,
  instrumentHandlers,
  inventoryHandlers,
  compareInventories,
  importedTotalHandlers,
  ledgerHandlers,
  baseYearHandlers,
  inventoryApprovalHandlers,
} from './carbon/index.ts'
import {
  changeLotsHandlers,
  customerDetailsHandlers,
  dealerIdHandlers,
  customerHandlers,
  lotHandlers,
  lotJobs,
} from './customers/index.ts'
import type { Settings } from './environment.ts'
import { fileHandlers, mediaReader, logFiles, pictureIntake } from './files/index.ts'
import { dashboardHandlers, healthHandlers, searchHandlers, tenantBadges } from './home/index.ts'
import { installConnectionErrors, connectionErrorOptions } from './http/connection-errors.ts'
import { closeWithoutWaiting, connectionLimits } from './http/connection-limits.ts'
import { readJsonBodies } from './http/json-bodies.ts'
import { BODY_LIMIT, installErrors, readableUrl, sendError } from './http/errors.ts'
import { type Drain, installDrain, makeDrain } from './http/drain.ts'
import { isPartAFile } from './http/kinds.ts'
import { serveMetrics } from './http/metrics.ts'
import { serveReference } from './http/reference.ts'
import { logRequests, watchRequests } from './http/request-log.ts'
import { installSecurityHeaders, OFFICE_HEADERS } from './http/security-headers.ts'
import { serve } from './http/serve.ts'
import { hostOf, makeVisits } from './http/visit.ts'
import { serveWebFiles } from './http/web-files.ts'
import {
  admitMailReader,
  authenticate,
  authHandlers,
  changeUsersHandlers,
  countRequest,
  impersonationHandlers,
  googleHandlers,
  makeIdentity,
  makeNonces,
  noteEvent,
  readMember,
  secondFactorHandlers,
  sessionHandlers,
  userHandlers,
  userJob,
  userTypeHandlers,
  whiteLabelHandlers,
  whiteLabelOf,
  type Identity,
} from './identity/index.ts'
import {
  changeVehiclesHandlers,
  customFieldHandlers,
  customJob,
  removeVehiclesHandlers,
  removeVehiclesJob,
  unlockVehiclesHandlers,
  unlockVehiclesJob,
  vehicleCells,
  vehicleEditing,
  vehicleHistory,
  vehicleJob,
  vehiclePhotoHandlers,
  vehicleReading,
  vehicleRestoring,
  vinHandlers,
} from './vehicles/index.ts'
import {
  feedJobs,
  makeFeeds,
  applyValuesHandlers,
  providerMappingHandlers,
  unmappedHandlers,
  valueJob,
  valueMappingHandlers,
} from './feeds/index.ts'
import { channelHandlers, makeChannelWorker, publicFeedHandlers } from './channels/index.ts'
import {
  makePriceWorker,
  vehiclePriceHandlers,
  pricingRuleHandlers,
  ruleFileHandlers,
  ruleRequestHandlers,
  advertisedPriceHandlers,
} from './pricing/index.ts'
import {
  leadDeliveryHandlers,
  leadDestinationHandlers,
  leadHandlers,
  leadResponseHandlers,
  leadRoutingRuleHandlers,
  answerTemplateHandlers,
  leadAbsenceHandlers,
  leadNoticeHandlers,
  leadSettingsHandlers,
  personDataHandlers,
  makeDeliveryWorker,
  makeInbound,
  peopleHandlers,
} from './leads/index.ts'
import { makeJobs, type Jobs } from './queue/jobs.ts'
import { facetHandlers } from './lists/facets.ts'
import { viewHandlers } from './lists/views.ts'
import { gaugesOf } from './gauges.ts'
import { readVersion } from './installation/version.ts'
import {
  emailHandlerHandlers,
  mailEventHandlers,
  makeOutbox,
  outboxHandlers,
  suppressionHandlers,
  templateHandlers,
  type Outbox,
} from './mail/index.ts'
import {
  facilityHandlers,
  organizationHandlers,
  organizationProfileHandlers,
  setUpHandlers,
} from './organizations/index.ts'
import {
  assessmentActionHandlers,
  assessmentAnswerHandlers,
  assessmentHandlers,
  assessmentPresenceHandlers,
  assessmentResultHandlers,
  assessmentSetupHandlers,
  assessmentVersionHandlers,
  assessmentTargetHandlers,
} from './assessments/index.ts'
import {
  authenticateParticipant,
  participantAreaHandlers,
  participantHandlers,
} from './participants/index.ts'
import {
  makeImportThread,
  questionBankHandlers,
  questionnaireFileHandlers,
  questionnaireHandlers,
} from './questionnaires/index.ts'
import { formHandlers, makeSites, submissionHandlers } from './marketing/index.ts'
import type { FileStorage } from './outside/file-storage.ts'
import { openGoogle } from './outside/google.ts'
import { openDnsResolver } from './outside/dns-resolver.ts'
import { guardStorage, type OutsideStorage } from './outside/open-transaction.ts'
import { openSmtp, type MailTransport } from './outside/smtp.ts'
import {
  comparisonExport,
  exportHandlers,
  exportJob,
  pdfOf,
  reportHandlers,
  assessmentAnswersReport,
  assessmentMatrix,
  userAccessReview,
} from './reports/index.ts'
import type { Secrets } from './secrets.ts'

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
  const transport = parts.transport ?? (settings.smtp === null ? null : openSmtp(settings.smtp))
  const transportOptions = {
    postmarkUrl: settings.postmarkUrl,
    allowsPrivate: settings.allowsPrivateAddresses,
  }
  const picture = mediaReader(storage)
  const fileLimits = { file: settings.fileLimit, customer: settings.customerFilesLimit }
  const noteFile = logFiles((entry) => noteEvent(iam, entry))
  const outbox = makeOutbox({ iam, secrets, transport, transportOptions, picture, onQueued: parts.onMail })
  const countTest = (customerId: string) => countRequest(iam, 'test mails of a customer', customerId, 3_600)
  const identity = makeIdentity(iam, settings, secrets, {
    outbox,
    address: () => addressOf(app, settings),
    onError: (error) => app.log.error({ err: error }, 'unexpected error'),
  })
  app.addHook('onClose', identity.passwordRequests.stop)
  const exported = { pool: parts.exportPool, sources: allSources, iam }
  const base = (): string => settings.publicUrl ?? addressOf(app, settings)
  const jobs = makeJobs({
    pool,
    queue,
    kinds: [
      ...lotJobs,
      userJob(),
      vehicleJob,
      customJob,
      removeVehiclesJob,
      unlockVehiclesJob,
      ...feedJobs(storage, { iam, put: outbox.put, base }),
      valueJob,
      exportJob(exported),
    ],
    readMember: (standing) => readMember(identity, standing),
    onJob: parts.onJob ?? (() => {}),
    onError: (error) => app.log.error({ err: error }, 'job'),
  })
  const { channels, prices, deliveries } = makeWorkers(app, {
    pool,
    queue,
    secrets,
    base,
    put: outbox.put,
    allowsPrivate: transportOptions.allowsPrivate,
  })
  const onDelivery = parts.onDelivery ?? (() => {})
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
  const inbound = makeInbound({ pool, count: (what, key) => countRequest(iam, what, key, 3_600) })
  app.addHook('onClose', inbound.stop)
  const importThread = makeImportThread()
  app.addHook('onClose', importThread.stop)
  await watch(app, parts, { iam, queue, storage })
  const drain = makeDrain({ seconds: settings.drainSeconds })
  await makeSites(app, {
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
    onError: (error) => app.log.error({ err: error }, 'public site'),
  })
  await installPlugins(app, drain, isHttps)

  serve(
    app,
    contract,
    {
      auth: authHandlers(identity, (actor) => tenantBadges(pool, actor)),
      secondFactor: secondFactorHandlers(identity),
      impersonation: impersonationHandlers(identity),
      sessions: sessionHandlers(identity),
      google: googleHandlers(identity, {
        google: settings.google === null ? null : openGoogle(settings.google),
        nonces: makeNonces(iam, secrets),
      }),
      setUp: setUpHandlers(parts.asOwner, identity, { secrets, installId }),
      users: { ...userHandlers(identity), ...changeUsersHandlers(jobs) },
      userTypes: userTypeHandlers,
      outbox: outboxHandlers(outbox, admitMailReader(identity)),
      files: fileHandlers(outsideStorage, fileLimits, noteFile),
      emailHandlers: emailHandlerHandlers({ ...transportOptions, secrets }, countTest),
      emailTemplates: templateHandlers(outbox, countTest),
      suppressions: suppressionHandlers,
      mailEvents: mailEventHandlers(iam, secrets),
      whiteLabels: whiteLabelHandlers({ iam, settings, names: openDnsResolver(settings.nameServers) }),
      organizations: organizationHandlers(identity),
      organizationProfiles: organizationProfileHandlers,
      facilities: facilityHandlers,
      customers: customerHandlers(identity, parts.asOwner),
      customerDetails: customerDetailsHandlers,
      lots: { ...lotHandlers, ...changeLotsHandlers(jobs) },
      dealerIds: dealerIdHandlers,
      vehicles: {
        ...vehicleReading,
        ...vehicleEditing,
        ...vehicleCells,
        ...vehicleRestoring,
        ...vehicleHistory,
        ...changeVehiclesHandlers(jobs),
        ...removeVehiclesHandlers(jobs),
        ...unlockVehiclesHandlers(jobs),
      },
      customFields: customFieldHandlers,
      vehiclePhotos: vehiclePhotoHandlers(
        pictureIntake(outsideStorage, fileLimits),
        noteFile,
        transportOptions,
      ),
      vins: vinHandlers,
      factors: factorHandlers,
      factorEditions: factorEditionHandlers,
      activities: activityHandlers,
      carbonComparison: { compare: ({ db, input }) => compareInventories(db, input), ...comparisonExport },
      carbonGroup: groupHandlers({ pool: parts.pool, iam }),
      importedTotals: importedTotalHandlers,
      activityImports: activityImportHandlers,
      evidence: evidenceHandlers(outsideStorage, fileLimits),
      instruments: instrumentHandlers,
      ledger: ledgerHandlers,
      carbonInventories: inventoryHandlers,
      inventoryApproval: inventoryApprovalHandlers,
      baseYear: baseYearHandlers,
      carbonAssignments: assignmentHandlers,
      customSources: customSourceHandlers,
      dataRequests: dataRequestHandlers(identity),
      providerMappings: providerMappingHandlers,
      ...feeds.handlers,
      vehiclePrices: vehiclePriceHandlers({ pdfOf }),
      pricingRules: pricingRuleHandlers,
      ruleFiles: ruleFileHandlers,
      ruleRequests: ruleRequestHandlers,
      advertisedPrices: advertisedPriceHandlers({ pdfOf }),
      channels: channelHandlers({ secrets, base, onDue: parts.onDue ?? (() => {}) }),
      publicFeeds: publicFeedHandlers({
        pool: parts.exportPool,
        iam,
        secrets,
        mediaReader: () => picture,
        allowsPrivate: transportOptions.allowsPrivate,
      }),
      valueMappings: { ...valueMappingHandlers, ...applyValuesHandlers(jobs) },
      unmappedValues: unmappedHandlers,
      leads: leadHandlers({ outbox }),
      leadResponses: leadResponseHandlers,
      leadNotices: leadNoticeHandlers,
      leadAbsences: leadAbsenceHandlers,
      answerTemplates: answerTemplateHandlers,
      leadSettings: leadSettingsHandlers,
      ...inbound.handlers,
      people: peopleHandlers,
      personData: personDataHandlers,
      leadRoutingRules: leadRoutingRuleHandlers,
      leadDestinations: leadDestinationHandlers({ secrets, wake: onDelivery }),
      leadDeliveries: leadDeliveryHandlers({ isSending: outbox.isSending, wake: onDelivery }),
      forms: formHandlers,
      submissions: submissionHandlers(outsideStorage),
      questionnaires: questionnaireHandlers,
      questionnaireFiles: questionnaireFileHandlers({ pdfOf, importThread }),
      questionBank: questionBankHandlers,
      assessments: assessmentHandlers(identity),
      assessmentSetup: assessmentSetupHandlers(identity),
      assessmentTargets: assessmentTargetHandlers(identity),
      assessmentVersions: assessmentVersionHandlers,
      assessmentAnswers: assessmentAnswerHandlers({
        identity,
        storageOf: outsideStorage,
        limits: fileLimits,
      }),
      assessmentPresence: assessmentPresenceHandlers,
      assessmentResults: assessmentResultHandlers,
      assessmentActions: assessmentActionHandlers,
      assessmentParticipants: participantHandlers(identity),
      participantArea: participantAreaHandlers({
        iam,
        pool,
        mailer: identity,
        storageOf: outsideStorage,
        limits: fileLimits,
        pdfOf,
      }),
      views: viewHandlers(allSources),
      facets: facetHandlers(allSources),
      jobs: jobs.handlers,
      reports: {
        ...exportHandlers(exported, jobs),
        ...reportHandlers([userAccessReview, assessmentAnswersReport, assessmentMatrix], identity),
      },
      search: searchHandlers(iam),
      dashboard: dashboardHandlers,
      auditLog: auditHandlers,
      health: healthHandlers({
        iam,
        queue,
        mode: parts.databaseMode,
        hasMailServer: transport !== null,
        storage: outsideStorage,
        drain,
        findPendingMigrations: lackingMigrations(),
      }),
    },
    {
      pool,
      checksJsonText: parts.checksJsonText,
      visit: makeVisits({ installId, isSecure: isHttps }),
      authenticate: (visit, endpoint) => authenticate(identity, visit, endpoint),
      authenticateParticipant: (visit) => authenticateParticipant(iam, visit),
    },
  )
  await serveReference(app, contract)
  await serveWeb(app, parts, iam)
  return { app, identity, outbox, jobs, channels, feeds, prices, deliveries, base }
}

/** The workers of queues that start no jobs: channels, stored prices and lead deliveries. */
function makeWorkers(
  app: FastifyInstance,
  given: Pick<
    Parameters<typeof makeChannelWorker>[0],
    'pool' | 'queue' | 'secrets' | 'base' | 'allowsPrivate'
  > & {
    put: Outbox['put']
  },
) {
  const { pool, queue, secrets, base, put, allowsPrivate } = given
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
  }
}

/** Counts requests for the metrics, and logs them if the settings want it. */
async function watch(
  app: FastifyInstance,
  parts: Parts,
  { iam, queue, storage }: { iam: Kysely<DB>; queue: Kysely<DB>; storage: FileStorage },
): Promise<void> {
  const { settings } = parts
  const metrics = serveMetrics(app, {
    token: settings.metricsToken,
    gauges: gaugesOf(parts, { iam, queue, storage, version: await readVersion(settings.projectFolder) }),
  })
  const log = settings.logsRequests ? logRequests(app) : () => {}
  watchRequests(app, (request) => {
    metrics.count(request)
    log(request)
    if (request.status < 400 && affectsPrices(request.endpoint)) parts.onPrices?.()
  })
}

/** What handles every request before its handler does. */
async function installPlugins(app: FastifyInstance, drain: Drain, isHttps: boolean): Promise<void> {
  installDrain(app, drain)
  closeWithoutWaiting(app)
  installErrors(app)
  installConnectionErrors(app)
  readJsonBodies(app)
  await installSecurityHeaders(app, { isHttps, policy: OFFICE_HEADERS })
  await app.register(compress, { threshold: 1024 })
  await app.register(cookie)
  // The handlers that receive files set the file size limits.
  await app.register(multipart, { limits: { fileSize: Infinity, fields: 20, files: 200 }, isPartAFile })
}

/** The pages of the back office, with what they know before they sign in. */
async function serveWeb(
  app: FastifyInstance,
  { settings, installId, webFolder }: Parts,
  iam: Kysely<DB>,
): Promise<void> {
  await serveWebFiles(app, {
    folder: webFolder ?? join(settings.projectFolder, 'dist/web'),
    linkPages: [PARTICIPANTS_PAGE],
    isHttps: settings.publicUrl?.startsWith('https:') === true,
    boot: async (request: FastifyRequest) => ({
      whiteLabel: await whiteLabelOf(iam, hostOf(request)),
      idleSeconds: settings.idleSeconds,
      idleWarningSeconds: settings.idleWarningSeconds,
      hasThemeCustomizer: settings.hasThemeCustomizer,
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
