import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { health, HealthCheck } from '#contract/home/health.ts'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { codeOf, isDiskFull } from '#server/error-code.ts'
import type { Visit } from '#server/http/actor.ts'
import type { Drain } from '#server/http/drain.ts'
import type { EventLoopDelay } from '#server/http/event-loop.ts'
import { Failure, unavailable } from '#server/http/failure.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import { oldestWaitingJob } from '#server/queue/count-jobs.ts'
import { readMailStanding } from '#server/mail/index.ts'
import type { FileStorage, Room } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'

/** Jobs queued for longer indicate a backlog, or that no worker is running. */
const LATE_MINUTES = 5
/** With less free space, the next large upload or database copy might not fit. */
const SCARCE_BYTES = 2 * 1024 ** 3
/** How long Health says that file storage was full, in minutes. */
const FULL_FOR_MINUTES = 24 * 60
/** Storage that takes longer to respond counts as failed. */
const STORAGE_MS = 5000
/** A database that takes longer to respond counts as failed: load balancers wait for a few seconds at most. */
const DATABASE_MS = 3000
/** Seconds above which users notice that requests wait for each other. */
const HIGH_DELAY = { p99: 0.1, max: 1 }
const RETRY = { retryAfterSeconds: 5 }

export type HealthParts = {
  iam: Kysely<DB>
  /** The queue's connection, which sees the jobs of every customer. */
  queue: Kysely<DB>
  mode: 'embedded' | 'external'
  hasMailServer: boolean
  /** Where links in emails lead: `publicUrl`, or without one, the address that the server listens on. */
  links: { publicUrl: string | null; isLoopback: boolean; address: () => string }
  storage: OutsideStorage
  /** How long requests of this process waited for each other. */
  eventLoop: () => EventLoopDelay
  drain: Pick<Drain, 'isDraining' | 'notePoll'>
  /** Returns the pending migrations. */
  findPendingMigrations: (iam: Kysely<DB>) => Promise<string[]>
}

/** Health endpoints. Every check queries the database. */
export function healthHandlers(parts: HealthParts): Handlers<typeof health> {
  const { iam, mode, drain } = parts
  const watch = watchStates()

  async function pingDatabase(): Promise<void> {
    try {
      await inTime(sql`select 1`.execute(iam))
      watch('database', 'ok')
    } catch (error) {
      watch('database', 'failed')
      throw error
    }
  }
  /** Runs a check of a probe. Only operators see why it failed. */
  async function probe<T>({ isOperator }: Visit, check: () => Promise<T>): Promise<T> {
    try {
      return await check()
    } catch (error) {
      if (!isOperator) throw unavailable()
      const reason = error instanceof Error ? error.message.trim() || codeOf(error) : String(error)
      throw new Failure(503, `The database can't be used: ${reason.replace(/\.?$/, '.')}`, RETRY)
    }
  }

  return {
    async live({ visit }) {
      await probe(visit, pingDatabase)
      return { status: 'ok' }
    },

    async alive() {
      return { status: 'alive' }
    },

    async ready({ visit }) {
      drain.notePoll()
      if (drain.isDraining()) throw new Failure(503, 'Forecourt is shutting down. Try another instance.')
      const [pending, ...more] = await probe(visit, async () => {
        await pingDatabase()
        return inTime(parts.findPendingMigrations(iam))
      })
      if (pending === undefined) return { status: 'ready' }
      if (!visit.isOperator) throw unavailable()
      const count = more.length === 0 ? 'a migration' : `${more.length + 1} migrations`
      const sentence = `The database lacks ${count} of this version: ${[pending, ...more].join(', ')}.`
      throw new Failure(503, sentence, RETRY)
    },

    async system({ actor, inTenant, outside }) {
      const begun = performance.now()
      await pingDatabase()
      const milliseconds = Math.max(1, Math.round(performance.now() - begun))
      const [mail, links, storage, jobs, counts] = await Promise.all([
        checkMail(parts, actor),
        checkLinks(parts, actor),
        checkStorage(parts.storage(outside)),
        checkJobs(parts),
        inTenant(countWork),
      ])
      const outgoing = await checkOutgoing(parts)
      const database = {
        name: 'database' as const,
        state: 'ok' as const,
        since: null,
        sentence: `The ${mode === 'embedded' ? 'built-in' : 'external'} PostgreSQL responded in ${milliseconds} ms.`,
      }
      const shownMail = outgoing.state === 'waits' ? { ...mail, ...outgoing, name: mail.name } : mail
      const checks = [database, shownMail, links, storage, jobs, checkServer(parts), outgoing].map(
        (check) => {
          const isOwn = check.name === 'mail' || check.name === 'links'
          const seen = watch(isOwn ? `${check.name} ${actor.customerId}` : check.name, check.state)
          return { ...check, since: check.since ?? (check.state === 'off' ? null : seen) }
        },
      )
      return { checkedAt: clock.date().toISOString(), checks, ...counts }
    },
  }
}

