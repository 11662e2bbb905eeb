import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './database/schema.ts'
import type { GaugeSource } from './http/metrics.ts'
import { clock } from './clock.ts'
import { countSignInFailures } from './identity/index.ts'
import { lastRuns } from './inventory/index.ts'
import { countJobs, oldestWaitingJob } from './jobs/count-jobs.ts'
import { countMails, oldestWaitingMail } from './mail/index.ts'
import type { FileStorage } from './outside/file-storage.ts'

type Installed = { storage: Pick<FileStorage, 'check'>; version: string }
type Pools = { pool: pg.Pool; iamPool: pg.Pool; exportPool: pg.Pool; jobsPool: pg.Pool }

/** What the metrics tell beside requests and the process: numbers of the whole installation. */
export function gaugesOf(
  { pool, iamPool, exportPool, jobsPool }: Pools,
  { iam, queue, storage, version }: { iam: Kysely<DB>; queue: Kysely<DB> } & Installed,
): GaugeSource[] {
  const pools = Object.entries({ requests: pool, identity: iamPool, exports: exportPool, jobs: jobsPool })
  const perPool = (of: (one: pg.Pool) => number): Record<string, number> =>
    Object.fromEntries(pools.map(([name, one]) => [name, of(one)]))
  return [
    {
      name: 'forecourt_pool_connections',
      help: 'Open connections of each pool.',
      label: 'pool',
      read: () => perPool((one) => one.totalCount),
    },
    {
      name: 'forecourt_pool_busy',
      help: 'Connections of each pool that are in use.',
      label: 'pool',
      read: () => perPool((one) => one.totalCount - one.idleCount),
    },
    {
      name: 'forecourt_pool_waiting',
      help: 'Work that waits for a connection of the pool.',
      label: 'pool',
      read: () => perPool((one) => one.waitingCount),
    },
    { name: 'forecourt_jobs', help: 'Jobs by state.', label: 'state', read: () => countJobs(queue) },
    { name: 'forecourt_mails', help: 'Mails by state.', label: 'state', read: () => countMails(iam) },
    {
      name: 'forecourt_build_info',
      help: 'Always 1; the label has the version.',
      label: 'version',
      read: () => ({ [version]: 1 }),
    },
    {
      name: 'forecourt_free_bytes',
      help: 'Room for more files; absent where that has no end, or the store takes none.',
      label: 'place',
      read: () => freeBytes(storage),
    },
    {
      name: 'forecourt_oldest_waiting_seconds',
      help: 'How long the oldest job and the oldest mail have waited; 0 where none waits.',
      label: 'what',
      read: async () => ({
        jobs: secondsSince(await oldestWaitingJob(queue)),
        mails: secondsSince(await oldestWaitingMail(iam)),
      }),
    },
    {
      name: 'forecourt_last_run_timestamp_seconds',
      help: 'When the newest feed and the newest channel began to run, as Unix time.',
      label: 'what',
      read: () => lastRuns(queue),
    },
    {
      name: 'forecourt_sign_in_failures',
      help: 'Failed sign-ins within the last hour that no success followed: by account, address or second factor.',
      label: 'kind',
      read: () => countSignInFailures(iam),
    },
  ]
}

/** A store that takes no files has no room to tell of; Administration, Health says what is wrong. */
async function freeBytes(storage: Pick<FileStorage, 'check'>): Promise<Record<string, number>> {
  const room = await storage.check().catch(() => null)
  return room === null || room.freeBytes === null ? {} : { [room.in]: room.freeBytes }
}

const secondsSince = (since: string | null): number =>
  since === null ? 0 : Math.max(0, (clock.now() - Date.parse(since)) / 1000)
