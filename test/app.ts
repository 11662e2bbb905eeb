import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { expect } from 'vitest'
import type { z } from 'zod'
import { Refusal } from '#contract/answer.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { buildApp } from '#server/app.ts'
import { openOwner, openPool } from '#server/database/connect.ts'
import { ownerTransactions } from '#server/database/open-database.ts'
import { readSettings } from '#server/environment.ts'
import type { Identity } from '#server/identity/index.ts'
import type { Sites, TargetChecks } from '#server/marketing/index.ts'
import type { Jobs } from '#server/queue/jobs.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { PhotoCopying } from '#server/vehicles/index.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import type { MailTransport } from '#server/outside/smtp.ts'
import { readSecrets } from '#server/secrets.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'
import { freshDatabase, type TestDatabase } from './engine/database.ts'
import { anyFile, multipart } from '#test/harness/multipart.ts'
import { rememberPasswords } from '#test/harness/remember-passwords.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'

/** The product with its own database and without a network: requests are injected. */
export type TestApp = {
  app: FastifyInstance
  /** A connection of the database owner, which bypasses the product. */
  owner: pg.Client
  iamPool: pg.Pool
  appPool: pg.Pool
  jobsPool: pg.Pool
  identity: Identity
  /** There is no background queue: tests send emails with `outbox.deliver` and run jobs with `jobs.runDue`. */
  outbox: Outbox
  jobs: Jobs
  channels: { workDue: () => Promise<void> }
  feeds: { workDue: () => Promise<void> }
  prices: { workDue: () => Promise<void> }
  deliveries: { workDue: () => Promise<void> }
  photos: PhotoCopying
  targets: TargetChecks
  campaigns: { workDue: () => Promise<void> }
  sites: Sites
  /** The folder of the file storage. */
  filesFolder: string
  anonymous: Caller
  /** Signs in a demo user, and switches to `organization` by name if given. */
  as: (userName: string, organization?: string) => Promise<Caller>
  /** Stops it and drops its database, unless `keepsDatabase` is set. */
  close: (more?: { keepsDatabase: boolean }) => Promise<void>
}

/** A client with or without a token that calls endpoints of the contract. */
export type Caller = {
  token: string | null
  /** Returns the data. @throws Refused */
  call: <I extends z.ZodType, O extends z.ZodType>(
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
  ) => Promise<z.output<O>>
  /** Returns the raw response. `payload` is sent unchanged. */
  send: (request: {
    method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'HEAD' | 'OPTIONS'
    url: string
    payload?: unknown
    headers?: Record<string, string>
  }) => Promise<{
    status: number
    headers: Record<string, unknown>
    text: string
    bytes: Buffer
    cookies: { name: string; value: string }[]
  }>
}

/** An error response, for tests. */
export class Refused extends Error {
  readonly status: number
  readonly refusal: Refusal

  constructor(status: number, refusal: Refusal) {
    super(`${status} ${refusal.message} ${JSON.stringify(refusal.fields ?? {})}`)
    this.status = status
    this.refusal = refusal
  }
}

/** The error of a call, for tests that check its fields. Throws if the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<Refused> {
  const refusal = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (refusal instanceof Refused) return refusal
  throw new Error('The call was not rejected.', { cause: refusal })
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The call fails with this status and, if given, a message that contains the text. */
    toRefuse: (status: number, text?: string) => Promise<R | T>
  }
}

expect.extend({
  async toRefuse(received: unknown, status: number, text = '') {
    const outcome = await Promise.resolve(received).then(
      (data) => ({ status: 200, message: JSON.stringify(data) }),
      (error: unknown) =>
        error instanceof Refused ? { status: error.status, message: error.message } : Promise.reject(error),
    )
    return {
      pass: outcome.status === status && outcome.message.includes(text),
      message: () => `expected ${status} ${text}, got ${outcome.status}: ${outcome.message}`,
    }
  },
})

/** The suffix of the product's cookie names in tests. */
export const INSTALL_ID = 'test'

type TestAppOptions = {
  transport?: MailTransport
  /** Instead of a new one. */
  database?: TestDatabase
  /** Instead of the usual one: FORECOURT_SECRET. */
  secret?: string
  logTo?: { write: (line: string) => void }
  onPrices?: () => void
}