/** @throws Error if the database doesn't respond soon */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const silence = new AbortController()
  // Its own failure comes too late then.
  work.catch(() => {})
  const late = wait(DATABASE_MS, null, { signal: silence.signal }).then(() =>
    Promise.reject(new Error(`It did not respond within ${DATABASE_MS / 1000} seconds.`)),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    silence.abort()
    late.catch(() => {})
  }
}

/** Remembers since when each component has had its state. */
function watchStates(): (name: string, state: string) => string {
  const seen = new Map<string, { state: string; since: string }>()
  return (name, state) => {
    const before = seen.get(name)
    if (before?.state === state) return before.since
    const since = clock.date().toISOString()
    seen.set(name, { state, since })
    return since
  }
}

/** The emails of the caller's customer only: what fails for another one is not theirs to see. */
async function checkMail({ iam, hasMailServer }: HealthParts, { customerId }: Member): Promise<HealthCheck> {
  const name = 'mail' as const
  const standing = await readMailStanding(iam, customerId)
  const { handler, refusedSince, lastSentAt, othersRefused } = standing
  const others =
    othersRefused === 0
      ? ''
      : ` Queued emails of ${othersRefused === 1 ? 'another customer' : `${othersRefused} other customers`} could not be sent.`
  if (refusedSince !== null) {
    return {
      name,
      state: 'failed',
      since: refusedSince,
      sentence: `Some of your queued emails could not be sent.${others}`,
    }
  }
  const state = othersRefused > 0 ? 'failed' : 'ok'
  const by = handler === null ? "the installation's mail server" : `the email handler ${handler.name}`
  if (handler?.kind === 'outbox' || (handler === null && !hasMailServer)) {
    const why =
      handler === null ? 'No mail server is set up.' : `The email handler ${handler.name} sends nothing.`
    const sentence = `${why} Emails stay in the outbox.${others}`
    return { name, state: othersRefused > 0 ? state : 'off', since: null, sentence }
  }
  const last = lastSentAt === null ? ' None was sent yet.' : ''
  return { name, state, since: null, sentence: `Emails are sent by ${by}.${last}${others}` }
}

/** Whether the links in emails can be opened by those who receive them. */
async function checkLinks({ iam, links }: HealthParts, { customerId }: Member): Promise<HealthCheck> {
  const name = 'links' as const
  const since = null
  if (links.publicUrl !== null) {
    return {
      name,
      state: 'ok',
      since,
      sentence: `Links in emails lead to ${new URL(links.publicUrl).origin} or a domain of the customer.`,
    }
  }
  const { rows } = await sql<{ isPlatform: boolean; domain: string | null }>`
    select c.is_platform, (select w.domain from white_labels w
        where w.customer_id = c.id and w.purpose = 'office' and w.verified_at is not null order by w.id limit 1) as domain
    from customers c where c.id = ${customerId}`.execute(iam)
  if (rows[0] === undefined) throw new Error(`There is no customer ${customerId}.`)
  const { isPlatform, domain } = rows[0]
  const next = isPlatform
    ? 'Set PUBLIC_URL to the address that people use.'
    : 'Ask the operator of this installation to set the address that people use.'
  const sentence = `Links in emails lead to ${links.address()}${domain === null ? '' : ` instead of ${domain}`}. ${next}`
  return { name, state: links.isLoopback && domain === null ? 'off' : 'failed', since, sentence }
}

