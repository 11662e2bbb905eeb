import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Received } from '#contract/endpoint.ts'
import {
  type FeedRow,
  type TakenAway,
  FEED_ROW_KINDS,
  FEED_ROW_STATES,
  type feedRuns,
} from '#contract/feeds/runs/feed-runs.ts'
import { MAX_NAMED, namePriceChanges } from '#contract/vehicles/vehicles/price-changes.ts'
import { PRICE_ANSWERS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { KEPT_STATUS } from '#contract/feeds/mappings/feed-status.ts'
import { UNKNOWN_STATUS } from '#contract/feeds/mappings/map-row.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import { seesCost } from '#server/vehicles/index.ts'
import { namesIn, VehicleValues } from './reading/feed-values.ts'

const COSTS = new Set<string>(['cost', 'invoice'])

function selectRows(db: Database) {
  return db
    .selectFrom('feedRunRows as r')
    .leftJoin('lots as l', (join) =>
      join.onRef('l.customerId', '=', 'r.customerId').onRef('l.id', '=', 'r.lotId'),
    )
    .leftJoin('lots as t', (join) =>
      join.onRef('t.customerId', '=', 'r.customerId').onRef('t.id', '=', 'r.toLotId'),
    )
    .select([
      't.name as toLotName',
      'r.id',
      'r.kind',
      'r.state',
      'r.line',
      'r.title',
      'r.vin',
      'r.stock',
      'r.dealer',
      'r.lotId',
      'l.name as lotName',
    ])
    .select([
      'r.vehicleId',
      'r.raw',
      'r.reasons',
      'r.warnings',
      'r.after',
      'r.before',
      'r.fromVin',
      'r.locked',
      'r.toStatus',
      'r.note',
    ])
    .select(['r.asksPrice', 'r.ownPriceCents', 'r.sentPriceCents', 'r.sourcePriceCents', 'r.priceAnswer'])
    .select(['r.ownMileage', 'r.sourceMileage'])
}
type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['executeTakeFirstOrThrow']>>

const Kind = z.enum(FEED_ROW_KINDS)
const State = z.enum(FEED_ROW_STATES)
const Answer = z.enum(PRICE_ANSWERS).nullable()

function toRow(
  {
    after,
    before,
    fromVin,
    asksPrice,
    ownPriceCents,
    sentPriceCents,
    sourcePriceCents,
    priceAnswer,
    ownMileage,
    sourceMileage,
    ...row
  }: Row,
  actor: Member,
): FeedRow {
  const [newValues, oldValues] = [VehicleValues.parse(after), VehicleValues.parse(before)]
  const changes = namesIn(newValues)
    .filter((name) => seesCost(actor) || !COSTS.has(name))
    // A row that leaves a field blank has it as null.
    .filter((name) => (newValues[name] ?? oldValues[name] ?? null) !== null)
    .map((field) => ({
      field,
      before: oldValues[field] ?? null,
      after: newValues[field] ?? null,
      isFromVin: fromVin.includes(field),
    }))
  return {
    ...row,
    // The original text may contain the vehicle's cost.
    raw: seesCost(actor) ? row.raw : null,
    kind: Kind.parse(row.kind),
    state: State.parse(row.state),
    changes,
    priceQuestion: asksPrice
      ? {
          ownCents: Number(ownPriceCents),
          sentCents: Number(sentPriceCents),
          sourceCents: Number(sourcePriceCents),
          answer: Answer.parse(priceAnswer),
          isUnusual: !row.locked.includes('price'),
        }
      : null,
    mileageQuestion:
      ownMileage === null || sourceMileage === null
        ? null
        : { ownMileage, sourceMileage, answer: 'mileage' in newValues ? 'take' : 'keep' },
  }
}

/** SQL for whether a row takes the price away from a vehicle that has one. */
export const losesPrice = (row: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${row}.kind = 'changed' and jsonb_exists(${row}.after, 'price') and ${row}.after ->> 'price' is null
    and ${row}.before ->> 'price' is not null)`

/** SQL for whether the status of a row is a word that isn't known. */
const hasUnknownStatus = (row: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from unnest(${row}.warnings) w where w like ${`%${UNKNOWN_STATUS}.`})`

/** SQL for whether a row has another status for its vehicle than the one that a person gave and that stays. */
const keepsStatus = (row: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from unnest(${row}.warnings) w where w like ${`%${KEPT_STATUS}%`})`

/** SQL for the rows that lists show: those that change nothing are shown only if someone has to look at them. */
const isListed = sql<SqlBool>`(r.kind <> 'same' or r.asks_price or r.source_mileage is not null or ${hasUnknownStatus(sql`r`)} or ${keepsStatus(sql`r`)})`

/** What a run takes away from known vehicles, how many it puts back on sale or moves, and how many rows have an unknown status. */
export async function countTakenAway(
  db: Database,
  runId: string,
): Promise<{
  takenAway: TakenAway
  backOnSale: number
  moved: number
  unknownStatuses: number
  keptStatuses: number
}> {
  const many = (
    is: RawBuilder<unknown>,
    name: keyof TakenAway | 'backOnSale' | 'moved' | 'unknownStatuses' | 'keptStatuses',
  ) => sql<number>`(count(*) filter (where r.state <> 'skipped' and ${is}))::int`.as(name)
  const loses = (name: string) =>
    sql`r.kind = 'changed' and jsonb_exists(r.after, ${name}) and r.after ->> ${name} is null and r.before ->> ${name} is not null`
  const photos = (of: 'after' | 'before') =>
    sql`case when jsonb_typeof(r.${sql.ref(of)} -> 'photos') = 'array' then jsonb_array_length(r.${sql.ref(of)} -> 'photos') else 0 end`
  const { unknownStatuses, keptStatuses, backOnSale, moved, ...takenAway } = await db
    .selectFrom('feedRunRows as r')
    .select([
      many(sql`r.kind = 'changed' and r.to_status in ('sold', 'wholesale', 'archived')`, 'gone'),
      many(sql`r.kind = 'missing' and r.to_status = 'removed'`, 'removed'),
      many(losesPrice(sql`r`), 'prices'),
      many(
        sql`r.kind = 'changed' and jsonb_exists(r.after, 'photos') and ${photos('after')} < ${photos('before')}`,
        'photos',
      ),
      many(loses('mileage'), 'mileages'),
      many(
        sql`r.kind = 'changed' and (r.after ->> 'mileage')::numeric < (r.before ->> 'mileage')::numeric`,
        'lowerMileages',
      ),
      many(
        sql`r.kind = 'changed' and r.to_status = 'live' and coalesce(r.was ->> 'status',
          (select v.status from vehicles v where v.customer_id = r.customer_id and v.id = r.vehicle_id)) <> 'live'`,
        'backOnSale',
      ),
      many(sql`r.to_lot_id is not null`, 'moved'),
      many(hasUnknownStatus(sql`r`), 'unknownStatuses'),
      many(keepsStatus(sql`r`), 'keptStatuses'),
    ])
    .where('r.runId', '=', runId)
    .executeTakeFirstOrThrow()
  return { takenAway, backOnSale, moved, unknownStatuses, keptStatuses }
}

/** How many vehicles lose their price. */
export async function countLostPrices(db: Database, runId: string): Promise<number> {
  const { lost } = await db
    .selectFrom('feedRunRows')
    .select(sql<number>`count(*)::int`.as('lost'))
    .where('runId', '=', runId)
    .where(losesPrice(sql`feed_run_rows`))
    .executeTakeFirstOrThrow()
  return lost
}

/**
 * SQL for a row of a run whose price nobody has decided about: once the run was applied, its vehicle asks, and a price that a later file
 * sent is another question.
 */
export const isUndecided = sql<SqlBool>`(exists (select from feed_runs f where f.customer_id = feed_run_rows.customer_id
    and f.id = feed_run_rows.run_id and f.applied_at is null) or exists (select from vehicles v
  where v.customer_id = feed_run_rows.customer_id and v.id = feed_run_rows.vehicle_id and v.asks_price
    and v.source_price_cents = feed_run_rows.source_price_cents))`

/**
 * The prices beyond the limits that a run doesn't take, because a person decides: how many nobody has decided about yet, and the first
 * of them in words; null if there are none. A price that a person set is another question.
 */
export async function readHeldPrices(
  db: Database,
  { runId, currency }: { runId: string; currency: string },
): Promise<{ open: number; sentence: string } | null> {
  const rows = await db
    .selectFrom('feedRunRows')
    .select([
      sql<string>`title || coalesce(' (' || stock || ')', '')`.as('title'),
      sql<number>`own_price_cents::float8`.as('beforeCents'),
      sql<number | null>`nullif(source_price_cents, 0)::float8`.as('afterCents'),
      sql<number>`(count(*) over ())::int`.as('open'),
    ])
    .where('runId', '=', runId)
    .where('asksPrice', '=', true)
    .where('priceAnswer', 'is', null)
    .where(sql<SqlBool>`'price' <> all(locked)`)
    .where(isUndecided)
    .orderBy('id')
    .limit(MAX_NAMED + 1)
    .execute()
  const open = rows[0]?.open ?? 0
  return open === 0 ? null : { open, sentence: `${namePriceChanges(rows, currency)}.` }
}

/** One page of the rows of a run. @throws Failure 404 if the caller can't access the run. */
export async function listFeedRows(db: Database, actor: Member, input: Received<typeof feedRuns.rows>) {
  const { runId, kind, state, asks, search, page, pageSize } = input
  const run = await db.selectFrom('feedRuns').select('id').where('id', '=', runId).executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  const words = search?.trim() ?? ''
  const conditions = [
    sql<SqlBool>`r.customer_id = ${actor.customerId} and r.run_id = ${runId}`,
    ...(kind === undefined ? [isListed] : [sql<SqlBool>`r.kind = ${kind}`]),
    ...(asks === 'price' ? [sql<SqlBool>`r.asks_price`] : []),
    ...(asks === 'mileage' ? [sql<SqlBool>`r.source_mileage is not null`] : []),
    ...(asks === 'lostPrice' ? [losesPrice(sql`r`)] : []),
    ...(asks === 'status' ? [hasUnknownStatus(sql`r`)] : []),
    ...(asks === 'keptStatus' ? [keepsStatus(sql`r`)] : []),
    ...(state === undefined ? [] : [sql<SqlBool>`r.state = ${state}`]),
    ...(words === '' ? [] : [contains([sql.ref('r.title'), sql.ref('r.vin'), sql.ref('r.stock')], words)]),
  ]
  const isMatch = sql.join<SqlBool>(conditions, sql` and `)
  const counts = await db
    .selectFrom('feedRunRows as r')
    .select([
      sql<number>`count(*) filter (where ${isMatch})::int`.as('filteredRows'),
      sql<number>`count(*) filter (where ${isListed})::int`.as('totalRows'),
    ])
    .where('r.customerId', '=', actor.customerId)
    .where('r.runId', '=', runId)
    .executeTakeFirstOrThrow()
  const rows = await selectRows(db)
    .where(isMatch)
    .orderBy('r.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { ...counts, results: rows.map((row) => toRow(row, actor)) }
}

/** @throws Failure 404 if the caller can't access the row. */
export async function readFeedRow(
  db: Database,
  actor: Member,
  { runId, id }: { runId: string; id: string },
): Promise<FeedRow> {
  const row = await selectRows(db).where('r.runId', '=', runId).where('r.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Row')
  return toRow(row, actor)
}
