import { sql } from 'kysely'
import { type NewFeedSource, sourceErrors } from '#contract/feeds/sources/feed-source-schema.ts'
import { isFetched, isSentTo } from '#contract/feeds/sources/feed-source-list.ts'
import {
  type FeedSource,
  type feedSources,
  MAX_DELIVERIES,
  MAX_FEED_SOURCES,
} from '#contract/feeds/sources/feed-sources.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { newUrlToken } from '#server/http/url-token.ts'
import type { Secrets } from '#server/secrets.ts'
import { nextBySchedule } from '#server/queue/due-items.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import { organizationOf, requireSourceAccess } from '../runs/source-reach.ts'
import { secretContext } from './source-row.ts'
import { listFeedSources, readFeedSource } from './source-list.ts'
import { testServer } from './test-server.ts'

const WRONG = 'Some fields are invalid.'
/** The most connection tests per customer and hour; more are rejected with 429. */
const MAX_TESTS_PER_HOUR = 60

export type SourceOptions = {
  secrets: Secrets
  /** Customers can use servers on private networks: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  /** Called when a source becomes due. */
  onDue: () => void
  /** Counts connection tests. */
  countTest: (customerId: string) => Promise<{ count: number; seconds: number }>
}

/** Feed sources: visible to the organization of their lots, and to users with access to the whole customer. */
export function feedSourceHandlers({
  secrets,
  allowsPrivate,
  onDue,
  countTest,
}: SourceOptions): Handlers<typeof feedSources> {
  return {
    list: ({ db, actor, input }) => listFeedSources(db, actor, input),

    get: ({ db, actor, input }) => readFeedSource(db, actor, input.id),

    async add({ db, actor, input: { secret, ...given } }) {
      await assertReferencesExist(db, given)
      const { customerId } = actor
      const columns = columnsOf(given)
      const sealed = secret === null ? null : secrets.seal(secret, secretContext({ ...columns, customerId }))
      const { id } = await explain(
        db
          .insertInto('feedSources')
          .values({
            ...columns,
            ...(await ownedBy(db, actor, columns.lotIds)),
            secretSealed: isFetched(columns.kind) ? sealed : null,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      await refuseTooManySources(db, customerId)
      await makeDue(db, id)
      onDue()
      return readFeedSource(db, actor, id)
    },

    async update({ db, actor, input: { id, version, secret, ...changes } }) {
      await requireSourceAccess(db, actor, id)
      await db.selectFrom('feedSources').select('id').where('id', '=', id).forUpdate().execute()
      const current = await readFeedSource(db, actor, id)
      if (version !== undefined && version !== current.version) throw stale('This feed source', current)
      await assertReferencesExist(db, {
        ...changes,
        // A lot that was deleted doesn't keep the rest from being changed.
        lotIds: changes.lotIds?.filter((lot) => !current.lotIds.includes(lot)),
      })
      const wanted = columnsOf({ ...settingsOf(current), ...sentFields(changes) })
      const errors = sourceErrors(wanted)
      if (Object.keys(errors).length > 0) throw refused(WRONG, errors)
      const { customerId } = actor
      const owned = await ownedBy(db, actor, wanted.lotIds)
      const context = secretContext({ ...wanted, customerId })
      const isElsewhere = context !== secretContext({ ...settingsOf(current), customerId })
      if (isElsewhere && current.hasSecret && secret === null && isFetched(wanted.kind)) {
        throw refused(WRONG, {
          secret: 'Enter the password again. The saved one is for a different server or user.',
        })
      }
      const sealed = secret === null || !isFetched(wanted.kind) ? null : secrets.seal(secret, context)
      await explain(
        db
          .updateTable('feedSources')
          // The source runs with the permissions of the last user who saved it.
          .set({ ...wanted, ...owned })
          .$if(secret !== null || isElsewhere, (change) => change.set({ secretSealed: sealed }))
          // A different delivery method needs a new URL.
          .$if(wanted.kind !== current.kind, (change) => change.set({ tokenHash: null }))
          .where('id', '=', id)
          .execute(),
      )
      await makeDue(db, id)
      onDue()
      return readFeedSource(db, actor, id)
    },

    async remove({ db, actor, input }) {
      await requireSourceAccess(db, actor, input.id)
      await requireSeen(db, input, {
        table: 'feedSources',
        noun: 'feed source',
        read: () => readFeedSource(db, actor, input.id),
      })
      const removed = await db
        .deleteFrom('feedSources')
        .where('id', '=', input.id)
        .returning('id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('Feed source')
      return null
    },

    async fetch({ db, actor, input: { id } }) {
      await requireSourceAccess(db, actor, id)
      const source = await readFeedSource(db, actor, id)
      if (!isFetched(source.kind))
        throw conflict("This feed source isn't fetched. Its files are uploaded or sent to it.")
      if (!source.isActive) throw conflict('This feed source is turned off.')
      // A fetch in progress already satisfies the request.
      await sql`update feed_source_states set next_run_at = app_now(), requested_by = ${actor.fullName}, failures = 0
        where source_id = ${id} and coalesce(leased_until <= app_now(), true)`.execute(db)
      onDue()
      return null
    },

    async test({ actor, inTenant, input: { id } }) {
      const source = await inTenant(async (db) => {
        await requireSourceAccess(db, actor, id)
        return readFeedSource(db, actor, id)
      })
      if (!isFetched(source.kind))
        throw conflict("This feed source isn't fetched. Its files are uploaded or sent to it.")
      const { count, seconds } = await countTest(actor.customerId)
      if (count > MAX_TESTS_PER_HOUR) {
        throw tooMany(
          `More than ${MAX_TESTS_PER_HOUR} connections were tested within an hour. Try again later.`,
          seconds,
        )
      }
      return testServer(inTenant, { id, secrets, allowsPrivate })
    },

    async forgetHostKey({ db, actor, input: { id } }) {
      await requireSourceAccess(db, actor, id)
      await readFeedSource(db, actor, id)
      await db
        .updateTable('feedSourceStates')
        .set({ hostKey: null, hostKeyOf: null })
        .where('sourceId', '=', id)
        .execute()
      return readFeedSource(db, actor, id)
    },

    async renewToken({ db, actor, input: { id } }) {
      await requireSourceAccess(db, actor, id)
      const { kind } = await readFeedSource(db, actor, id)
      if (!isSentTo(kind)) throw conflict("This feed source doesn't receive files at a URL.")
      const { token, hash } = newUrlToken({ customerId: actor.customerId, id })
      await db.updateTable('feedSources').set({ tokenHash: hash }).where('id', '=', id).execute()
      return { path: kind === 'api' ? `/inbound/feed/${token}` : `/inbound/feed-mail/${token}` }
    },

    async deliveries({ db, actor, input: { id } }) {
      await readFeedSource(db, actor, id)
      const deliveries = await db
        .selectFrom('feedDeliveries')
        .select(['id', 'state', 'requestedBy', 'startedAt', 'endedAt', 'fileName', 'runId', 'message'])
        .where('sourceId', '=', id)
        .orderBy('id', 'desc')
        .limit(MAX_DELIVERIES)
        .execute()
      return { deliveries }
    },
  }
}

/** After a save, a scheduled source is fetched right away and earlier problems are cleared. */
async function makeDue(db: Database, id: string): Promise<void> {
  const next = nextBySchedule('fs')
  await sql`insert into feed_source_states as s (source_id, next_run_at)
    select fs.id, case when (${next}) is null then null else app_now() end
    from feed_sources fs join customers c on c.id = fs.customer_id where fs.id = ${id}
    on conflict (customer_id, source_id) do update
      set next_run_at = excluded.next_run_at, failures = 0, last_problem = null, told_at = null, after_problem = null`.execute(
    db,
  )
}

type SourceInput = Omit<NewFeedSource, 'secret'>

function settingsOf(source: FeedSource): SourceInput {
  const { name, kind, mappingId, isActive, lotIds, applies, senders } = source
  const { host, port, remotePath, userName, everyHours, dailyAt, afterFetch, moveTo } = source
  const place = { host, port, remotePath, userName, everyHours, dailyAt, afterFetch, moveTo }
  return { name, kind, mappingId, isActive, lotIds, applies, senders, ...place }
}

const NO_SERVER = {
  host: null,
  port: null,
  remotePath: null,
  userName: null,
  everyHours: null,
  dailyAt: null,
  afterFetch: 'keep',
  moveTo: null,
} as const

/** The columns to store. Settings of other delivery methods are cleared. */
function columnsOf({
  mappingId = null,
  isActive = true,
  lotIds = [],
  applies = 'ask',
  senders = [],
  ...given
}: SourceInput) {
  const { kind, afterFetch, moveTo } = given
  return {
    ...given,
    moveTo: afterFetch === 'move' ? moveTo : null,
    ...(!isFetched(kind) && NO_SERVER),
    mappingId,
    isActive,
    lotIds: [...lotIds],
    applies: kind === 'upload' ? ('ask' as const) : applies,
    senders: kind === 'mail' ? [...senders] : [],
  }
}

/**
 * Checks a source that was just added. Users of one organization count those that they see.
 * @throws Failure 409 if there are too many now
 */
async function refuseTooManySources(db: Database, customerId: string): Promise<void> {
  // One at a time, because two concurrent requests could both add the last one.
  await acquireAdvisoryLock(db, `feed sources ${customerId}`)
  const { rows } = await sql<{ isOver: boolean }>`
    select count(*) > ${MAX_FEED_SOURCES} as is_over from feed_sources where customer_id = ${customerId}`.execute(
    db,
  )
  if (rows[0]?.isOver)
    throw conflict(
      `There can be at most ${MAX_FEED_SOURCES.toLocaleString('en')} feed sources. Delete those that send nothing anymore first.`,
    )
}

/** A source has the reach of its owner and is visible to the organization of its lots. */
async function ownedBy(db: Database, actor: Member, lotIds: readonly string[]) {
  return {
    organizationId: actor.reach === 'customer' ? await organizationOf(db, lotIds) : actor.organizationId,
    actingOrganizationId: actor.organizationId,
    reach: actor.reach,
    userCustomerId: actor.effectiveCustomerId,
    userId: actor.effectiveUserId,
  }
}

/** @throws Failure 400 for a mapping or a lot that the caller can't access. */
async function assertReferencesExist(
  db: Database,
  {
    mappingId,
    lotIds = [],
  }: { mappingId?: string | null | undefined; lotIds?: readonly string[] | undefined },
): Promise<void> {
  if (typeof mappingId === 'string') {
    const mapping = await db
      .selectFrom('providerMappings')
      .select('id')
      .where('id', '=', mappingId)
      .executeTakeFirst()
    if (mapping === undefined) throw refused(WRONG, { mappingId: 'Choose one of your provider mappings.' })
  }
  if (lotIds.length === 0) return
  const wanted = [...new Set(lotIds)]
  if ((await holdRecords(db, 'lots', wanted)).size < wanted.length)
    throw refused(WRONG, { lotIds: 'Choose from your lots.' })
}

async function explain<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another feed source already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
