import type { FastifyInstance } from 'fastify'
import { openPool } from './database/connect.ts'
import { openDatabase, ownerTransactions, type OpenDatabase } from './database/open-database.ts'
import { assertRole } from './database/safety.ts'
import { loadLibrary, sendReminders, processStaleQueue } from './carbon/index.ts'
import type { Settings } from './environment.ts'
import { buildApp } from './app.ts'
import type { AsOwner } from './database/tenant-transaction.ts'
import { sweepFeedFiles } from './inventory/index.ts'
import { setUpLink } from './organizations/index.ts'
import { hasOpenDemo, sweepSessions, type Identity } from './identity/index.ts'
import { readOrCreateSecret } from './installation/secret-file.ts'
import { claimFileStore } from './installation/file-store.ts'
import { openInstallation } from './installation/open-installation.ts'
import type { FileStorage } from './outside/file-storage.ts'
import { openStorage } from './outside/open-storage.ts'
import { lookRegularly } from './jobs/look-regularly.ts'
import { runDebounced } from './jobs/run-soon.ts'
import { startQueue } from './jobs/queue.ts'
import { readSecrets } from './secrets.ts'

export type Running = {
  /** Where an empty installation is set up; null once there is a customer. */
  setUpLink: string | null
  /** The demo accounts are there and may sign in. */
  hasDemoPeople: boolean
  database: OpenDatabase
  address: string
  stop: () => Promise<void>
}

/**
 * Starts the product: database, migrations, jobs, server. Whatever was started is stopped again when a later step
 * fails.
 * @param prepare runs before the server listens, for instance the demo world.
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
  // Every step is tried, also after one that failed: the database above all must not be left behind.
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
    const { app, identity, outbox, jobs, channels, feeds } = await buildApp({
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
      onMail: () => wakeMailer(),
      onJob: () => wakeWorker(),
      onDue: () => {
        wakeChannels()
        wakeFeedFetcher()
      },
    })
    stops.push(() => app.close())
    outbox.warm()
    const noteError = (error: unknown): void => app.log.error({ err: error }, 'job queue')
    const soonAtWork = runDebounced(async () => void jobs.runDue(), noteError)
    wakeWorker = soonAtWork.run
    const soonBrought = runDebounced(channels.workDue, noteError)
    wakeChannels = soonBrought.run
    const soonFetched = runDebounced(feeds.workDue, noteError)
    wakeFeedFetcher = soonFetched.run
    const queue = await startQueue(
      jobsPool,
      [
        { name: 'identity-sweep', cron: '17 * * * *', run: () => sweepSessions(identity.iam) },
        { name: 'mail-delivery', cron: '* * * * *', run: outbox.deliver },
        // Requests that a stopped process left behind, or that failed.
        { name: 'password-requests', cron: '* * * * *', run: async () => identity.passwordRequests.wake() },
        // What nobody put in line here just now: left behind by a server that is gone, or waiting for its next try.
        { name: 'job-work', cron: '* * * * *', run: async () => wakeWorker() },
        // What changed under an inventory without its knowing, a facility for instance, or was too much at once.
        { name: 'carbon-ledger', cron: '* * * * *', run: () => processStaleQueue(jobsPool, pool) },
        {
          name: 'carbon-reminders',
          cron: '27 * * * *',
          run: () => sendReminders({ queue: jobsPool, pool, identity }),
        },
        { name: 'channel-work', cron: '* * * * *', run: async () => wakeChannels() },
        { name: 'feed-fetch', cron: '* * * * *', run: async () => wakeFeedFetcher() },
        { name: 'upload-sweep', cron: '7 * * * *', run: storage.clearLeftBehind },
        { name: 'job-sweep', cron: '37 * * * *', run: jobs.sweep },
        {
          name: 'feed-sweep',
          cron: '47 * * * *',
          run: () => sweepFeedFiles({ storage, iam: identity.iam, pool }),
        },
      ],
      noteError,
    )
    stops.push(queue.stop)
    stops.push(jobs.stop)
    stops.push(soonAtWork.stop)
    stops.push(soonBrought.stop)
    stops.push(soonFetched.stop)
    wakeWorker()
    const soon = runDebounced(outbox.deliver, noteError)
    wakeMailer = soon.run
    stops.push(soon.stop)
    // A server that is gone gives nothing back: what it worked on is due once its lease is over.
    const regularly = lookRegularly([wakeWorker, wakeChannels, wakeFeedFetcher, wakeMailer])
    stops.push(async () => regularly.stop())
    await prepare(database, asOwner, identity, storage)
    const address = await listen(app, settings)
    // The last that was begun is the first that ends.
    stops.push(() => app.drain.begin())
    const link = await setUpLink(asOwner, { secrets, installId, address: settings.publicUrl ?? address })
    return { database, address, setUpLink: link, hasDemoPeople: await hasOpenDemo(asOwner, settings), stop }
  } catch (error) {
    // Why it did not start is what counts.
    await stop().catch(() => {})
    throw error
  }
}

async function listen(app: FastifyInstance, settings: Settings): Promise<string> {
  try {
    return await app.listen({ port: settings.port, host: settings.host })
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${settings.port} on ${settings.host} is in use. Start with another one: PORT=8081 npm start`,
        { cause: error },
      )
    }
    if (code === 'EACCES')
      throw new Error(`Port ${settings.port} may not be used by this account. Choose one above 1023.`, {
        cause: error,
      })
    if (code === 'EADDRNOTAVAIL')
      throw new Error(`HOST ${settings.host} is no address of this machine.`, { cause: error })
    throw error
  }
}
