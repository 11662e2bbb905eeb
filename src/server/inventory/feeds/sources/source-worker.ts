import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import { NoSuchFile, reasonOf, TransferFailure } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import type { Secrets } from '#server/secrets.ts'
import {
  againAfter,
  claimLease,
  type DueLease,
  HOLD_MS,
  holdLease,
  type LeaseTable,
  LostLease,
  MAX_FAILURES,
  nextBySchedule,
  scopeOfMachine,
} from '#server/inventory/due-turn.ts'
import { shortName } from '../runs/file-name.ts'
import { clearFetched, isCleared, isOvertaken, NOTHING_NEW } from './clear-fetched.ts'
import { remoteOf, serverOf } from './source-row.ts'
import {
  activeColumns,
  startArrival,
  endArrival,
  type Ending,
  SAME,
  resolveProblem,
  ingest,
  type TakeInParts,
  type Within,
} from './ingest-feed.ts'

/** Sources that one server fetches at once: one whose other end hangs holds up itself. */
const LANES = 3
const SOURCES: LeaseTable = { table: 'feed_source_states', key: 'source_id' }

export type FetchParts = TakeInParts & {
  queue: Kysely<DB>
  secrets: Secrets
  /** Customers may name servers on private networks, too: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  onError: (error: unknown) => void
}

type Settings = Awaited<ReturnType<typeof readSettings>>

/**
 * Fetches the feeds of sources when they are due. Safe to ask for at any time, twice, and on several servers: each source
 * is one server's at a time, and a server that was killed is missed after a minute. A file that is cut off leaves nothing.
 */
export function makeFeedFetcher(parts: FetchParts): { workDue: () => Promise<void> } {
  const { pool, queue, onError } = parts

  async function work(turn: DueLease): Promise<void> {
    const scope = scopeOfMachine(turn.customerId, 'feedSources.fetch')
    const within: Within = (some) => inTenant(pool, scope, some)
    try {
      const settings = await within((db) => readSettings(db, turn))
      const id = await within((db) => begin(db, turn))
      const ending = await bring(within, { turn, settings })
      await resolveProblem(within, parts, { source: settings.source, ending })
      await within((db) => end(db, { turn, id, ending }))
    } catch (error) {
      // Whoever has the turn now goes on.
      if (!(error instanceof LostLease)) throw error
    }
  }

  async function bring(
    within: Within,
    { turn, settings }: { turn: DueLease; settings: Settings },
  ): Promise<Ending> {
    const failed = (said: string): Ending => ({ state: 'failed', runId: null, said })
    if (turn.failures > MAX_FAILURES) {
      return failed('It went wrong again and again and waits for its next time.')
    }
    const nothingNew: Ending = { state: 'unchanged', runId: null, said: NOTHING_NEW }
    const { source, place, last, isActive, isActiveCustomer, isPlatform } = settings
    if (!isActiveCustomer) return failed('This customer is not active.')
    if (!isActive) return failed('This feed source is switched off.')
    const holding = setInterval(
      () => void within((db) => holdLease(db, SOURCES, turn)).catch(() => {}),
      HOLD_MS,
    )
    try {
      const server = serverOf(place)
      const known = settings.hostKeyOf === server ? settings.hostKey : null
      const isGuarded = !parts.allowsPrivate && !isPlatform
      const remote = remoteOf(place, {
        secrets: parts.secrets,
        isGuarded,
        hostKey: known,
        zone: settings.zone,
      })
      if (remote === null) return failed('This feed source says no place to fetch from.')
      const { body, hostKey, file } = await fetchFile(remote, { maxBytes: parts.fileLimit })
      if (isOvertaken(file, place, last)) {
        body.destroy()
        return nothingNew
      }
      const fileName = nameOf(file.path, remote.host)
      const hold = (db: Database): Promise<void> => holdLease(db, SOURCES, turn)
      const { runId, isSame } = await ingest(parts, source, {
        stream: body,
        fileName,
        confirm: hold,
      }).finally(() => body.destroy())
      if (hostKey !== null && hostKey !== known) {
        await within((db) => saveHostKey(db, { sourceId: source.id, hostKey, server }))
      }
      const cleared = await clearFetched(within, parts, {
        source,
        place,
        remote: { ...remote, hostKey: hostKey ?? known },
        file,
        hold,
      })
      const said = [isSame ? SAME : null, cleared].filter((sentence) => sentence !== null).join(' ') || null
      return { state: isSame ? 'unchanged' : 'brought', runId, fileName, said }
    } catch (error) {
      if (error instanceof LostLease) throw error
      if (error instanceof NoSuchFile && isCleared(place, last)) return nothingNew
      // What another machine says is no fault of ours.
      if (!(error instanceof TransferFailure || error instanceof Failure)) onError(error)
      return failed(reasonOf(error))
    } finally {
      clearInterval(holding)
    }
  }

  async function runLane(): Promise<void> {
    for (;;) {
      const turn = await claimLease(queue, SOURCES)
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

/** What the file is called in the list of feeds: never what stands behind a question mark, which may be a key. */
function nameOf(path: string, host: string): string {
  const [name = ''] = (path.split('?')[0] ?? '').split('/').slice(-1)
  return name === '' ? host : shortName(name)
}

/** @throws LostLease when it was deleted since it was claimed: its state is gone as well. */
async function readSettings(db: Database, { id }: DueLease) {
  const row = await db
    .selectFrom('feedSources as s')
    .innerJoin('feedSourceStates as t', 't.sourceId', 's.id')
    .innerJoin('customers as c', 'c.id', 's.customerId')
    .select(activeColumns)
    .select(['s.kind', 's.host', 's.port', 's.remotePath', 's.userName', 's.secretSealed', 's.isActive'])
    .select(['s.afterFetch', 's.moveTo', 't.takenFrom', 't.takenName', 't.takenChangedAt'])
    .select(['t.hostKey', 't.hostKeyOf', 'c.status', 'c.isPlatform', 'c.timeZone'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new LostLease('There is no such source any more.')
  const { kind, host, port, remotePath, userName, secretSealed, afterFetch, moveTo, ...more } = row
  const { takenFrom, takenName, takenChangedAt, ...others } = more
  const { isActive, hostKey, hostKeyOf, status, isPlatform, timeZone, ...source } = others
  return {
    source,
    place: {
      customerId: source.customerId,
      kind,
      host,
      port,
      remotePath,
      userName,
      secretSealed,
      afterFetch,
      moveTo,
    },
    last: { takenFrom, takenName, takenChangedAt },
    isActive,
    zone: timeZone,
    hostKey,
    hostKeyOf,
    isActiveCustomer: status === 'active',
    isPlatform,
  }
}

/** One that was cut off with its server is over. */
async function begin(db: Database, turn: DueLease): Promise<string | null> {
  await holdLease(db, SOURCES, turn)
  await db
    .updateTable('feedArrivals')
    .set({ state: 'failed', endedAt: sql`app_now()`, said: 'The server was stopped while it came.' })
    .where('sourceId', '=', turn.id)
    .where('state', '=', 'running')
    .execute()
  return startArrival(db, { sourceId: turn.id, askedBy: turn.askedBy })
}

/** Says how it ended and when the source is due next. What nobody scheduled is not tried again by itself. */
async function end(
  db: Database,
  { turn, id, ending }: { turn: DueLease; id: string | null; ending: Ending },
): Promise<void> {
  await holdLease(db, SOURCES, turn)
  if (id !== null) await endArrival(db, { sourceId: turn.id, id, ending })
  const isFailed = ending.state === 'failed' && turn.failures <= MAX_FAILURES
  const [next, again] = [nextBySchedule('fs'), againAfter(isFailed ? turn.failures : null)]
  await sql`update feed_source_states s set lease = null, leased_until = null, asked_by = null,
      failures = case when ${isFailed} then s.failures else 0 end,
      next_run_at = case when (${next}) is null then null else least(${next}, ${again}) end
    from feed_sources fs join customers c on c.id = fs.customer_id
    where fs.customer_id = s.customer_id and fs.id = s.source_id and s.source_id = ${turn.id}`.execute(db)
}

async function saveHostKey(
  db: Database,
  { sourceId, hostKey, server }: { sourceId: string; hostKey: string; server: string },
): Promise<void> {
  await db
    .updateTable('feedSourceStates')
    .set({ hostKey, hostKeyOf: server })
    .where('sourceId', '=', sourceId)
    .execute()
}
