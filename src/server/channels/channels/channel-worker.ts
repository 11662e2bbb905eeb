import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { KEPT_RUNS } from '#contract/channels/channels/channels.ts'
import { CustomColumns, findPriceErrors } from '#contract/channels/listings/custom-columns.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { reasonOf, TransferFailure } from '#server/outside/transfer/remote.ts'
import { sendFile } from '#server/outside/transfer/transfer.ts'
import type { Secrets } from '#server/secrets.ts'
import { type ChannelServer, remoteOf, serverOf } from './channel-row.ts'
import { retryAfter, MAX_FAILURES } from '#server/queue/due-items.ts'
import { type DueWorker, makeDueWorker } from '#server/queue/due-worker.ts'
import { LostLease } from '#server/queue/lease.ts'
import {
  claimChannel,
  type ChannelLease,
  holdChannelLease,
  nextByChange,
  nextBySchedule,
  restsUntil,
  scopeOfLease,
  whileDelivering,
} from './channel-lease.ts'
import { advertisePrices } from '#server/pricing/index.ts'
import { readParts } from '../listings/file-parts.ts'
import { makeFile, type MadeFile } from './make-file.ts'
import { FEED_TYPES } from '../listings/write-feed.ts'

/** Below this number of vehicles, a drop by half can be normal. */
const MIN_FOR_DROP_CHECK = 10

