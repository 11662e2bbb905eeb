import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { finishBeforeStop } from './finish-before-stop.ts'
import {
  claim,
  isHeld,
  renew,
  waitAfter,
  whileLeased,
  type LeaseTable,
  type Leased,
  type Waits,
} from './lease.ts'

/**
 * Recurring work. It may run twice, so it must not do harm then.
 * `everyMinutes` counts from midnight UTC, `offsetMinutes` later: 60 and 17 is 17 minutes past every hour.
 */
export type Schedule = {
  name: string
  everyMinutes: number
  offsetMinutes?: number
  /** Asked at every look: if true, it runs now instead of at its next regular time. */
  hasWork?: () => Promise<boolean>
  run: () => Promise<unknown>
}

const SCHEDULES: LeaseTable = {
  table: 'queue.schedules',
  keys: ['name'],
  attempts: 'failures',
  seconds: 60,
  // Their emails wait in the outbox.
  waitsInCopy: false,
}
/** How often a server looks for due work. Each run happens on one server. */
const LOOK_MS = 5_000
/** After the last of them, a schedule that keeps failing waits for its next regular time. */
const RETRIES: Waits = [30, 60, 120]

/**
 * Starts running schedules on this server.
 * @param queue the pool of `forecourt_jobs`.
 * @param onError is called with every failed run; it is tried again.
 */
export async function startSchedules(
  queue: Kysely<DB>,
  schedules: readonly Schedule[],
  onError: (error: unknown) => void,
  lookMs = LOOK_MS,
): Promise<{ stop: () => Promise<void> }> {
  for (const schedule of schedules) await register(queue, schedule)
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  let isStopping = false
  const running = new Map<string, Promise<void>>()

  async function work(schedule: Schedule, leased: LeasedSchedule): Promise<void> {
    const renewal = () => renew(queue, SCHEDULES, leased)
    await whileLeased(SCHEDULES, renewal, async () => {
      try {
        await schedule.run()
        await finish(queue, schedule, leased, null)
      } catch (error) {
        onError(error)
        await finish(queue, schedule, leased, leased.failures)
      }
    })
  }

  /** Starts every schedule that is due and runs on no server. */
  async function look(): Promise<void> {
    for (const schedule of schedules) {
      if (isStopping || running.has(schedule.name)) continue
      if ((await schedule.hasWork?.()) === true) await makeDue(queue, schedule)
    }
    for (;;) {
      const names = [...byName.keys()].filter((name) => !running.has(name))
      const leased = isStopping || names.length === 0 ? null : await claimDue(queue, names)
      const schedule = leased && byName.get(leased.name)
      if (!schedule) return
      const run = work(schedule, leased)
        .catch(onError)
        .finally(() => running.delete(schedule.name))
      running.set(schedule.name, run)
    }
  }

  let looking: Promise<void> | null = null
  const lookAll = (): void => {
    // If the database is away, the next look tries again.
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = null
      })
  }
  const timer = setInterval(lookAll, lookMs)
  timer.unref()
  lookAll()
  return {
    async stop() {
      isStopping = true
      clearInterval(timer)
      await looking
      await finishBeforeStop(running.values())
    },
  }
}

/** A new schedule first runs at its next regular time. */
async function register(queue: Kysely<DB>, schedule: Schedule): Promise<void> {
  const { name, everyMinutes } = schedule
  await sql`insert into queue.schedules (name, every_minutes, next_run_at)
    values (${name}, ${everyMinutes}, ${nextRun(schedule)})
    on conflict (name) do update set every_minutes = excluded.every_minutes`.execute(queue)
}

/** After a failure, it waits for its retry. */
async function makeDue(queue: Kysely<DB>, { name }: Schedule): Promise<void> {
  await sql`update queue.schedules set next_run_at = app_clock_timestamp()
    where name = ${name} and failures = 0 and next_run_at > app_clock_timestamp()`.execute(queue)
}

type LeasedSchedule = Leased & { name: string; failures: number }

/** A time further ahead than the interval is from before the clock was set back: that schedule is due. */
async function claimDue(queue: Kysely<DB>, names: readonly string[]): Promise<LeasedSchedule | null> {
  const row = await claim<{ name: string; lease: string; failures: number }>(
    queue,
    SCHEDULES,
    {
      where: sql`d.name = any(${[...names]}) and (d.next_run_at <= app_clock_timestamp()
        or d.next_run_at > app_clock_timestamp() + (d.every_minutes + 1) * interval '1 minute')`,
      orderBy: sql`d.next_run_at`,
    },
    { returning: sql`t.name, t.lease, t.failures` },
  )
  return row && { ...row, key: [row.name] }
}

/** Sets the next run: the regular one, or a retry soon after a failure. */
async function finish(
  queue: Kysely<DB>,
  schedule: Schedule,
  leased: Leased,
  failures: number | null,
): Promise<void> {
  const isRetried = failures !== null && failures <= RETRIES.length
  const regular = nextRun(schedule)
  const next = isRetried
    ? sql`least(${regular}, app_clock_timestamp() + ${waitAfter(RETRIES, failures)} * interval '1 second')`
    : regular
  await sql`update queue.schedules set lease = null, leased_until = null, next_run_at = ${next},
      failures = ${isRetried ? failures : 0}
    where ${isHeld(SCHEDULES, leased)}`.execute(queue)
}

/** SQL for the next regular time after now. */
const nextRun = ({ everyMinutes, offsetMinutes = 0 }: Schedule) => sql<string>`
  date_bin(${everyMinutes} * interval '1 minute', app_clock_timestamp(), timestamptz '2000-01-01 00:00Z'
    + ${offsetMinutes} * interval '1 minute') + ${everyMinutes} * interval '1 minute'`
