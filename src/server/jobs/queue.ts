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
  await forgetTimesAhead(pool)
  await boss.start()
  for (const { name, cron, run } of scheduled) {
    await boss.createQueue(name, { retryLimit: 3, retryBackoff: true })
    await boss.schedule(name, cron)
    await boss.work(name, { pollingIntervalSeconds: 30 }, run)
  }
  const timer = setInterval(() => void forgetTimesAhead(pool).catch(onError), MINUTE_MS)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}

const MINUTE_MS = 60_000

/**
 * Lets schedules go on after the clock was set back. The queue remembers when it last looked at them, and for which minute it
 * ordered each run: while these are ahead of the clock it would order none.
 */
async function forgetTimesAhead(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isThere: boolean }>(
    `select to_regclass('pgboss.version') is not null as "isThere"`,
  )
  // Nothing is there before the first start.
  if (!(rows[0]?.isThere ?? false)) return
  await pool.query(`update pgboss.version set cron_on = null where cron_on > now() + interval '1 minute'`)
  // Kept in UTC without a zone. No run of ours is tried again later than seconds after it failed.
  await pool.query(
    `update pgboss.job set singleton_on = null, start_after = least(start_after, now())
    where singleton_on > now() at time zone 'UTC' + interval '2 minutes'
      or (state in ('created', 'retry') and start_after > now() + interval '5 minutes')`,
  )
}
