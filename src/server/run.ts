import type { FastifyInstance } from 'fastify'
import { openPool } from './database/connect.ts'
import { openDatabase, ownerTransactions, type OpenDatabase } from './database/open-database.ts'
import { assertRole } from './database/safety.ts'
import {
  checkDueBaseYears,
  hasDueCalculations,
  loadLibrary,
  sendReminders,
  processStaleQueue,
} from './carbon/index.ts'
import type { Settings } from './environment.ts'
import { buildApp } from './app.ts'
import { kyselyOver, statement, type AsOwner } from './database/tenant-transaction.ts'
import { sweepAdvertisedPrices } from './pricing/index.ts'
import {
  scanMedia,
  sweepDeletedMedia,
  sweepLargeUploads,
  sweepMediaMoves,
  sweepPublicPictures,
} from './files/index.ts'
import { sweepFeedFiles } from './feeds/index.ts'
import {
  type Sites,
  sweepFormFiles,
  sweepFormLimits,
  checkPublishedPages,
  customersWithPages,
  sweepPromoPages,
  sweepShortUrls,
  sweepWaitingFiles,
  unfinishedForms,
  type TargetChecks,
} from './marketing/index.ts'
import {
  hasDueLeadSteps,
  purgeLeads,
  sweepInboundTexts,
  sweepLeadFiles,
  takeDueLeadSteps,
} from './leads/index.ts'
import { setUpLink } from './organizations/index.ts'
import { runAssessmentSchedules } from './assessments/index.ts'
import type { PhotoCopying } from './vehicles/index.ts'
import { makeInvitations, sweepParticipantSessions } from './participants/index.ts'
import { sweepRepeatedCalls } from './http/repeated-calls.ts'
import { hasOpenDemo, sweepSessions, type Identity } from './identity/index.ts'
import { readOrCreateSecret } from './installation/secret-file.ts'
import { waitingFormsFolder } from './installation/waiting-forms.ts'
import { isCopy } from './installation/copy-state.ts'
import { claimFileStore } from './installation/file-store.ts'
import { openInstallation } from './installation/open-installation.ts'
import type { FileStorage } from './outside/file-storage.ts'
import { openStorage } from './outside/open-storage.ts'
import { lookRegularly } from './queue/poll.ts'
import { runDebounced } from './queue/debounce.ts'
import { type Schedule, startSchedules } from './queue/schedules.ts'
import { readSecrets } from './secrets.ts'

/** How often each server looks for leads to deliver, in milliseconds. */
const DELIVERY_LOOK_MS = 1_000

export type Running = {
  /** The URL for setting up an empty installation. Null once there is a customer. */
  setUpLink: string | null
  /** Whether the demo accounts exist and can sign in. */
  hasDemoUsers: boolean
  /** It is a restored copy, which sends and fetches nothing. */
  isCopy: boolean
  database: OpenDatabase
  address: string
  stop: () => Promise<void>
}

/**
 * Starts the product: database, migrations, jobs, server. If a step fails, everything that was started is stopped again.
 * @param prepare runs before the server listens, for example to load demo data.
 */
