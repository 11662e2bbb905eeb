import { PgBoss } from 'pg-boss'
import type pg from 'pg'

/** What the queue runs by itself: a name, when (cron, UTC) and the work. Every one may run twice without harm. */
export type Scheduled = { name: string; cron: string; run: () => Promise<unknown> }

export type Queue = { stop: () => Promise<void> }

/**
 * Starts the queue in its own schema under its own role. Several servers share the work: each scheduled run happens
 * on one of them.
 */
export async function startQueue(
  pool: pg.Pool,
  scheduled: readonly Scheduled[],
  onError: (error: unknown) => void,
): Promise<Queue> {
  const boss = new PgBoss({
    schema: 'pgboss',
    db: { executeSql: (text, values) => pool.query(text, values) },
    createSchema: false,
  })
  boss.on('error', onError)
  await boss.start()
  for (const { name, cron, run } of scheduled) {
    await boss.createQueue(name, { retryLimit: 3, retryBackoff: true })
    await boss.schedule(name, cron)
    await boss.work(name, { pollingIntervalSeconds: 30 }, run)
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}
