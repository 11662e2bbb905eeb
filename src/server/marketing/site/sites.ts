import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Site } from '#contract/marketing/site/site.ts'
import type { DB } from '#server/database/schema.ts'
import type { Settings } from '#server/environment.ts'
import { type Limits, makeQuota } from '#server/files/index.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { type Drain, installDrain } from '#server/http/drain.ts'
import type { Secrets } from '#server/secrets.ts'
import { makeSiteApp, routeByHost } from './site-app.ts'
import { readSiteAssets } from './site-assets.ts'
import { makeFindSite } from './site-host.ts'
import { addFormPages } from '../forms/form-pages.ts'
import { makeMenuOf } from './site-menu.ts'
import { addVehiclePages, sitePictures } from './site-pages.ts'

/** Adds the public sites to the server. Call this before anything else handles requests. */
export async function makeSites(
  main: FastifyInstance,
  parts: {
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
    onError: (error: unknown) => void
  },
): Promise<void> {
  const { pool, iam, secrets, settings, isHttps, genReqId, onError } = parts
  const { projectFolder, trustProxy } = settings
  const assets = await readSiteAssets({
    projectFolder,
    webFolder: parts.webFolder ?? join(projectFolder, 'dist/web'),
  })
  const sites = await makeSiteApp({
    assets,
    originOf: (site) => originOf(site, parts.base()),
    menuOf: makeMenuOf(pool),
    isHttps,
    trustProxy,
    genReqId,
    onError,
  })
  installDrain(sites.app, parts.drain)
  const proofWorkerOf = (site: Site) => assets.pathsOf(site).proofWorker
  addVehiclePages(sites, { pool, secrets, proofWorkerOf })
  addFormPages(sites, {
    pool,
    iam,
    secrets,
    proofWorkerOf,
    putMail: parts.putMail,
    storage: parts.storage,
    quota: makeQuota(parts.fileLimits),
    picturesOf: (site) => sitePictures(secrets, site),
  })
  await sites.app.ready()
  main.addHook('onClose', () => sites.app.close())
  routeByHost(main, { findSite: makeFindSite(iam), sites })
}

/** The site's address, with the scheme and port of the product. */
function originOf({ host }: Site, base: string): string {
  const address = new URL(base)
  address.hostname = host
  return address.origin
}