export async function run(
  settings: Settings,
  say: (line: string) => void,
  prepare: (
    database: OpenDatabase,
    asOwner: AsOwner,
    identity: Identity,
    storage: FileStorage,
  ) => Promise<void>,
): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = []
  // Runs every step, even after one failed, so that above all the database does not keep running.
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const step of stops.splice(0).toReversed())
      await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'Forecourt did not stop cleanly.')
  }
  try {
    const secrets = readSecrets(settings.secret ?? (await readOrCreateSecret(settings.home, 'secret')))
    const database = await openDatabase(settings, say)
    stops.push(database.stop)
    const pool = openPool(database.login, 'forecourt_app', 12)
    const iamPool = openPool(database.login, 'forecourt_iam', 6)
    const jobsPool = openPool(database.login, 'forecourt_jobs', 4)
    const exportPool = openPool(database.login, 'forecourt_app', 6)
    stops.push(() => Promise.all([pool, iamPool, jobsPool, exportPool].map((one) => one.end())))

    await Promise.all([
      assertRole(pool, 'forecourt_app'),
      assertRole(iamPool, 'forecourt_iam'),
      assertRole(jobsPool, 'forecourt_jobs'),
    ])
    const asOwner = ownerTransactions(database.owner)
    await loadLibrary(asOwner)
    const { installId } = await openInstallation(iamPool, secrets)
    const storage = await openStorage(settings, say, (identity) =>
      claimFileStore(iamPool, identity, { isMoved: settings.areFilesMoved }),
    )
    let wakeMailer = (): void => {}
    let wakeWorker = (): void => {}
    let wakeChannels = (): void => {}
    let wakeFeedFetcher = (): void => {}
    let wakeDeliveries = (): void => {}
    let wakePrices = (): void => {}
    let recheckSites = (): void => {}
    const product = await buildApp({
      settings,
      secrets,
      installId,
      databaseMode: database.mode,
      pool,
      iamPool,
      exportPool,
      jobsPool,
      asOwner,
      storage,
      inboxFolder: waitingFormsFolder(settings.home),
      onMail: () => wakeMailer(),
      onJob: () => wakeWorker(),
      onDelivery: () => wakeDeliveries(),
      onPrices: () => wakePrices(),
      onSites: () => recheckSites(),
      onDue: () => {
        wakeChannels()
        wakeFeedFetcher()
      },
    })
    const {
      app,
      identity,
      outbox,
      jobs,
      channels,
      feeds,
      prices,
      deliveries,
      photos,
      sites,
      base,
      campaigns,
    } = product
    stops.push(() => app.close())
    outbox.warm()
    const noteError = (error: unknown): void => app.log.error({ err: error }, 'job queue')
    const debouncedJobs = runDebounced(async () => void jobs.runDue(), noteError)
    wakeWorker = debouncedJobs.run
    const debouncedChannels = runDebounced(async () => void channels.workDue(), noteError)
    wakeChannels = debouncedChannels.run
    const debouncedFeeds = runDebounced(async () => void feeds.workDue(), noteError)
    wakeFeedFetcher = debouncedFeeds.run
    const debouncedDeliveries = runDebounced(deliveries.workDue, noteError)
    wakeDeliveries = debouncedDeliveries.run
    const debouncedPrices = runDebounced(prices.workDue, noteError)
    wakePrices = debouncedPrices.run
    const siteWork = workSites(sites, noteError)
    recheckSites = siteWork.recheck
    const queue = kyselyOver((query) => jobsPool.query(statement(query)))
    const schedules = await startSchedules(
      queue,
      [
        {
          name: 'identity-sweep',
          everyMinutes: 60,
          offsetMinutes: 17,
          async run() {
            await sweepSessions(identity.iam)
            await sweepParticipantSessions(identity.iam)
            await sweepRepeatedCalls(queue)
          },
        },
        // Requests that failed or were interrupted when a process stopped.
        { name: 'password-requests', everyMinutes: 1, run: async () => identity.passwordRequests.wake() },
        // Recalculates after changes outside an inventory, such as to a facility, and what earlier runs left.
        {
          name: 'carbon-ledger',
          everyMinutes: 1,
          hasWork: () => hasDueCalculations(jobsPool),
          async run() {
            await processStaleQueue(jobsPool, pool)
            await checkDueBaseYears(jobsPool, pool)
          },
        },
        {
          name: 'carbon-reminders',
          everyMinutes: 60,
          offsetMinutes: 27,
          run: () => sendReminders({ queue: jobsPool, pool, identity }),
        },
        {
          name: 'assessment-schedules',
          everyMinutes: 60,
          offsetMinutes: 32,
          run: () =>
            runAssessmentSchedules({
              queue: jobsPool,
              pool,
              identity,
              invitations: makeInvitations(identity),
            }),
        },
        {
          name: 'advertised-prices-sweep',
          everyMinutes: 1440,
          offsetMinutes: 137,
          run: () => sweepAdvertisedPrices(queue),
        },
        ...leadSchedules({ jobsPool, pool, queue, put: outbox.put, base }),
        { name: 'job-sweep', everyMinutes: 60, offsetMinutes: 37, run: jobs.sweep },
        ...fileSweeps({ ...product, storage, iam: identity.iam, pool, jobsPool }),
      ],
      noteError,
    )
    stops.push(schedules.stop, jobs.stop, debouncedJobs.stop)
    stops.push(channels.stop, debouncedChannels.stop)
    stops.push(feeds.stopFetching)
    stops.push(debouncedFeeds.stop, debouncedPrices.stop)
    stops.push(async () => prices.stop())
    stops.push(debouncedDeliveries.stop)
    stops.push(async () => deliveries.stop())
    stops.push(siteWork.stop, photos.stop, async () => campaigns.stop())
    wakeWorker()
    const debouncedMail = runDebounced(outbox.deliver, noteError)
    wakeMailer = debouncedMail.run
    stops.push(debouncedMail.stop)
    // A crashed server does not release its leases: its work is due again once they expire.
    const wakes = [wakeWorker, wakeChannels, wakeFeedFetcher, wakeMailer, wakePrices]
    const regularly = lookRegularly([
      ...wakes,
      recheckSites,
      siteWork.ingest,
      () => void photos.workDue(),
      () => campaigns.look(),
    ])
    stops.push(async () => regularly.stop())
    // A buyer waits for an answer, so that new leads leave within two seconds.
    const oftener = lookRegularly([debouncedDeliveries.run], DELIVERY_LOOK_MS)
    stops.push(async () => oftener.stop())
    await prepare(database, asOwner, identity, storage)
    // So that an outage right after the start finds the sites.
    await sites.recheck()
    siteWork.ingest()
    const address = await listen(app, settings)
    // Started last, so it stops first.
    stops.push(() => app.drain.begin())
    const link = await setUpLink(asOwner, { secrets, installId, address: settings.publicUrl ?? address })
    return { database, address, stop, setUpLink: link, ...(await readStart(asOwner, settings)) }
  } catch (error) {
    // Only the reason why it did not start matters.
    await stop().catch(() => {})
    throw error
  }
}

