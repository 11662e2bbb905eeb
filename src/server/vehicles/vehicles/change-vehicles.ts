import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { requireOpenLot } from '#server/organizations/index.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changedSince, rowsKind, type Outcome } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { oneByOneIfNeeded } from '#server/queue/one-by-one.ts'
import type { BulkChange, VehiclePrices } from './vehicle-prices.ts'
import { startBulkPrices } from './bulk-prices.ts'
import { startPriceChange } from './change-prices.ts'
import { startCustomChange } from './custom-fields/change-custom.ts'
import { previewPricesHandlers } from './preview-prices.ts'
import { vehicleSource } from './vehicles.ts'

const Change = z.union([
  z.object({ status: z.enum(VEHICLE_STATUSES), statusReason: z.string().nullable() }),
  z.object({ lotId: z.string() }),
])
type Change = z.infer<typeof Change>
const Payload = z.object({ change: Change })

/** Bulk changes to vehicles, queued as a job. */
export function changeVehiclesHandlers(
  jobs: StartJobs,
  prices: VehiclePrices,
): Pick<Handlers<typeof vehicles>, 'change' | 'previewPrices'> {
  return {
    ...previewPricesHandlers(prices),
    async change({ db, actor, input: { selection, change, confirmPrices } }) {
      if ('custom' in change) {
        return startCustomChange({ jobs, prices }, { db, actor }, { selection, change, confirmPrices })
      }
      if ('sourcePrice' in change)
        return startPriceChange({ jobs, prices }, { db, actor }, { selection, change, confirmPrices })
      if ('price' in change)
        return startBulkPrices({ jobs, prices }, { db, actor }, { selection, change, confirmPrices })
      const title = await titleOf(db, change)
      const kept =
        'lotId' in change ? change : { status: change.status, statusReason: change.statusReason || null }
      const job = await jobs.startRows(db, actor, {
        kind: vehicleJob.name,
        payload: { change: kept },
        source: vehicleSource,
        selection,
        title,
      })
      const of = { jobId: job.id, change: writtenBy(kept) }
      await prices.requireBulkConfirmation(db, actor, of, confirmPrices)
      return job
    },
  }
}

/** What a change writes. */
function writtenBy(change: Change): BulkChange {
  if ('status' in change) {
    const { status, statusReason } = change
    const values = sql`jsonb_build_object('status', ${status}::text, 'status_reason', ${statusReason}::text)`
    return { columns: ['status', 'status_reason'], values }
  }
  const values = sql`(select jsonb_build_object('lot_id', l.id, 'organization_id', l.organization_id) from lots l
    where l.customer_id = x.customer_id and l.id = ${change.lotId}::bigint)`
  return { columns: ['lot_id', 'organization_id'], values }
}

type ChangeRequest = { status: Status; statusReason?: string | undefined } | { lotId: string }
type Status = (typeof VEHICLE_STATUSES)[number]

/** The title of the job. @throws Failure 400 if the caller has no access to the lot. */
async function titleOf(db: Database, change: ChangeRequest): Promise<(rows: string) => string> {
  if ('status' in change) {
    const label = VEHICLE_LIST.fields.status.choices?.find(({ value }) => value === change.status)?.label
    return (rows) => `Set ${rows} to ${label}`
  }
  const lot = await requireOpenLot(db, change.lotId, 'change.lotId')
  return (rows) => `Move ${rows} to ${lot.name}`
}

export const vehicleJob = rowsKind({
  name: 'vehicles.change',
  needs: vehicles.change.allow,
  payload: Payload,
  change: ({ db, actor, payload: { change } }, ids) =>
    writeSteps(
      { db, actor },
      ids.map((id) => ({ id, to: change, from: null })),
    ),
  undo: {
    needs: vehicles.change.allow,
    // The previous values have the same shape as the change.
    before: Change,
    rows: ({ db, actor, payload, madeUntil }, rows) =>
      writeSteps(
        { db, actor },
        rows.map(({ id, before }) => ({ id, to: before, from: { made: payload.change, until: madeUntil } })),
      ),
  },
})

/** The change to one vehicle; `from` is the change it must still have, when undoing. */
type Step = { id: string; to: Change; from: AppliedChange | null }
/** A change made by a job, and when the job finished. */
type AppliedChange = { made: Change; until: string }
type UpdatedRow = {
  id: string
  title: string
  status: Status
  statusReason: string | null
  lotId: string
  updatedBy: string | null
  isAsMade: boolean
  hasLot: boolean
  isOther: boolean
}