/** What Health says about file storage that answers. For a day it says that the storage was full. */
export function describeRoom(
  { freeBytes, fullAt = null }: Room,
  now: number,
): Pick<HealthCheck, 'state' | 'sentence'> {
  const space =
    freeBytes === null
      ? 'Azure Storage is accepting files.'
      : `File storage has ${(freeBytes / 1024 ** 3).toFixed(1)} GB of free space.`
  const minutes = fullAt === null ? null : Math.floor((now - Date.parse(fullAt)) / 60_000)
  if (minutes !== null && minutes < FULL_FOR_MINUTES) {
    const ago = minutes < 120 ? `${minutes} minutes ago` : `${Math.floor(minutes / 60)} hours ago`
    const sentence = `File storage was full ${minutes === 0 ? 'just now' : ago}, and what was sent then was not saved. ${space}`
    return { state: 'scarce', sentence }
  }
  return { state: freeBytes !== null && freeBytes < SCARCE_BYTES ? 'scarce' : 'ok', sentence: space }
}

async function checkStorage(storage: FileStorage): Promise<HealthCheck> {
  const name = 'storage' as const
  const since = null
  const silence = new AbortController()
  try {
    const late = wait(STORAGE_MS, null, { signal: silence.signal })
    const room = await Promise.race([storage.check(), late])
    if (room === null) return { name, state: 'failed', since, sentence: "File storage isn't responding." }
    return { name, since, ...describeRoom(room, clock.now()) }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const sentence = isDiskFull(cause)
      ? 'File storage is full. Nothing can be saved until space is freed up.'
      : "File storage isn't accepting files."
    return { name, state: 'failed', since, sentence }
  } finally {
    silence.abort()
  }
}

/** Whether requests wait for each other, in the last minute. */
function checkServer({ eventLoop }: HealthParts): HealthCheck {
  const name = 'server' as const
  const { p99, max } = eventLoop()
  if (p99 <= HIGH_DELAY.p99 && max <= HIGH_DELAY.max)
    return { name, state: 'ok', since: null, sentence: 'Requests are handled without delay.' }
  const longest = max < 10 ? max.toFixed(1) : Math.round(max)
  return {
    name,
    state: 'late',
    since: null,
    sentence: `Requests waited for each other, up to ${longest} s in the last minute. Something keeps this server busy.`,
  }
}

/** Whether anything may leave the installation. */
async function checkOutgoing({ iam }: HealthParts): Promise<HealthCheck> {
  const name = 'outgoing' as const
  return (await isCopy(iam))
    ? { name, state: 'waits', since: null, sentence: RESTORED_COPY }
    : {
        name,
        state: 'ok',
        since: null,
        sentence: 'Emails, webhooks, channel files and feeds are sent and fetched.',
      }
}

async function checkJobs({ queue }: HealthParts): Promise<HealthCheck> {
  const name = 'jobs' as const
  const since = await oldestWaitingJob(queue)
  const isLate = since !== null && clock.now() - Date.parse(since) > LATE_MINUTES * 60_000
  if (!isLate) return { name, state: 'ok', since: null, sentence: 'No job is late.' }
  return {
    name,
    state: 'late',
    since,
    sentence: 'Jobs are delayed. The oldest has been queued since this time.',
  }
}

async function countWork(db: Database) {
  const { rows } = await sql<{ jobs: Record<string, number>; mails: Record<string, number> }>`
    select
      (select json_build_object('waiting', count(*) filter (where state = 'waiting'),
        'running', count(*) filter (where state = 'running'), 'failed', count(*) filter (where state = 'failed'))
        from jobs where state in ('waiting', 'running') or state = 'failed' and ended_at > app_now() - interval '7 days') as jobs,
      (select json_build_object('waiting', count(*) filter (where state = 'waiting'),
        'failed', count(*) filter (where state = 'failed'))
        from outbox_mails where state in ('waiting', 'failed')) as mails`.execute(db)
  const jobs = rows[0]?.jobs
  const mails = rows[0]?.mails
  return {
    jobs: { waiting: jobs?.waiting ?? 0, running: jobs?.running ?? 0, failed: jobs?.failed ?? 0 },
    mails: { waiting: mails?.waiting ?? 0, failed: mails?.failed ?? 0 },
  }
}
