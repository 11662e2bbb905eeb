import type { Kysely } from 'kysely'
import type pg from 'pg'
import { waitingFor } from './database/connection-share.ts'
import type { DB } from './database/schema.ts'
import type { EventLoopDelay } from './http/event-loop.ts'
import type { GaugeSource } from './http/metrics.ts'
import { clock } from './clock.ts'
import { countSignInFailures } from './identity/index.ts'
import { isCopy } from './installation/copy-state.ts'
import { countWaitingForms } from './installation/waiting-forms.ts'
import { lastRuns } from './feeds/index.ts'
import { countJobs, oldestWaitingJob } from './queue/count-jobs.ts'
import { countMails, oldestWaitingMail } from './mail/index.ts'
import type { FileStorage } from './outside/file-storage.ts'

type Installed = {
  storage: Pick<FileStorage, 'check'>
  version: string
  inboxFolder: string
  eventLoop: () => EventLoopDelay
}
type Pools = { pool: pg.Pool; iamPool: pg.Pool; exportPool: pg.Pool; jobsPool: pg.Pool }

/** The metrics of the whole installation, in addition to requests and the process. */
export function gaugesOf(
  { pool, iamPool, exportPool, jobsPool }: Pools,
  {
    iam,
    queue,
    storage,
    version,
    inboxFolder,
    eventLoop,
  }: { iam: Kysely<DB>; queue: Kysely<DB> } & Installed,
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
      help: 'Connections in use in each pool.',
      label: 'pool',
      read: () => perPool((one) => one.totalCount - one.idleCount),
    },
    {
      name: 'forecourt_pool_waiting',
      help: 'Requests waiting for a connection of the pool.',
      label: 'pool',
      read: () => perPool(waitingFor),
    },
    { name: 'forecourt_jobs', help: 'Jobs by status.', label: 'state', read: () => countJobs(queue) },
    { name: 'forecourt_mails', help: 'Emails by status.', label: 'state', read: () => countMails(iam) },
    {
      name: 'forecourt_build_info',
      help: 'Always 1. The label has the version.',
      label: 'version',
      read: () => ({ [version]: 1 }),
    },
    {
      name: 'forecourt_free_bytes',
      help: 'Free space for files. Absent if it is unlimited or the storage is not writable.',
      label: 'place',
      read: () => freeBytes(storage),
    },
    {
      name: 'forecourt_waiting_forms',
      help: 'Forms of public sites that were received while the database was away, and that this process still has to store.',
      label: 'place',
      read: async () => ({ folder: await countWaitingForms(inboxFolder) }),
    },
    {
      name: 'forecourt_event_loop_delay_seconds',
      help: 'How long requests of this process waited for each other in the last minute: 99th percentile and maximum.',
      label: 'of',
      read: eventLoop,
    },
    {
      name: 'forecourt_restored_copy',
      help: '1 in a restored copy, which sends and fetches nothing until an operator says that it is the real installation; else 0.',
      label: 'place',
      read: async () => ({ installation: Number(await isCopy(iam)) }),
    },
    {
      name: 'forecourt_oldest_waiting_seconds',
      help: 'How long the oldest queued job and email have been waiting. 0 if there are none.',
      label: 'what',
      read: async () => ({
        jobs: secondsSince(await oldestWaitingJob(queue)),
        mails: secondsSince(await oldestWaitingMail(iam)),
      }),
    },
    {
      name: 'forecourt_last_run_timestamp_seconds',
      help: 'When the most recent feed run and channel run started, as Unix time.',
      label: 'what',
      read: () => lastRuns(queue),
    },
    {
      name: 'forecourt_sign_in_failures',
      help: 'Failures that currently count towards the limits, if the last was within an hour: of accounts and second factors since their last success, of addresses in their last minute of failures. Those of known browsers are not included.',
      label: 'kind',
      read: () => countSignInFailures(iam),
    },
  ]
}

/** Empty if the storage is not writable. Administration > Health shows the reason. */
async function freeBytes(storage: Pick<FileStorage, 'check'>): Promise<Record<string, number>> {
  const space = await storage.check().catch(() => null)
  return space === null || space.freeBytes === null ? {} : { [space.in]: space.freeBytes }
}

const secondsSince = (since: string | null): number =>
  since === null ? 0 : Math.max(0, (clock.now() - Date.parse(since)) / 1000)
