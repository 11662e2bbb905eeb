import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { KEPT_RUNS } from '#contract/inventory/channels/channels.ts'
import { OwnColumns } from '#contract/inventory/channels/listings/own-columns.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { reasonOf } from '#server/outside/transfer/remote.ts'
import { TransferFailure } from '#server/outside/transfer/remote.ts'
import { sendFile } from '#server/outside/transfer/transfer.ts'
import type { Secrets } from '#server/secrets.ts'
import { type ChannelServer, remoteOf, serverOf } from './channel-row.ts'
import { againAfter, HOLD_MS, LostLease, MAX_FAILURES } from '../due-turn.ts'
import {
  claimChannel,
  type ChannelLease,
  holdChannelLease,
  nextBySchedule,
  scopeOfLease,
} from './channel-lease.ts'
import { readParts } from './file-parts.ts'
import { makeFile, type MadeFile } from './make-file.ts'
import { FEED_TYPES } from './write-feed.ts'

/** Channels that one server works on at once: one whose other end hangs holds up itself. */
const LANES = 3
/** Below this nobody can tell a flaw from an ordinary day. */
const GUARDED_FROM = 10

export type ChannelParts = {
  pool: pg.Pool
  queue: Kysely<DB>
  secrets: Secrets
  /** Where the product is reached. */
  base: () => string
  /** Customers may name servers on private networks, too: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  onError: (error: unknown) => void
}

type Settings = Awaited<ReturnType<typeof readSettings>>
type Ending = { state: 'sent' | 'unchanged' | 'stopped' | 'failed'; said: string | null }

/**
 * Brings channels their files when they are due. Safe to ask for at any time, twice, and on several servers: each
 * channel is one server's at a time, and a server that was killed is missed after a minute. The file that is at its
 * place stays there until the next one is whole.
 */
export function makeChannelWorker(parts: ChannelParts): { workDue: () => Promise<void> } {
  const { pool, queue, onError } = parts

  async function work(turn: ChannelLease): Promise<void> {
    const within = <T>(some: (db: Database) => Promise<T>): Promise<T> =>
      inTenant(pool, scopeOfLease(turn), some)
    try {
      const settings = await within((db) => readSettings(db, turn))
      const runId = await within((db) => startRun(db, turn))
      const ending = await bring(within, { turn, settings, runId })
      await within((db) => endRun(db, { turn, runId, ending }))
    } catch (error) {
      // Whoever has the turn now goes on.
      if (!(error instanceof LostLease)) throw error
    }
  }

  async function bring(
    within: <T>(some: (db: Database) => Promise<T>) => Promise<T>,
    { turn, settings, runId }: { turn: ChannelLease; settings: Settings; runId: string },
  ): Promise<Ending> {
    if (turn.failures > MAX_FAILURES) {
      return { state: 'failed', said: 'It went wrong again and again and waits for its next time.' }
    }
    const { channel, isActiveCustomer } = settings
    if (!isActiveCustomer) return { state: 'stopped', said: 'This customer is not active.' }
    try {
      const { secrets } = parts
      const made = await makeFile({ turn, runId, channel, base: parts.base(), secrets, inTenant: within })
      await within((db) => noteMade(db, runId, made))
      const refusal = refusalOf(turn, settings, made)
      if (refusal !== null) return refusal
      return await deliver(within, { turn, settings, runId, made })
    } catch (error) {
      if (error instanceof LostLease) throw error
      // What another machine says is no fault of ours.
      if (!(error instanceof TransferFailure)) onError(error)
      return { state: 'failed', said: reasonOf(error) }
    }
  }

  async function deliver(
    within: <T>(some: (db: Database) => Promise<T>) => Promise<T>,
    {
      turn,
      settings: { channel, state, isPlatform },
      runId,
      made,
    }: { turn: ChannelLease; settings: Settings; runId: string; made: MadeFile },
  ): Promise<Ending> {
    const server = serverOf(channel)
    const hostKey = state.hostKeyOf === server ? state.hostKey : null
    const remote = remoteOf(channel, {
      secrets: parts.secrets,
      isGuarded: !parts.allowsPrivate && !isPlatform,
      hostKey,
    })
    if (remote === null) {
      await within(async (db) => {
        await holdChannelLease(db, turn)
        await noteSent(db, turn, { runId, made })
      })
      return { state: 'sent', said: null }
    }
    const holding = setInterval(
      () => void within((db) => holdChannelLease(db, turn)).catch(() => {}),
      HOLD_MS,
    )
    try {
      const sent = await sendFile(remote, {
        body: readParts(within, { runId, bytes: made.bytes }),
        bytes: made.bytes,
        type: FEED_TYPES[channel.format],
        word: runId,
        key: `${channel.customerId}-${channel.id}-${made.hash}`,
        confirm: () => within((db) => holdChannelLease(db, turn)),
      })
      await within(async (db) => {
        await noteSent(db, turn, { runId, made })
        if (sent.hostKey !== null && sent.hostKey !== hostKey) {
          await sql`update channel_states set host_key = ${sent.hostKey}, host_key_of = ${server}
            where channel_id = ${turn.channelId}`.execute(db)
        }
      })
      return { state: 'sent', said: null }
    } finally {
      clearInterval(holding)
    }
  }

  async function runLane(): Promise<void> {
    for (;;) {
      const turn = await claimChannel(queue)
      if (turn === null) return
      await work(turn).catch(onError)
    }
  }

  return {
    async workDue() {
      await Promise.all(Array.from({ length: LANES }, runLane))
    },
  }
}

/** Why nothing goes out although a file was made; null when it does. */
function refusalOf({ askedBy }: ChannelLease, { state }: Settings, made: MadeFile): Ending | null {
  if (askedBy !== null) return null
  if (state.sentHash === made.hash) {
    return { state: 'unchanged', said: 'The file is the same as the last one.' }
  }
  const before = state.sentOffered ?? 0
  if (before >= GUARDED_FROM && made.offered * 2 < before) {
    return {
      state: 'stopped',
      said: `Only ${made.offered} vehicles, where the last file had ${before}. If that is right, run it by hand.`,
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
      'ch.destination',
    ])
    .select(['ch.host', 'ch.port', 'ch.remotePath', 'ch.userName', 'ch.secretSealed'])
    .select(['s.sentHash', 's.sentOffered', 's.hostKey', 's.hostKeyOf', 'c.status', 'c.isPlatform'])
    .where('ch.id', '=', channelId)
    .executeTakeFirst()
  // Deleted since it was claimed: its state is gone as well.
  if (row === undefined) throw new LostLease('There is no such channel any more.')
  const { sentHash, sentOffered, hostKey, hostKeyOf, status, isPlatform, columns, ...channel } = row
  return {
    // The contract's schema let them in.
    channel: { ...(channel satisfies ChannelServer), columns: OwnColumns.parse(columns) },
    state: { sentHash, sentOffered, hostKey, hostKeyOf },
    isActiveCustomer: status === 'active',
    isPlatform,
  }
}

/** A run that was cut off with its server is over; its file goes. */
async function startRun(db: Database, turn: ChannelLease): Promise<string> {
  await holdChannelLease(db, turn)
  await sql`with broken as (
      update channel_runs set state = 'failed', ended_at = app_now(), said = 'The server was stopped while it ran.'
      where channel_id = ${turn.channelId} and state = 'running' returning id
    ) delete from channel_file_parts where run_id in (select id from broken)`.execute(db)
  const { id } = await db
    .insertInto('channelRuns')
    .values({ channelId: turn.channelId, askedBy: turn.askedBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function noteMade(db: Database, runId: string, made: MadeFile): Promise<void> {
  const { offered, held, bytes, hash: fileHash } = made
  await db
    .updateTable('channelRuns')
    .set({ offered, held, bytes: String(bytes), fileHash, reasons: JSON.stringify(made.reasons) })
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
    .set({ currentRunId: runId, sentHash: made.hash, sentOffered: made.offered })
    .where('channelId', '=', channelId)
    .execute()
}

/** Says how a run ended and when the next is due. Of its files the present and the one before are kept. */
async function endRun(
  db: Database,
  { turn, runId, ending }: { turn: ChannelLease; runId: string; ending: Ending },
): Promise<void> {
  await holdChannelLease(db, turn)
  const { channelId, failures } = turn
  await db
    .updateTable('channelRuns')
    .set({ ...ending, endedAt: sql`app_now()` })
    .where('id', '=', runId)
    .execute()
  const isFailed = ending.state === 'failed' && failures <= MAX_FAILURES
  const again = againAfter(isFailed ? failures : null)
  // What nobody scheduled is not tried again by itself.
  await sql`update channel_states s set lease = null, leased_until = null, asked_by = null,
      failures = case when ${isFailed} then s.failures else 0 end,
      next_run_at = case when (${nextBySchedule}) is null then null else least(${nextBySchedule}, ${again}) end
    from channels ch join customers c on c.id = ch.customer_id
    where ch.customer_id = s.customer_id and ch.id = s.channel_id and s.channel_id = ${channelId}`.execute(db)
  await sql`delete from channel_file_parts p using channel_runs r
    where r.customer_id = p.customer_id and r.id = p.run_id and r.channel_id = ${channelId}
      and r.id not in (select f.id from channel_runs f where f.channel_id = ${channelId} and f.state = 'sent' order by f.id desc limit 2)`.execute(
    db,
  )
  await sql`delete from channel_held h using channel_runs r
    where r.customer_id = h.customer_id and r.id = h.run_id and r.channel_id = ${channelId} and r.id < ${runId}`.execute(
    db,
  )
  await sql`delete from channel_runs where channel_id = ${channelId} and id not in
    (select id from channel_runs where channel_id = ${channelId} order by id desc limit ${sql.lit(KEPT_RUNS)})
    and id is distinct from (select current_run_id from channel_states where channel_id = ${channelId})`.execute(
    db,
  )
}