const LOT_NOT_FOUND = "The lot was deleted, or you don't have access to it."

function writeSteps(
  { db, actor }: { db: Database; actor: Member },
  steps: readonly Step[],
): Promise<Outcome[]> {
  return oneByOneIfNeeded(
    db,
    steps,
    async (some) => {
      const { rows } = await changeRows({ db, actor }, some)
      return rows.map((row) => outcomeOf(row, some[0]))
    },
    async ({ id }, key) => {
      const { rows } = await sql<{ title: string }>`
        select ${vehicleSource.title} as title from ${vehicleSource.from}
        where ${vehicleSource.within(actor)} and ${vehicleSource.id} = ${id}`.execute(db)
      const what = key === 'vehicles_vin' ? 'VIN' : 'stock number'
      return {
        id,
        title: rows[0]?.title ?? `No. ${id}`,
        reason: `A vehicle with this ${what} is already on the lot.`,
      }
    },
  )
}

function outcomeOf(found: UpdatedRow, step: Step | undefined): Outcome {
  const { id, title, status, statusReason, lotId } = found
  if (!found.isAsMade) return { id, title, reason: changedSince(found.updatedBy) }
  if (!found.hasLot) return { id, title, reason: LOT_NOT_FOUND }
  if (!found.isOther || step?.from !== null) return { id, before: null }
  return { id, before: 'lotId' in step.to ? { lotId } : { status, statusReason } }
}

/** Writes the steps and returns the previous values of each vehicle. All steps of a call change the same columns. */
function changeRows({ db, actor }: { db: Database; actor: Member }, steps: readonly Step[]) {
  const [first] = steps
  const isMove = first !== undefined && 'lotId' in first.to
  const { columns, differs, set } = isMove ? MOVE : STATUS
  const wanted = columns(steps)
  const asMade = first?.from ? isStill(first.from) : sql`true`
  return sql<UpdatedRow>`
    with wanted as (select * from ${wanted}),
    target as (
      select v.id, v.status, v.status_reason, v.lot_id, v.updated_by, ${asMade} as is_as_made,
        concat_ws(' ', v.year, v.make, v.model, v.trim) as title
      from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${steps.map(({ id }) => id)}::bigint[])
      order by v.id for update
    ), step as (
      select t.*, ${isMove ? sql`l.id is not null` : sql`true`} as has_lot, ${differs} as is_other,
        ${isMove ? sql`w.lot_id as to_lot_id, l.organization_id as to_organization_id` : sql`w.status as to_status, w.status_reason as to_status_reason`}
      from target t join wanted w on w.id = t.id
      ${isMove ? sql`left join lots l on l.customer_id = ${actor.customerId} and l.id = w.lot_id` : sql``}
    ), changed as (
      update vehicles v set ${set} from step s
      where v.customer_id = ${actor.customerId} and v.id = s.id and s.is_as_made and s.has_lot and s.is_other
    )
    select id, title, status, status_reason, lot_id, updated_by, is_as_made, has_lot, is_other from step`.execute(
    db,
  )
}

const STATUS = {
  columns: (steps: readonly Step[]) => {
    const to = steps.map((step) => ('status' in step.to ? step.to : null))
    return sql`unnest(${steps.map(({ id }) => id)}::bigint[], ${to.map((one) => one?.status)}::text[],
      ${to.map((one) => one?.statusReason)}::text[]) as w (id, status, status_reason)`
  },
  differs: sql`(t.status, t.status_reason) is distinct from (w.status, w.status_reason)`,
  set: sql`status = s.to_status, status_reason = s.to_status_reason`,
}

const MOVE = {
  columns: (steps: readonly Step[]) => {
    const to = steps.map((step) => ('lotId' in step.to ? step.to.lotId : null))
    return sql`unnest(${steps.map(({ id }) => id)}::bigint[], ${to}::bigint[]) as w (id, lot_id)`
  },
  differs: sql`t.lot_id <> w.lot_id`,
  // A vehicle belongs to the organization of its lot.
  set: sql`lot_id = s.to_lot_id, organization_id = s.to_organization_id`,
}

/** SQL condition: the vehicle still has the values that a job wrote. */
function isStill({ made, until }: AppliedChange): RawBuilder<unknown> {
  const same =
    'lotId' in made
      ? sql`v.lot_id = ${made.lotId}`
      : sql`(v.status, v.status_reason) is not distinct from (${made.status}::text, ${made.statusReason}::text)`
  return sql`${same} and v.updated_at <= ${until}::timestamptz`
}
