import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { health, HealthCheck } from '#contract/home/health.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Drain } from '#server/http/drain.ts'
import { Failure, unavailable } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { oldestWaitingJob } from '#server/jobs/count-jobs.ts'
import { oldestRefusedMail } from '#server/mail/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'

/** A job that waits longer has nobody who works on it, or too many before it. */
const LATE_MINUTES = 5
/** With less room the next large upload or the next copy of the database may not fit. */
const SCARCE_BYTES = 2 * 1024 ** 3
/** A store that takes longer to answer does not work for whoever waits for it. */
const STORAGE_MS = 5000

export type HealthParts = {
  iam: Kysely<DB>
  /** As the queue, which sees when jobs of every customer were put in line. */
  queue: Kysely<DB>
  mode: 'embedded' | 'external'
  hasMailServer: boolean
  storage: Pick<FileStorage, 'check'>
  drain: Pick<Drain, 'isDraining' | 'notePoll'>
  /** The migrations that the database lacks. */
  findLacking: (iam: Kysely<DB>) => Promise<string[]>
}

/** Whether the product can work: asks the database every time. */
export function healthHandlers(parts: HealthParts): Handlers<typeof health> {
  const { iam, mode, drain } = parts
  const watch = watchStates()

  async function ask(): Promise<void> {
    try {
      await sql`select 1`.execute(iam)
      watch('database', 'ok')
    } catch (error) {
      watch('database', 'failed')
      throw error
    }
  }

  return {
    async live() {
      await ask()
      return { status: 'ok', database: mode }
    },

    async alive() {
      return { status: 'alive' }
    },

    async ready() {
      drain.notePoll()
      if (drain.isDraining()) throw new Failure(503, 'Forecourt is stopping. Ask another process.')
      await ask()
      if ((await parts.findLacking(iam)).length > 0) throw unavailable()
      return { status: 'ready' }
    },

    async system({ inTenant }) {
      const begun = performance.now()
      await ask()
      const milliseconds = Math.max(1, Math.round(performance.now() - begun))
      const [mail, storage, jobs, counts] = await Promise.all([
        checkMail(parts),
        checkStorage(parts),
        checkJobs(parts),
        inTenant(countWork),
      ])
      const database = {
        name: 'database' as const,
        state: 'ok' as const,
        since: null,
        sentence: `The ${mode === 'embedded' ? 'built-in' : 'external'} PostgreSQL answers in ${milliseconds} ms.`,
      }
      const checks = [database, mail, storage, jobs].map((check) => {
        const seen = watch(check.name, check.state)
        return { ...check, since: check.since ?? (check.state === 'off' ? null : seen) }
      })
      return { checkedAt: clock.date().toISOString(), checks, ...counts }
    },
  }
}

/** Remembers since when each part is as it is. */
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

async function checkMail({ iam, hasMailServer }: HealthParts): Promise<HealthCheck> {
  const name = 'mail' as const
  const since = await oldestRefusedMail(iam)
  // A customer's email handler refuses as well as the installation's server does.
  if (since !== null)
    return { name, state: 'failed', since, sentence: 'The mail server did not take mails that still wait.' }
  if (!hasMailServer)
    return { name, state: 'off', since, sentence: 'There is no mail server: mails stay in the outbox.' }
  return { name, state: 'ok', since, sentence: 'The mail server takes what is sent.' }
}

async function checkStorage({ storage }: HealthParts): Promise<HealthCheck> {
  const name = 'storage' as const
  const since = null
  const silence = new AbortController()
  try {
    const late = wait(STORAGE_MS, null, { signal: silence.signal })
    const room = await Promise.race([storage.check(), late])
    if (room === null)
      return { name, state: 'failed', since, sentence: 'The store of files does not answer.' }
    const { freeBytes } = room
    if (freeBytes === null) return { name, state: 'ok', since, sentence: 'Azure Storage takes files.' }
    const sentence = `The folder of files has room for ${(freeBytes / 1024 ** 3).toFixed(1)} GB more.`
    return { name, state: freeBytes < SCARCE_BYTES ? 'scarce' : 'ok', since, sentence }
  } catch {
    return { name, state: 'failed', since, sentence: 'The store of files takes no files.' }
  } finally {
    silence.abort()
  }
}

async function checkJobs({ queue }: HealthParts): Promise<HealthCheck> {
  const name = 'jobs' as const
  const since = await oldestWaitingJob(queue)
  const isLate = since !== null && clock.now() - Date.parse(since) > LATE_MINUTES * 60_000
  if (!isLate) return { name, state: 'ok', since: null, sentence: 'Nobody waits long for a job.' }
  return { name, state: 'late', since, sentence: 'The oldest job in line has waited since then.' }
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
