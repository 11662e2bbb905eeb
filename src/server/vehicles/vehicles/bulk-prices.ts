import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import {
  BulkPrice,
  decidePrice,
  describeBulkPrice,
  KEPT_PRICE_REASONS,
  type KeptPriceReason,
  MAX_BULK_PRICES,
  type PriceDecision,
} from '#contract/vehicles/vehicles/bulk-prices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import {
  type ChangeWork,
  changedSince,
  rowsKind,
  type Former,
  type Outcome,
  type UndoWork,
} from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { readPriceLimits } from './price-limits.ts'
import { isOutOfStock } from './stock-status.ts'
import { priceState } from './vehicle-json.ts'
import type { PriceEffect, VehiclePrices } from './vehicle-prices.ts'
import { vehicleSource } from './vehicles.ts'

const Payload = z.object({ price: BulkPrice })
type Payload = z.infer<typeof Payload>

/** What a vehicle had before, and the price that the change made. `at`: when, as in the stamp of the price. */
const Before = z.object({
  cents: z.number().nullable(),
  isLocked: z.boolean(),
  seenCents: z.number().nullable(),
  stamps: z.unknown(),
  made: z.object({ cents: z.number(), at: z.string() }),
})
type Before = z.infer<typeof Before>

/** Vehicles that are read at once. */
const BATCH = 5_000

type Row = {
  id: string
  title: string
  priceCents: number | null
  isSold: boolean
  isFixed: boolean
  updatedBy: string | null
  isLocked: boolean
  seenCents: number | null
  stamps: unknown
  at: string
}