export async function testApp(
  environment: Record<string, string> = {},
  { transport, database: existing, secret = TEST_SECRET, logTo, onPrices }: TestAppOptions = {},
): Promise<TestApp> {
  const database = existing ?? (await freshDatabase())
  const settings = readSettings({
    FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000',
    FORECOURT_LOG_REQUESTS: '0',
    // The fake servers are on this machine.
    FORECOURT_PRIVATE_ADDRESSES: '1',
    ...environment,
  })
  const appPool = openPool(database.login, 'forecourt_app', 8)
  const iamPool = openPool(database.login, 'forecourt_iam', 4)
  const exportPool = openPool(database.login, 'forecourt_app', 3)
  const jobsPool = openPool(database.login, 'forecourt_jobs', 3)
  const filesFolder = await mkdtemp(join(tmpdir(), 'forecourt-files-'))
  const owner = openOwner(database.connection)
  await owner.connect()
  const product = await buildApp({
    settings,
    secrets: readSecrets(secret),
    installId: INSTALL_ID,
    databaseMode: 'embedded',
    pool: appPool,
    iamPool,
    exportPool,
    jobsPool,
    asOwner: ownerTransactions(database.connection),
    storage: await openFolderStorage(filesFolder),
    inboxFolder: join(filesFolder, 'forms-waiting'),
    webFolder: '/nonexistent',
    checksJsonText: true,
    ...(transport && { transport }),
    ...(logTo && { logTo }),
    ...(onPrices && { onPrices }),
  })
  const { app, identity, outbox, jobs, channels, feeds } = product
  const { prices, deliveries, photos, targets, campaigns, sites } = product
  await app.ready()
  rememberPasswords(identity.passwords)

  const anonymous = waitingForMail(makeCaller(app, null), identity)
  return {
    app,
    owner,
    iamPool,
    appPool,
    jobsPool,
    identity,
    outbox,
    jobs,
    channels,
    feeds,
    prices,
    deliveries,
    photos,
    targets,
    campaigns,
    sites,
    filesFolder,
    anonymous,
    async as(userName, organization) {
      const { accessToken } = await anonymous.call(auth.signIn, {
        username: userName,
        password: DEMO_PASSWORD,
      })
      const signedIn = makeCaller(app, accessToken)
      return organization === undefined ? signedIn : switchTo(app, signedIn, organization)
    },
    async close({ keepsDatabase } = { keepsDatabase: false }) {
      await app.close()
      await jobs.stop()
      await Promise.all([appPool, iamPool, exportPool, jobsPool, owner].map((one) => one.end()))
      if (!keepsDatabase) await database.drop()
      await rm(filesFolder, { recursive: true, force: true })
    },
  }
}

/** Waits for forgotten-password emails, which are written after the response. */
function waitingForMail(caller: Caller, { passwordRequests }: Identity): Caller {
  return {
    ...caller,
    async call(endpoint, input) {
      try {
        return await caller.call(endpoint, input)
      } finally {
        await passwordRequests.idle()
      }
    },
    async send(request) {
      const answer = await caller.send(request)
      await passwordRequests.idle()
      return answer
    },
  }
}

async function switchTo(app: FastifyInstance, caller: Caller, name: string): Promise<Caller> {
  const choice = (await caller.call(organizations.change, {})).find((one) => one.name === name)
  if (choice === undefined) throw new Error(`There is no organization ${name} to switch to.`)
  const { accessToken } = await caller.call(auth.changeOrganization, { organizationId: choice.id })
  return makeCaller(app, accessToken)
}

/** A caller with any token, including a forged one. */
export function makeCaller(app: FastifyInstance, token: string | null): Caller {
  const bearer: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return {
    token,
    async call(endpoint, input) {
      const { url, body } = addressOf(endpoint, input)
      const response = await app.inject({
        method: endpoint.method,
        url,
        headers: bearer,
        ...bodyOf(endpoint, body, bearer),
      })
      // A file: tests that read it use `send`.
      if (isFile(endpoint) && response.statusCode === 200) return endpoint.output.parse(null)
      const answer: unknown = response.json()
      if (response.statusCode !== 200) throw new Refused(response.statusCode, Refusal.parse(answer))
      const bare = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
      return endpoint.output.parse(bare)
    },
    async send({ method, url, payload, headers }) {
      const isText = typeof payload === 'string'
      const response = await app.inject({
        method,
        url,
        headers: {
          ...bearer,
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(payload === undefined ? {} : { payload: isText ? payload : JSON.stringify(payload) }),
      })
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        bytes: response.rawPayload,
        cookies: response.cookies,
      }
    },
  }
}

/** JSON, or for uploads a new file with the input as its fields. */
function bodyOf({ kind }: Endpoint, body: unknown, bearer: Record<string, string>) {
  if (body === undefined) return {}
  if (kind === 'upload') {
    const { payload, headers } = multipart(typeof body === 'object' ? { ...body } : {}, [anyFile()])
    return { payload, headers: { ...bearer, ...headers } }
  }
  return { payload: JSON.stringify(body), headers: { ...bearer, 'content-type': 'application/json' } }
}

/** Whether an endpoint answers with a file. */
export const isFile = ({ kind }: Endpoint): boolean => kind === 'download' || kind === 'report'

/** Fills in the path parameters and puts the other fields into the query or body. */
export function addressOf(endpoint: Endpoint, input: unknown): { url: string; body: unknown } {
  const rest: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const isRaw = endpoint.kind === 'raw'
  if (endpoint.method === 'POST' && !isRaw)
    return { url: path, body: typeof input === 'string' ? input : rest }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(rest))
    if (value !== undefined) query.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  return { url: query.size > 0 ? `${path}?${query}` : path, body: isRaw ? {} : undefined }
}
