import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './database/schema.ts'
import type { GaugeSource } from './http/metrics.ts'
import { countJobs } from './jobs/count-jobs.ts'
import { countMails } from './mail/index.ts'

type Pools = { pool: pg.Pool; iamPool: pg.Pool; exportPool: pg.Pool; jobsPool: pg.Pool }

/** What the metrics tell beside requests and the process: numbers of the whole installation. */
export function gaugesOf(
  { pool, iamPool, exportPool, jobsPool }: Pools,
  { iam, queue }: { iam: Kysely<DB>; queue: Kysely<DB> },
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
  ]
}