/** The vehicles within reach with what decides about their prices, in the order of their IDs. */
async function readRows(db: Database, { customerId }: Member, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select v.id::text, concat_ws(', ', concat_ws(' ', v.year, v.make, v.model, v.trim), v.stock) as title,
      v.price_cents::float8 as price_cents, ${isOutOfStock('v')} as is_sold, coalesce(${priceState} = 'fixed', false) as is_fixed,
      v.updated_by, 'price' = any(v.locked) as is_locked, v.seen_source_price_cents::float8 as seen_cents,
      stamps_of(v.provenance, array['price']) as stamps, to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from vehicles v
    left join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    where v.customer_id = ${customerId} and v.id = any(${[...ids]}::bigint[])
    order by v.id`.execute(db)
  return rows
}

/** What a change does to prices: the vehicles that change, and why the others stay. */
export type BulkEffect = Readonly<{
  /** Another one if anything of the effect differs. */
  seen: string
  selected: number
  effects: readonly PriceEffect[]
  titles: ReadonlyMap<string, string>
  /** By reason, what the vehicles are called; blank for those that are gone. */
  kept: ReadonlyMap<KeptPriceReason, readonly string[]>
}>

function addTo(kept: Map<KeptPriceReason, string[]>, reason: KeptPriceReason, title: string): void {
  const titles = kept.get(reason)
  if (titles === undefined) kept.set(reason, [title])
  else titles.push(title)
}

/**
 * What a change would do to the prices of vehicles now. The change decides in the same way, row by row.
 * @param nextIds the IDs of the next vehicles after one, ascending; none at the end. @param missing selected ones that are gone
 * @throws Failure 409 if there are too many
 */
export async function readBulkEffect(
  db: Database,
  actor: Member,
  {
    prices,
    price,
    missing,
    nextIds,
  }: {
    prices: VehiclePrices
    price: BulkPrice
    missing: number
    nextIds: (after: string) => Promise<string[]>
  },
): Promise<BulkEffect> {
  const { limits } = await readPriceLimits(db, actor.customerId)
  const hash = createHash('sha256').update(JSON.stringify([price, missing]))
  const kept = new Map<KeptPriceReason, string[]>()
  const titles = new Map<string, string>()
  const effects: PriceEffect[] = []
  let selected = missing
  for (let ids = await nextIds('0'); ids.length > 0; ids = await nextIds(ids.at(-1) ?? '0')) {
    selected += ids.length
    if (selected > MAX_BULK_PRICES) {
      throw conflict(
        `You can change the prices of up to ${MAX_BULK_PRICES.toLocaleString('en')} vehicles at once. Use filters to narrow the list.`,
      )
    }
    const changing = new Map<string, { beforeCents: number; afterCents: number }>()
    for (const row of await readRows(db, actor, ids)) {
      const decision = decidePrice(row, price, limits)
      hash.update(JSON.stringify([row.id, row.priceCents, decision]))
      if ('cents' in decision) {
        changing.set(row.id, { beforeCents: row.priceCents ?? 0, afterCents: decision.cents })
        titles.set(row.id, row.title)
      } else addTo(kept, decision.reason, row.title)
    }
    const found = await prices.readPriceEffects(db, actor, changing)
    hash.update(JSON.stringify(found))
    effects.push(...found)
  }
  if (missing > 0)
    kept.set(
      'gone',
      Array.from({ length: missing }, () => ''),
    )
  return { seen: hash.digest('base64url'), selected, effects, titles, kept }
}

/**
 * Starts a job that changes prices as the user saw it in the preview.
 * @throws Failure 409 if the effect is another one by now, if nothing changes, or if prices need confirmation.
 */
export async function startBulkPrices(
  { jobs, prices }: { jobs: StartJobs; prices: VehiclePrices },
  { db, actor }: { db: Database; actor: Member },
  {
    selection,
    change: { price, seen },
    confirmPrices,
  }: {
    selection: Selection
    change: { price: BulkPrice; seen: string }
    confirmPrices: boolean | undefined
  },
): Promise<Job> {
  const { currency } = await readPriceLimits(db, actor.customerId)
  const job = await jobs.startRows(db, actor, {
    kind: bulkPriceJob.name,
    payload: { price },
    source: vehicleSource,
    selection,
    seen: sql`to_jsonb(v.price_cents)`,
    title: (rows) => describeBulkPrice(price, rows, currency),
  })
  const effect = await readBulkEffect(db, actor, {
    prices,
    price,
    missing: job.failures,
    nextIds: (after) => readJobIds(db, actor, job.id, after),
  })
  if (effect.seen !== seen) {
    throw conflict('Vehicles, price rules or fees changed since the preview. Check the new figures.', {
      seen: 'Preview the change again.',
    })
  }
  if (effect.effects.length === 0) throw conflict('This changes no price.')
  await prices.requireEffectConfirmation(db, actor, effect.effects, confirmPrices === true)
  return job
}

async function readJobIds(
  db: Database,
  { customerId }: Member,
  jobId: string,
  after: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select row_id::text as id from job_rows
    where customer_id = ${customerId} and job_id = ${jobId}::bigint and row_id > ${after}::bigint and state = 'pending'
    order by row_id limit ${sql.lit(BATCH)}`.execute(db)
  return rows.map(({ id }) => id)
}

export const bulkPriceJob = rowsKind({
  name: 'vehicles.setPrices',
  needs: vehicles.change.allow,
  payload: Payload,
  change: changePrices,
  undo: { needs: vehicles.change.allow, before: Before, rows: undoPrices },
})

const reasonText = (reason: KeptPriceReason): string =>
  KEPT_PRICE_REASONS.find(({ value }) => value === reason)?.text ?? ''

async function changePrices(
  { db, actor, payload: { price }, seen }: ChangeWork<Payload>,
  ids: readonly string[],
): Promise<Outcome[]> {
  // Locked first: what is read next waits for no one, and so is what the locks hold.
  await lockRows(db, actor, ids)
  const { limits } = await readPriceLimits(db, actor.customerId)
  const decided = (await readRows(db, actor, ids)).map((row) => {
    // Someone else has set another price since the user saw it.
    const isStale = (seen.get(row.id) ?? null) !== row.priceCents
    return { row, isStale, decision: decidePrice(row, price, limits) }
  })
  const steps = decided.flatMap(({ row: { id }, isStale, decision }) =>
    'cents' in decision && !isStale ? [{ id, cents: decision.cents }] : [],
  )
  await sql`
    update vehicles v set price_cents = s.cents, row_fingerprint = null,
      locked = case when 'price' = any(v.locked) then v.locked else v.locked || 'price'::text end,
      provenance = stamp_fields(v.provenance, array['price'], jsonb_build_object('source', 'user', 'by', ${actor.fullName}::text,
        'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s (id bigint, cents bigint)
    where v.customer_id = ${actor.customerId} and v.id = s.id`.execute(db)
  return decided.map(({ row, isStale, decision }) => outcomeOf(row, isStale, decision))
}