export type ChannelParts = {
  pool: pg.Pool
  queue: Kysely<DB>
  secrets: Secrets
  /** Base URL of the product. */
  base: () => string
  /** Allows servers on private networks: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  onError: (error: unknown) => void
}

type Settings = Awaited<ReturnType<typeof readSettings>>
type RunResult = { state: 'sent' | 'unchanged' | 'stopped' | 'failed'; message: string | null }

/**
 * Creates and delivers the files of channels that are due. Safe to call at any time, repeatedly, and on several servers:
 * a lease gives each channel to one server, and expires a minute after that server is killed. The delivered file is
 * replaced only when the next one is complete.
 */
export function makeChannelWorker(parts: ChannelParts): DueWorker {
  const { pool, queue, onError } = parts

  async function work(lease: ChannelLease): Promise<void> {
    const within = <T>(some: (db: Database) => Promise<T>): Promise<T> =>
      inTenant(pool, scopeOfLease(lease), some)
    try {
      const settings = await within((db) => readSettings(db, lease))
      const runId = await within((db) => startRun(db, lease))
      const result = await runChannel(within, { lease, settings, runId })
      await within((db) => endRun(db, { lease, runId, result }))
    } catch (error) {
      // The server that holds the lease now continues.
      if (!(error instanceof LostLease)) throw error
    }
  }

  async function runChannel(
    within: <T>(some: (db: Database) => Promise<T>) => Promise<T>,
    { lease, settings, runId }: { lease: ChannelLease; settings: Settings; runId: string },
  ): Promise<RunResult> {
    if (lease.failures > MAX_FAILURES) {
      return {
        state: 'failed',
        message: 'Delivery failed repeatedly. The next attempt is at the next scheduled time.',
      }
    }
    const { channel, isActiveCustomer } = settings
    if (!isActiveCustomer) return { state: 'stopped', message: "This customer isn't active." }
    const priceError = priceErrorOf(channel)
    if (priceError !== null) return { state: 'stopped', message: priceError }
    try {
      const { secrets } = parts
      const made = await makeFile({ lease, runId, channel, base: parts.base(), secrets, inTenant: within })
      await within((db) => noteMade(db, runId, made))
      const refusal = refusalOf(lease, settings, made)
      if (refusal !== null) return refusal
      return await deliver(within, { lease, settings, runId, made })
    } catch (error) {
      if (error instanceof LostLease) throw error
      // Failures of the receiving server are not our bugs.
      if (!(error instanceof TransferFailure)) onError(error)
      return { state: 'failed', message: reasonOf(error) }
    }
  }

  async function deliver(
    within: <T>(some: (db: Database) => Promise<T>) => Promise<T>,
    {
      lease,
      settings: { channel, state, isPlatform },
      runId,
      made,
    }: { lease: ChannelLease; settings: Settings; runId: string; made: MadeFile },
  ): Promise<RunResult> {
    const server = serverOf(channel)
    const hostKey = state.hostKeyOf === server ? state.hostKey : null
    const remote = remoteOf(channel, {
      secrets: parts.secrets,
      isGuarded: !parts.allowsPrivate && !isPlatform,
      hostKey,
    })
    if (remote === null) {
      await within(async (db) => {
        await holdChannelLease(db, lease)
        await noteSent(db, lease, { runId, made })
      })
      return { state: 'sent', message: null }
    }
    return whileDelivering(within, lease, async () => {
      const sent = await sendFile(remote, {
        body: readParts(within, { runId, bytes: made.bytes }),
        bytes: made.bytes,
        type: FEED_TYPES[channel.format],
        word: runId,
        key: `${channel.customerId}-${channel.id}-${made.hash}`,
        confirm: () => within((db) => holdChannelLease(db, lease)),
      })
      await within(async (db) => {
        await noteSent(db, lease, { runId, made })
        if (sent.hostKey !== null && sent.hostKey !== hostKey) {
          await sql`update channel_states set host_key = ${sent.hostKey}, host_key_of = ${server}
            where channel_id = ${lease.channelId}`.execute(db)
        }
      })
      return { state: 'sent', message: null }
    })
  }

  return makeDueWorker({ claim: () => claimChannel(queue), work, onError })
}

/**
 * A channel that was saved before columns were checked could send less than the total price. Its last file stays; null if its
 * columns are right.
 */
function priceErrorOf({ kind, columns, priceMeaning }: Settings['channel']): string | null {
  if (kind !== 'csv') return null
  const [found] = Object.entries(findPriceErrors(columns, priceMeaning))
  if (found === undefined) return null
  const [path, error] = found
  return `Not sent: column "${columns[Number(path.split('.')[1])]?.name}" needs to be fixed. ${error}`
}

/** Why a new file isn't sent; null if it is. */
function refusalOf({ requestedBy }: ChannelLease, { state }: Settings, made: MadeFile): RunResult | null {
  if (requestedBy !== null) return null
  if (state.sentHash === made.hash) {
    return { state: 'unchanged', message: "The file hasn't changed since the last run." }
  }
  const before = state.sentCount ?? 0
  if (before >= MIN_FOR_DROP_CHECK && made.listed * 2 < before) {
    return {
      state: 'stopped',
      message: `Not sent: only ${made.listed} vehicles, but the last file had ${before}. If that's correct, run the channel manually.`,
    }
  }
  return null
}

async function readSettings(db: Database, { channelId }: ChannelLease) {
  const row = await db
    .selectFrom('channels as ch')
    .innerJoin('channelStates as s', 's.channelId', 'ch.id')
    .innerJoin('customers as c', 'c.id', 'ch.customerId')
    .select([
      'ch.customerId',
      'ch.id',
      'ch.kind',
      'ch.format',
      'ch.rule',
      'ch.pageTemplate',
      'ch.columns',
      'ch.priceMeaning',
      'ch.destination',
    ])
    .select(['ch.host', 'ch.port', 'ch.remotePath', 'ch.userName', 'ch.secretSealed'])
    .select(['s.sentHash', 's.sentCount', 's.hostKey', 's.hostKeyOf', 'c.status', 'c.isPlatform'])
    .where('ch.id', '=', channelId)
    .executeTakeFirst()
  // The channel was deleted after it was claimed.
  if (row === undefined) throw new LostLease('The channel no longer exists.')
  const { sentHash, sentCount, hostKey, hostKeyOf, status, isPlatform, columns, priceMeaning, ...channel } =
    row
  return {
    // Saved through the contract's schema.
    channel: {
      ...(channel satisfies ChannelServer),
      columns: CustomColumns.parse(columns),
      priceMeaning,
    },
    state: { sentHash, sentCount, hostKey, hostKeyOf },
    isActiveCustomer: status === 'active',
    isPlatform,
  }
}

/** Ends runs that were interrupted when a server stopped, and deletes their files. */
async function startRun(db: Database, lease: ChannelLease): Promise<string> {
  await holdChannelLease(db, lease)
  const { rows: broken } = await sql<{ changedAt: string | null }>`with broken as (
      update channel_runs set state = 'failed', ended_at = app_now(), message = 'The server stopped during the run.'
      where channel_id = ${lease.channelId} and state = 'running' returning id, changed_at
    ), deleted as (delete from channel_file_parts where run_id in (select id from broken))
    select min(changed_at) as changed_at from broken`.execute(db)
  const { rows } = await sql<{ id: string }>`insert into channel_runs (channel_id, requested_by, changed_at)
    select channel_id, ${lease.requestedBy}, least(changed_at, ${broken[0]?.changedAt ?? null}::timestamptz)
    from channel_states where channel_id = ${lease.channelId} returning id`.execute(db)
  // What changes from now on is about the next run.
  await sql`update channel_states set changed_at = null, changed_by = null where channel_id = ${lease.channelId}`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

async function noteMade(db: Database, runId: string, made: MadeFile): Promise<void> {
  const { listed, excluded, bytes, hash: fileHash } = made
  await db
    .updateTable('channelRuns')
    .set({ listed, excluded, bytes: String(bytes), fileHash, reasons: JSON.stringify(made.reasons) })
    .where('id', '=', runId)
    .execute()
}

async function noteSent(
  db: Database,
  { channelId }: ChannelLease,
  { runId, made }: { runId: string; made: MadeFile },
): Promise<void> {
  await db
    .updateTable('channelStates')
    .set({ currentRunId: runId, sentHash: made.hash, sentCount: made.listed })
    .where('channelId', '=', channelId)
    .execute()
  await advertisePrices(db, channelId, runId)
}

/** Records the result of a run and schedules the next one. Keeps the current file and the previous one. */
async function endRun(
  db: Database,
  { lease, runId, result }: { lease: ChannelLease; runId: string; result: RunResult },
): Promise<void> {
  await holdChannelLease(db, lease)
  const { channelId, failures } = lease
  await db
    .updateTable('channelRuns')
    .set({ ...result, endedAt: sql`app_now()` })
    .where('id', '=', runId)
    .execute()
  const isFailed = result.state === 'failed' && failures <= MAX_FAILURES
  const retryAt = retryAfter(isFailed ? failures : null)
  // The delivered file still doesn't have what changed before this run.
  const isOld = result.state === 'failed' || result.state === 'stopped'
  // Only channels that are scheduled, or that have to follow a change, are retried.
  await sql`update channel_states s set lease = null, leased_until = null, requested_by = s.changed_by,
      failures = case when ${isFailed} then s.failures else 0 end,
      changed_at = case when ${isOld} then least(s.changed_at, r.changed_at) else s.changed_at end,
      rests_until = ${restsUntil},
      next_run_at = least(${nextBySchedule}, ${nextByChange},
        case when (${nextBySchedule}) is not null or (ch.is_active and r.changed_at is not null) then ${retryAt} end)
    from channels ch join customers c on c.id = ch.customer_id join channel_runs r on r.customer_id = ch.customer_id and r.id = ${runId}
    where ch.customer_id = s.customer_id and ch.id = s.channel_id and s.channel_id = ${channelId}`.execute(db)
  await sql`delete from channel_file_parts p using channel_runs r
    where r.customer_id = p.customer_id and r.id = p.run_id and r.channel_id = ${channelId}
      and r.id not in (select f.id from channel_runs f where f.channel_id = ${channelId} and f.state = 'sent' order by f.id desc limit 2)`.execute(
    db,
  )
  await sql`delete from channel_run_prices p using channel_runs r
    where r.customer_id = p.customer_id and r.id = p.run_id and r.channel_id = ${channelId}`.execute(db)
  await sql`delete from channel_exclusions h using channel_runs r
    where r.customer_id = h.customer_id and r.id = h.run_id and r.channel_id = ${channelId} and r.id < ${runId}`.execute(
    db,
  )
  await sql`delete from channel_runs where channel_id = ${channelId} and id not in
    (select id from channel_runs where channel_id = ${channelId} order by id desc limit ${sql.lit(KEPT_RUNS)})
    and id is distinct from (select current_run_id from channel_states where channel_id = ${channelId})`.execute(
    db,
  )
}
