import { sql } from 'kysely'
import { type NewFeedSource, sourceFlaws } from '#contract/inventory/feeds/sources/feed-source-schema.ts'
import { isFetched, isSentTo } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import {
  type FeedSource,
  type feedSources,
  KEPT_ARRIVALS,
} from '#contract/inventory/feeds/sources/feed-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale, tooMany } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { nextBySchedule } from '#server/inventory/due-turn.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import { organizationOf, requireSourceAccess } from './source-reach.ts'
import { newToken, secretContext } from './source-row.ts'
import { listFeedSources, readFeedSource } from './source-list.ts'
import { testServer } from './test-server.ts'

const WRONG = 'Some fields are not right.'
/** Connections that people of one customer have tried in an hour; more are refused with 429. */
const MOST_TESTS = 60

export type SourceWays = {
  secrets: Secrets
  /** Customers may name servers on private networks, too: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  /** Called when a source became due. */
  onDue: () => void
  /** Counts connections that are tried. */
  countTest: (customerId: string) => Promise<{ count: number; seconds: number }>
}

/** Feed sources: seen by their rooftop, or by those who reach the whole customer. */
export function feedSourceHandlers({
  secrets,
  allowsPrivate,
  onDue,
  countTest,
}: SourceWays): Handlers<typeof feedSources> {
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
      await makeDue(db, id)
      onDue()
      return readFeedSource(db, actor, id)
    },

    async update({ db, actor, input: { id, version, secret, ...changes } }) {
      await requireSourceAccess(db, actor, id)
      await db.selectFrom('feedSources').select('id').where('id', '=', id).forUpdate().execute()
      const current = await readFeedSource(db, actor, id)
      if (version !== undefined && version !== current.version) throw stale('This feed source', current)
      await assertReferencesExist(db, changes)
      const wanted = columnsOf({ ...settingsOf(current), ...sentFields(changes) })
      const flaws = sourceFlaws(wanted)
      if (Object.keys(flaws).length > 0) throw refused(WRONG, flaws)
      const { customerId } = actor
      const owned = await ownedBy(db, actor, wanted.lotIds)
      const context = secretContext({ ...wanted, customerId })
      const isElsewhere = context !== secretContext({ ...settingsOf(current), customerId })
      if (isElsewhere && current.hasSecret && secret === null && isFetched(wanted.kind)) {
        throw refused(WRONG, {
          secret: 'Give it again: the one that is kept was given for another server or user.',
        })
      }
      const sealed = secret === null || !isFetched(wanted.kind) ? null : secrets.seal(secret, context)
      await explain(
        db
          .updateTable('feedSources')
          // It works with the rights of whoever said last what it does.
          .set({ ...wanted, ...owned })
          .$if(secret !== null || isElsewhere, (change) => change.set({ secretSealed: sealed }))
          // Another kind of address is another address.
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
        throw conflict('This feed source is not fetched: its files are brought or sent.')
      if (!source.isActive) throw conflict('This feed source is switched off.')
      // One that is under way is what was asked for.
      await sql`update feed_source_states set next_run_at = app_now(), asked_by = ${actor.fullName}, failures = 0
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
        throw conflict('This feed source is not fetched: its files are brought or sent.')
      const { count, seconds } = await countTest(actor.customerId)
      if (count > MOST_TESTS) {
        throw tooMany(
          `More than ${MOST_TESTS} connections were tried within an hour. Try again later.`,
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
      if (!isSentTo(kind)) throw conflict('Nothing is sent to this feed source: it has no address.')
      const { token, hash } = newToken({ customerId: actor.customerId, id })
      await db.updateTable('feedSources').set({ tokenHash: hash }).where('id', '=', id).execute()
      return { path: kind === 'api' ? `/inbound/feed/${token}` : `/inbound/feed-mail/${token}` }
    },

    async arrivals({ db, actor, input: { id } }) {
      await readFeedSource(db, actor, id)
      const arrivals = await db
        .selectFrom('feedArrivals')
        .select(['id', 'state', 'askedBy', 'startedAt', 'endedAt', 'fileName', 'runId', 'said'])
        .where('sourceId', '=', id)
        .orderBy('id', 'desc')
        .limit(KEPT_ARRIVALS)
        .execute()
      return { arrivals }
    },
  }
}

/** A saved change is fetched at once where the source has a schedule; what went wrong before says nothing any more. */
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

const NO_PLACE = {
  host: null,
  port: null,
  remotePath: null,
  userName: null,
  everyHours: null,
  dailyAt: null,
  afterFetch: 'keep',
  moveTo: null,
} as const

/** What does not belong to the kind is not kept. */
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
    ...(!isFetched(kind) && NO_PLACE),
    mappingId,
    isActive,
    lotIds: [...lotIds],
    applies: kind === 'upload' ? ('ask' as const) : applies,
    senders: kind === 'mail' ? [...senders] : [],
  }
}

/** A source is as far-reaching as its owner, and seen where its lots are. */
async function ownedBy(db: Database, actor: Member, lotIds: readonly string[]) {
  return {
    organizationId: actor.reach === 'customer' ? await organizationOf(db, lotIds) : actor.organizationId,
    actingOrganizationId: actor.organizationId,
    reach: actor.reach,
    userCustomerId: actor.effectiveCustomerId,
    userId: actor.effectiveUserId,
  }
}

/** @throws Failure 400 on a mapping or a lot that is none of theirs. */
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
  const lots = await db.selectFrom('lots').select('id').where('id', 'in', wanted).execute()
  if (lots.length < wanted.length) throw refused(WRONG, { lotIds: 'Choose some of your lots.' })
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