function outcomeOf(row: Row, isStale: boolean, decision: PriceDecision): Outcome {
  const { id, title, priceCents, isLocked, seenCents, stamps, at, updatedBy } = row
  if (isStale) return { id, title, reason: changedSince(updatedBy) }
  if ('cents' in decision) {
    const before: Before = {
      cents: priceCents,
      isLocked,
      seenCents,
      stamps,
      made: { cents: decision.cents, at },
    }
    return { id, before }
  }
  return decision.reason === 'same'
    ? { id, before: null }
    : { id, title, reason: reasonText(decision.reason) }
}

async function lockRows(db: Database, { customerId }: Member, ids: readonly string[]): Promise<void> {
  await sql`select from vehicles v where v.customer_id = ${customerId} and v.id = any(${[...ids]}::bigint[])
    order by v.id for update`.execute(db)
}

/** Restores prices that no person and no feed changed since. Sold vehicles keep the price they were sold with. */
async function undoPrices(
  { db, actor }: UndoWork<Payload>,
  rows: readonly Former<Before>[],
): Promise<Outcome[]> {
  await lockRows(
    db,
    actor,
    rows.map(({ id }) => id),
  )
  const steps = JSON.stringify(
    rows.map(({ id, before: { made, ...before } }) => ({
      id,
      ...before,
      madeCents: made.cents,
      at: made.at,
    })),
  )
  const found = await sql<{
    id: string
    title: string
    isAsMade: boolean
    isSold: boolean
    changedBy: string | null
  }>`
    with step as (
      select v.id, concat_ws(', ', concat_ws(' ', v.year, v.make, v.model, v.trim), v.stock) as title,
        ${isOutOfStock('v')} as is_sold, stamps_of(v.provenance, array['price']) -> 0 ->> 'by' as changed_by,
        v.price_cents is not distinct from w."madeCents" and v.provenance @> jsonb_build_array(
          jsonb_build_object('source', 'user', 'at', w.at, 'fields', jsonb_build_array('price'))) as is_as_made,
        w.cents, w."isLocked" as is_locked, w.stamps
      from vehicles v
      join jsonb_to_recordset(${steps}::jsonb) as w (id bigint, cents bigint, "isLocked" boolean, "madeCents" bigint, at text, stamps jsonb)
        on w.id = v.id
      where v.customer_id = ${actor.customerId} and v.id = any(${rows.map(({ id }) => id)}::bigint[])
    ), changed as (
      update vehicles v set price_cents = s.cents, row_fingerprint = null,
        locked = case when s.is_locked then v.locked else array_remove(v.locked, 'price') end,
        provenance = unstamp_fields(v.provenance, array['price'], s.stamps)
      from step s where v.customer_id = ${actor.customerId} and v.id = s.id and s.is_as_made and not s.is_sold
    )
    select id::text, title, is_as_made, is_sold, changed_by from step order by id`.execute(db)
  const outcomes = found.rows.map(({ id, title, isAsMade, isSold, changedBy }): Outcome => {
    if (isSold) return { id, title, reason: reasonText('sold') }
    return isAsMade ? { id, before: null } : { id, title, reason: changedSince(changedBy) }
  })
  await restoreQuestions(db, actor, {
    steps,
    ids: outcomes.flatMap((one) => ('reason' in one ? [] : [one.id])),
  })
  return outcomes
}

/** What was known of the feed's price. In a statement of its own, because setting a price is knowing what the feed sends. */
async function restoreQuestions(
  db: Database,
  { customerId }: Member,
  { steps, ids }: { steps: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    update vehicles v set seen_source_price_cents = w."seenCents"
    from jsonb_to_recordset(${steps}::jsonb) as w (id bigint, "seenCents" bigint)
    where v.customer_id = ${customerId} and v.id = w.id and v.id = any(${[...ids]}::bigint[])
      and v.seen_source_price_cents is distinct from w."seenCents"`.execute(db)
}
