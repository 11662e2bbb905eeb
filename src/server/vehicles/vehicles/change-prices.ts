import { sql } from 'kysely'
import { z } from 'zod'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { PRICE_ANSWERS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { changedSince, rowsKind, type Former, type Outcome, type UndoWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { VehiclePrices } from './vehicle-prices.ts'
import { vehicleSource } from './vehicles.ts'

const Change = z.object({ sourcePrice: z.enum(PRICE_ANSWERS), cents: z.number().optional() })
type Change = z.infer<typeof Change>

/** What a vehicle had before: its price, locks and what was known of the feed's price, with the stamps of the price. */
const Before = z.object({
  cents: z.number().nullable(),
  locked: z.array(z.string()),
  seenCents: z.number().nullable(),
  stamps: z.unknown(),
})
type Before = z.infer<typeof Before>

/**
 * Starts a job that decides about prices that people set, where the feed sent another one than before: the feed's price is taken
 * and unlocked, or the own one stays. @throws Failure 409 if prices need confirmation.
 */
export async function startPriceChange(
  { jobs, prices }: { jobs: StartJobs; prices: VehiclePrices },
  { db, actor }: { db: Database; actor: Member },
  {
    selection,
    change,
    confirmPrices,
  }: { selection: Selection; change: Change; confirmPrices: boolean | undefined },
): Promise<Job> {
  const isTaken = change.sourcePrice === 'take'
  const job = await jobs.startRows(db, actor, {
    kind: priceJob.name,
    payload: change,
    source: vehicleSource,
    selection,
    title: (rows) => (isTaken ? `Take the feed's price for ${rows}` : `Keep your price for ${rows}`),
  })
  const values = sql`case when x.asks_price then jsonb_build_object('price_cents', nullif(x.source_price_cents, 0)) else '{}' end`
  const of = { jobId: job.id, change: { columns: ['price_cents'], values } }
  if (isTaken) await prices.requireBulkConfirmation(db, actor, of, confirmPrices === true)
  return job
}

export const priceJob = rowsKind({
  name: 'vehicles.changePrices',
  needs: vehicles.change.allow,
  payload: Change,
  async change({ db, actor, payload: { sourcePrice, cents } }, ids) {
    const isTaken = sourcePrice === 'take'
    const { rows } = await sql<Before & { id: string; title: string; asks: boolean; isOther: boolean }>`
      with target as (
        select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.price_cents, v.locked, v.asks_price,
          v.seen_source_price_cents, stamps_of(v.provenance, array['price']) as stamps,
          ${cents ?? null}::bigint is not null and v.source_price_cents is distinct from ${cents ?? null}::bigint as is_other,
          (select f.name from feed_sources f where f.customer_id = v.customer_id and f.id = v.feed_source_id) as feed
        from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${[...ids]}::bigint[])
        order by v.id for update of v
      ), changed as (
        update vehicles v set ${isTaken ? TAKE : sql`seen_source_price_cents = v.source_price_cents`}
        from target t where v.customer_id = ${actor.customerId} and v.id = t.id and t.asks_price and not t.is_other
      )
      select id, title, price_cents::float8 as cents, locked, seen_source_price_cents::float8 as seen_cents, stamps,
        asks_price as asks, is_other from target`.execute(db)
    return rows.map(({ id, title, asks, isOther, ...before }): Outcome => {
      if (asks && isOther) return { id, title, reason: 'Its feed has sent another price since.' }
      return { id, before: asks ? before : null }
    })
  },
  undo: { needs: vehicles.change.allow, before: Before, rows: undoPrices },
})

/** The feed becomes the source of the price again. */
const TAKE = sql`price_cents = nullif(v.source_price_cents, 0), locked = array_remove(v.locked, 'price'),
  provenance = stamp_fields(v.provenance, array['price'], jsonb_build_object('source', 'feed', 'by', t.feed,
    'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`

/** Restores prices that no person and no feed changed since. */
async function undoPrices(
  { db, actor, payload, madeUntil }: UndoWork<Change>,
  rows: readonly Former<Before>[],
): Promise<Outcome[]> {
  const steps = JSON.stringify(rows.map(({ id, before }) => ({ id, ...before })))
  const isTaken = payload.sourcePrice === 'take'
  const isAsMade = isTaken
    ? sql`'price' <> all(v.locked) and v.price_cents is not distinct from nullif(v.source_price_cents, 0)`
    : sql`v.price_cents is not distinct from w.cents and v.seen_source_price_cents = v.source_price_cents`
  const found = await sql<{ id: string; title: string; isAsMade: boolean; updatedBy: string | null }>`
    with step as (
      select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.updated_by,
        v.updated_at <= ${madeUntil}::timestamptz and ${isAsMade} as is_as_made, w.cents, w."seenCents" as seen_cents, w.stamps,
        array(select jsonb_array_elements_text(w.locked)) as locked
      from vehicles v
      join jsonb_to_recordset(${steps}::jsonb) as w (id bigint, cents bigint, locked jsonb, "seenCents" bigint, stamps jsonb) on w.id = v.id
      where v.customer_id = ${actor.customerId} and v.id = any(${rows.map(({ id }) => id)}::bigint[])
      order by v.id for update of v
    ), changed as (
      update vehicles v set price_cents = s.cents, locked = s.locked, seen_source_price_cents = s.seen_cents,
        provenance = unstamp_fields(v.provenance, array['price'], s.stamps)
      from step s where v.customer_id = ${actor.customerId} and v.id = s.id and s.is_as_made
    )
    select id, title, is_as_made, updated_by from step`.execute(db)
  return found.rows.map(({ id, title, isAsMade: isSame, updatedBy }) =>
    isSame ? { id, before: null } : { id, title, reason: changedSince(updatedBy) },
  )
}