/** What is due about leads: the steps of their work, forms that were not finished, and what is kept no longer. */
const leadSchedules = ({
  jobsPool,
  pool,
  queue,
  put,
  base,
}: Omit<Parameters<typeof takeDueLeadSteps>[0], 'queue'> & {
  jobsPool: Parameters<typeof hasDueLeadSteps>[0]
  queue: Parameters<typeof sweepInboundTexts>[0]
}): Schedule[] => [
  // Ends snoozes, and passes on leads that no one accepted in time.
  {
    name: 'lead-steps',
    everyMinutes: 1,
    hasWork: () => hasDueLeadSteps(jobsPool),
    run: () => takeDueLeadSteps({ queue: jobsPool, pool, put, base }),
  },
  unfinishedForms({ queue: jobsPool, pool }),
  {
    name: 'lead-retention',
    everyMinutes: 1440,
    offsetMinutes: 157,
    run: () => purgeLeads({ queue: jobsPool, pool }),
  },
  {
    name: 'inbound-sweep',
    everyMinutes: 60,
    offsetMinutes: 53,
    run: () => sweepInboundTexts(queue),
  },
]

/** What the one who started it is told. */
async function readStart(
  asOwner: AsOwner,
  settings: Settings,
): Promise<Pick<Running, 'hasDemoUsers' | 'isCopy'>> {
  return { hasDemoUsers: await hasOpenDemo(asOwner, settings), isCopy: await asOwner(isCopy) }
}

/** What public sites do beside requests: soon after it was requested, and one at a time. */
function workSites(sites: Sites, onError: (error: unknown) => void) {
  const recheck = runDebounced(sites.recheck, onError)
  const ingest = runDebounced(sites.ingest, onError)
  return {
    recheck: recheck.run,
    ingest: ingest.run,
    stop: () => Promise.all([recheck.stop(), ingest.stop()]),
  }
}

