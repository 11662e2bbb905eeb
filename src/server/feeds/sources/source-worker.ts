import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import { NoSuchFile, reasonOf, TransferFailure } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import { isOpenOrganization } from '#server/organizations/index.ts'
import type { Secrets } from '#server/secrets.ts'
import {
  retryAfter,
  claimLease,
  dueTable,
  type DueLease,
  renewLease,
  MAX_FAILURES,
  nextBySchedule,
  systemScope,
  whileTransferring,
} from '#server/queue/due-items.ts'
import { type DueWorker, makeDueWorker } from '#server/queue/due-worker.ts'
import { LostLease } from '#server/queue/lease.ts'
import { shortName } from '#server/formats/file-name.ts'
import { clearFetched, isCleared, isOvertaken, NOTHING_NEW } from './clear-fetched.ts'
import { remoteOf, serverOf } from './source-row.ts'
import {
  activeColumns,
  startDelivery,
  endDelivery,
  type DeliveryResult,
  SAME,
  resolveProblem,
  ingest,
  type IngestOptions,
  type Within,
} from './ingest-feed.ts'

const SOURCES = dueTable('feed_source_states', 'source_id', true)

type FetchOptions = IngestOptions & {
  queue: Kysely<DB>
  secrets: Secrets
  /** Customers can use servers on private networks: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  onError: (error: unknown) => void
}

type Settings = Awaited<ReturnType<typeof readSettings>>

/**
 * Fetches the feeds of due sources. Safe to run at any time, repeatedly and on several servers: each source is leased to one
 * server at a time, and the lease of a killed server expires after a minute. An interrupted transfer leaves nothing behind.
 */
export function makeFeedFetcher(parts: FetchOptions): DueWorker {
  const { pool, queue, onError } = parts

  async function work(lease: DueLease): Promise<void> {
    const scope = systemScope(lease.customerId, 'feedSources.fetch')
    const within: Within = (some) => inTenant(pool, scope, some)
    try {
      const settings = await within((db) => readSettings(db, lease))
      const id = await within((db) => begin(db, lease))
      const ending = await whileTransferring(within, SOURCES, lease, () =>
        fetchSource(within, { lease, settings }),
      )
      await resolveProblem(within, parts, { source: settings.source, ending })
      await within((db) => end(db, { lease, id, ending }))
    } catch (error) {
      // The server that has the lease now continues.
      if (!(error instanceof LostLease)) throw error
    }
  }

  async function fetchSource(
    within: Within,
    { lease, settings }: { lease: DueLease; settings: Settings },
  ): Promise<DeliveryResult> {
    const failed = (message: string): DeliveryResult => ({ state: 'failed', runId: null, message })
    if (lease.failures > MAX_FAILURES) {
      return failed('It failed several times in a row. The next attempt is at its scheduled time.')
    }
    const nothingNew: DeliveryResult = { state: 'unchanged', runId: null, message: NOTHING_NEW }
    const { source, server, last, isActive, isActiveCustomer, isOpen, isPlatform } = settings
    if (!isActiveCustomer) return failed("This customer isn't active.")
    if (!isOpen) return failed('The organization of this feed source is archived.')
    if (!isActive) return failed('This feed source is turned off.')
    try {
      const address = serverOf(server)
      const knownKey = settings.hostKeyOf === address ? settings.hostKey : null
      const isGuarded = !parts.allowsPrivate && !isPlatform
      const remote = remoteOf(server, {
        secrets: parts.secrets,
        isGuarded,
        hostKey: knownKey,
        zone: settings.zone,
      })
      if (remote === null) return failed('This feed source has no server to fetch from.')
      const { body, hostKey, file } = await fetchFile(remote, { maxBytes: parts.fileLimit })
      if (isOvertaken(file, server, last)) {
        body.destroy()
        return nothingNew
      }
      const fileName = nameOf(file.path, remote.host)
      const renew = (db: Database): Promise<void> => renewLease(db, SOURCES, lease)
      const { runId, isSame } = await ingest(parts, source, {
        stream: body,
        fileName,
        confirm: renew,
      }).finally(() => body.destroy())
      if (hostKey !== null && hostKey !== knownKey) {
        await within((db) => saveHostKey(db, { sourceId: source.id, hostKey, server: address }))
      }
      const cleared = await clearFetched(within, parts, {
        source,
        server,
        remote: { ...remote, hostKey: hostKey ?? knownKey },
        file,
        renew,
      })
      const message =
        [isSame ? SAME : null, cleared].filter((sentence) => sentence !== null).join(' ') || null
      return { state: isSame ? 'unchanged' : 'received', runId, fileName, message }
    } catch (error) {
      if (error instanceof LostLease) throw error
      if (error instanceof NoSuchFile && isCleared(server, last)) return nothingNew
      // Errors of the remote server are not our bugs.
      if (!(error instanceof TransferFailure || error instanceof Failure)) onError(error)
      return failed(reasonOf(error))
    }
  }

  return makeDueWorker({ claim: () => claimLease(queue, SOURCES), work, onError })
}

/** The file name shown in the list of feeds, without the query string, which may contain a key. */
function nameOf(path: string, host: string): string {
  const [name = ''] = (path.split('?')[0] ?? '').split('/').slice(-1)
  return name === '' ? host : shortName(name)
}

/** @throws LostLease if the source was deleted since the lease was claimed. */
async function readSettings(db: Database, { id }: DueLease) {
  const row = await db
    .selectFrom('feedSources as s')
    .innerJoin('feedSourceStates as t', 't.sourceId', 's.id')
    .innerJoin('customers as c', 'c.id', 's.customerId')
    .select(activeColumns)
    .select(['s.kind', 's.host', 's.port', 's.remotePath', 's.userName', 's.secretSealed', 's.isActive'])
    .select(['s.afterFetch', 's.moveTo', 't.takenFrom', 't.takenName', 't.takenChangedAt'])
    .select(['t.hostKey', 't.hostKeyOf', 'c.status', 'c.isPlatform', 'c.timeZone'])
    .select(
      isOpenOrganization({
        customerId: sql.ref('s.customerId'),
        organizationId: sql.ref('s.organizationId'),
      }).as('isOpen'),
    )
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new LostLease('The feed source was deleted.')
  const { kind, host, port, remotePath, userName, secretSealed, afterFetch, moveTo, ...more } = row
  const { takenFrom, takenName, takenChangedAt, ...others } = more
  const { isActive, hostKey, hostKeyOf, status, isPlatform, timeZone, isOpen, ...source } = others
  return {
    source,
    server: {
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
    isOpen: isOpen === true,
    isPlatform,
  }
}

/** Records the start of the fetch and ends one that was interrupted by a server stop. */
async function begin(db: Database, lease: DueLease): Promise<string | null> {
  await renewLease(db, SOURCES, lease)
  await db
    .updateTable('feedDeliveries')
    .set({ state: 'failed', endedAt: sql`app_now()`, message: 'The server stopped during the transfer.' })
    .where('sourceId', '=', lease.id)
    .where('state', '=', 'running')
    .execute()
  return startDelivery(db, { sourceId: lease.id, requestedBy: lease.requestedBy })
}

/** Records the result and the next run. A source without a schedule is not retried. */
async function end(
  db: Database,
  { lease, id, ending }: { lease: DueLease; id: string | null; ending: DeliveryResult },
): Promise<void> {
  await renewLease(db, SOURCES, lease)
  if (id !== null) await endDelivery(db, { sourceId: lease.id, id, ending })
  const isFailed = ending.state === 'failed' && lease.failures <= MAX_FAILURES
  const [next, again] = [nextBySchedule('fs'), retryAfter(isFailed ? lease.failures : null)]
  await sql`update feed_source_states s set lease = null, leased_until = null, requested_by = null,
      failures = case when ${isFailed} then s.failures else 0 end,
      next_run_at = case when (${next}) is null then null else least(${next}, ${again}) end
    from feed_sources fs join customers c on c.id = fs.customer_id
    where fs.customer_id = s.customer_id and fs.id = s.source_id and s.source_id = ${lease.id}`.execute(db)
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
