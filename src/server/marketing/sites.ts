import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Site } from '#contract/marketing/site/site.ts'
import { askDatabase, isAway, watchDatabase } from '#server/database/database-watch.ts'
import type { DB } from '#server/database/schema.ts'
import type { Settings } from '#server/environment.ts'
import { type Limits, makeQuota } from '#server/files/index.ts'
import type { CountGuess, StrangerLimit } from '#server/identity/index.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { type Drain, installDrain } from '#server/http/drain.ts'
import { holdRefusals } from '#server/http/hold-refusals.ts'
import type { Secrets } from '#server/secrets.ts'
import { makeSiteApp, routeByHost } from './site/site-app.ts'
import { readSiteAssets } from './site/site-assets.ts'
import { makeHosts } from './site/site-host.ts'
import { makePublicMemory } from './site/public-memory.ts'
import { recheckPages } from './recheck-pages.ts'
import { openFormInbox } from './forms/form-inbox.ts'
import { addFormPages } from './forms/form-pages.ts'
import type { FormParts } from './forms/form-parts.ts'
import { makeFormReaders } from './forms/form-readers.ts'
import { countInMemory, ingestForms } from './forms/receive-later.ts'
import { makeMenuOf } from './site/site-menu.ts'
import { originOf } from './site/site-origin.ts'
import { addVehiclePages, sitePictures } from './site/site-pages.ts'
import { makeClickCounter } from './visits/count-clicks.ts'
import { makeVisitNotes } from './visits/note-visits.ts'
import { addPromoPages, makePagesOf } from './pages/page-routes.ts'
import { addCampaignPages } from './campaigns/campaign-pages.ts'
import { addConsentPages } from './campaigns/consent-pages.ts'
import { addShortUrlPages } from './short-urls/short-url-pages.ts'

/** What the public sites do beside requests. */
export type Sites = Readonly<{
  /** Every route of a public host, such as `GET /v/:slug`. */
  routes: readonly string[]
  /** Forgets kept pages that may not be shown anymore. */
  recheck: () => Promise<void>
  /** Stores the forms that were received while the database was away. */
  ingest: () => Promise<void>
  /** Stores the clicks on short URLs and the visits of pages that wait. */
  flushClicks: () => Promise<void>
  /** How many forms wait for the database. */
  waitingForms: () => number
}>

type SiteParts = {
  drain: Drain
  pool: pg.Pool
  iam: Kysely<DB>
  secrets: Secrets
  settings: Pick<Settings, 'projectFolder' | 'trustProxy'>
  webFolder: string | undefined
  isHttps: boolean
  /** The base URL of the product. */
  base: () => string
  genReqId: () => string
  putMail: Outbox['put']
  storage: FileStorage
  fileLimits: Limits
  /** Where forms wait while the database is away. */
  inboxFolder: string
  /** Counts an address of a form that doesn't exist. */
  countGuess: CountGuess
  /** Called when a visitor reached a limit. */
  onLimit: (limit: StrangerLimit) => Promise<void>
  onError: (error: unknown) => void
}

/** Adds the public sites to the server. Call this before anything else handles requests. */
export async function makeSites(main: FastifyInstance, parts: SiteParts): Promise<Sites> {
  const { pool, iam, secrets, settings, isHttps, genReqId, onError } = parts
  const { projectFolder, trustProxy } = settings
  const watch = watchDatabase(askDatabase(pool))
  const memory = makePublicMemory(watch)
  const hosts = makeHosts(iam, watch)
  const inbox = await openFormInbox(parts.inboxFolder, { onError })
  const assets = await readSiteAssets({
    projectFolder,
    webFolder: parts.webFolder ?? join(projectFolder, 'dist/web'),
  })
  const pagesOf = makePagesOf(pool, memory)
  const sites = await makeSiteApp({
    assets,
    originOf: (site) => originOf(site, parts.base()),
    menuOf: makeMenuOf(pool, memory),
    pagesOf,
    isHttps,
    trustProxy,
    genReqId,
    onLimit: parts.onLimit,
    onError,
  })
  installDrain(sites.app, parts.drain)
  holdRefusals(sites.app)
  const scriptsOf = (site: Site) => assets.pathsOf(site)
  const readers = makeFormReaders(memory)
  const formParts: FormParts = {
    pool,
    secrets,
    scriptsOf,
    putMail: parts.putMail,
    storage: parts.storage,
    quota: makeQuota(parts.fileLimits),
    picturesOf: (site) => sitePictures(secrets, site),
    readers,
    countGuess: parts.countGuess,
    later: { watch, inbox, count: countInMemory() },
  }
  addFormPages(sites, formParts)
  const shared = { pool, memory, readers, secrets, scriptsOf, pagesOf }
  const clicks = makeClickCounter(pool, (error) => isAway(error) || onError(error))
  const notes = makeNotes(secrets, clicks)
  const homeOf = addPromoPages(sites, { ...shared, storage: parts.storage, visits: notes.pages })
  addVehiclePages(sites, { ...shared, homeOf })
  addShortUrlPages(sites, { pool, memory, clicks, notes, countGuess: parts.countGuess })
  addCampaignPages(sites, { pool, countGuess: parts.countGuess })
  addConsentPages(sites, { pool, countGuess: parts.countGuess })
  const ingest = (): Promise<void> => ingestForms(formParts)
  watch.onBack(() => void ingest().catch(onError))
  await sites.app.ready()
  main.addHook('onClose', async () => {
    watch.stop()
    await sites.app.close()
    await clicks.stop()
    // A form that is being stored is finished.
    await inbox.close()
  })
  routeByHost(main, { findSite: hosts.find, sites })
  return {
    routes: sites.routes,
    recheck: () => recheckPages({ hosts, memory, forms: readers.forms, pool, watch }).catch(ignoreAway),
    ingest,
    flushClicks: clicks.flush,
    waitingForms: inbox.size,
  }
}

/** The signed marks by which short URLs and pages learn that a person came. */
function makeNotes(secrets: Secrets, clicks: ReturnType<typeof makeClickCounter>) {
  return {
    clicks: makeVisitNotes({
      secrets,
      purpose: 'clicks on short URLs',
      count: (customerId, one) => clicks.count(customerId, { of: 'link', ...one }),
    }),
    pages: makeVisitNotes({
      secrets,
      purpose: 'visits of promo pages',
      count: (customerId, one) => clicks.count(customerId, { of: 'page', ...one }),
    }),
  }
}

function ignoreAway(error: unknown): void {
  if (!isAway(error)) throw error
}