/**
 * Removes files that no row names, and what the limits of forms don't need anymore, says which photos are copied, and asks what short
 * URLs lead to.
 */
function fileSweeps({
  jobsPool,
  photos,
  targets,
  ...parts
}: Parameters<typeof sweepFormFiles>[0] & {
  jobsPool: ReturnType<typeof openPool>
  photos: PhotoCopying
  targets: TargetChecks
}) {
  return [
    { name: 'photo-requests', everyMinutes: 1, hasWork: photos.hasRequests, run: photos.noteUses },
    { name: 'photo-copy-sweep', everyMinutes: 60, offsetMinutes: 57, run: photos.sweep },
    { name: 'photo-copy-check', everyMinutes: 1440, offsetMinutes: 197, run: photos.check },
    {
      name: 'picture-sweep',
      everyMinutes: 1440,
      offsetMinutes: 97,
      async run() {
        const customers = await parts.iam.selectFrom('customers').select('id').execute()
        await sweepPublicPictures(
          parts.storage,
          customers.map(({ id }) => id),
        )
      },
    },
    { name: 'media-scan', everyMinutes: 360, offsetMinutes: 27, run: () => scanMedia(parts) },
    {
      name: 'upload-sweep',
      everyMinutes: 60,
      offsetMinutes: 7,
      async run() {
        await parts.storage.clearLeftBehind()
        const customers = await parts.iam.selectFrom('customers').select('id').execute()
        const ids = customers.map(({ id }) => id)
        await sweepLargeUploads(parts, ids)
        await sweepDeletedMedia(parts.storage, ids)
        await sweepMediaMoves(parts, ids)
      },
    },
    { name: 'feed-sweep', everyMinutes: 60, offsetMinutes: 47, run: () => sweepFeedFiles(parts) },
    {
      name: 'form-file-sweep',
      everyMinutes: 60,
      offsetMinutes: 42,
      async run() {
        await sweepFormFiles(parts)
        await sweepWaitingFiles(parts)
        await sweepFormLimits(kyselyOver((query) => jobsPool.query(statement(query))))
      },
    },
    {
      name: 'lead-file-sweep',
      everyMinutes: 60,
      offsetMinutes: 52,
      run: async () => {
        await sweepLeadFiles(parts)
      },
    },
    {
      name: 'promo-page-sweep',
      everyMinutes: 24 * 60,
      offsetMinutes: 54,
      run: () => sweepPromoPages(kyselyOver((query) => jobsPool.query(statement(query)))),
    },
    {
      name: 'promo-page-check',
      everyMinutes: 10,
      offsetMinutes: 8,
      async run() {
        const queue = kyselyOver((query) => jobsPool.query(statement(query)))
        await checkPublishedPages(parts.pool, await customersWithPages(queue))
      },
    },
    {
      name: 'short-url-sweep',
      everyMinutes: 24 * 60,
      offsetMinutes: 52,
      run: () => sweepShortUrls(kyselyOver((query) => jobsPool.query(statement(query)))),
    },
    {
      name: 'short-url-checks',
      everyMinutes: 1,
      hasWork: targets.hasDue,
      run: targets.checkDue,
    },
  ]
}

async function listen(app: FastifyInstance, settings: Settings): Promise<string> {
  try {
    return await app.listen({ port: settings.port, host: settings.host })
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${settings.port} on ${settings.host} is in use. Use another port: PORT=8081 npm start`,
        { cause: error },
      )
    }
    if (code === 'EACCES')
      throw new Error(`This account is not allowed to use port ${settings.port}. Choose a port above 1023.`, {
        cause: error,
      })
    if (code === 'EADDRNOTAVAIL')
      throw new Error(`HOST ${settings.host} is not an address of this machine.`, { cause: error })
    throw error
  }
}
