import { sql } from 'kysely'
import { z } from 'zod'
import {
  CustomFieldName,
  customFieldName,
  CustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { holdCustomFields, readCustomFields } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { changedSince, rowsKind, type Outcome } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { VehiclePrices } from '../vehicle-prices.ts'
import { readCustomValues } from './custom-fields.ts'
import { vehicleSource } from '../vehicles.ts'

const Value = z.union([z.null(), CustomValue])
const Payload = z.object({ custom: CustomFieldName, value: Value })
type Payload = z.infer<typeof Payload>
/** The previous value, and whether the field was already locked. */
const Before = z.object({ value: Value, isLocked: z.boolean() })

/**
 * Starts a job that sets one custom field of many vehicles. As with manual edits, the user becomes the source of the value
 * and the field is locked. @throws Failure 400 if the field doesn't accept the value, 409 if prices need confirmation.
 */
export async function startCustomChange(
  { jobs, prices }: { jobs: StartJobs; prices: VehiclePrices },
  { db, actor }: { db: Database; actor: Member },
  {
    selection,
    change: { custom, value },
    confirmPrices,
  }: { selection: Selection; change: Payload; confirmPrices: boolean | undefined },
): Promise<Job> {
  const read = await readCustomValues(db, actor, { [custom]: value }, {})
  const kept = read[custom] ?? null
  const field = (await readCustomFields(db, actor.customerId)).find((one) => customFieldName(one) === custom)
  const name = field?.name ?? custom
  const job = await jobs.startRows(db, actor, {
    kind: customJob.name,
    payload: { custom, value: kept },
    source: vehicleSource,
    selection,
    title: (rows) =>
      kept === null ? `Clear ${name} for ${rows}` : `Set ${name} to ${asText(kept)} for ${rows}`,
  })
  const values = sql`jsonb_build_object('custom',
    jsonb_strip_nulls(x.custom || jsonb_build_object(${custom}::text, ${JSON.stringify(kept)}::jsonb)))`
  const change = { columns: ['custom'], values }
  await prices.requireBulkConfirmation(db, actor, { jobId: job.id, change }, confirmPrices === true)
  return job
}

function asText(value: CustomValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

export const customJob = rowsKind({
  name: 'vehicles.changeCustom',
  needs: vehicles.change.allow,
  payload: Payload,
  change: ({ db, actor, payload: { custom, value } }, ids) =>
    writeValues(
      { db, actor, custom },
      ids.map((id) => ({ id, value, unlocks: false })),
      null,
    ),
  undo: {
    needs: vehicles.change.allow,
    before: Before,
    rows: ({ db, actor, payload: { custom, value }, madeUntil }, rows) =>
      writeValues(
        { db, actor, custom },
        rows.map(({ id, before }) => ({ id, value: before.value, unlocks: !before.isLocked })),
        { value, until: madeUntil },
      ),
  },
})

type Step = { id: string; value: CustomValue | null; unlocks: boolean }
type UpdatedRow = {
  id: string
  title: string
  value: CustomValue | null
  isLocked: boolean
  updatedBy: string | null
  isAsMade: boolean
  isOther: boolean
}

/** Writes a value to each vehicle. @param made when undoing: the value the job wrote, and when it finished. */
async function writeValues(
  { db, actor, custom }: { db: Database; actor: Member; custom: CustomFieldName },
  steps: readonly Step[],
  made: { value: CustomValue | null; until: string } | null,
): Promise<Outcome[]> {
  const isThere = (await holdCustomFields(db, actor.customerId)).some(
    (one) => customFieldName(one) === custom,
  )
  // Removed since the change was started, or before it was undone.
  if (!isThere)
    return steps.map(({ id }) => ({
      id,
      title: `No. ${id}`,
      reason: "The custom field doesn't exist anymore.",
    }))
  const isAsMade =
    made === null
      ? sql`true`
      : sql`coalesce(v.custom -> ${custom}::text, 'null') = ${JSON.stringify(made.value)}::jsonb and v.updated_at <= ${made.until}::timestamptz`
  const { rows } = await sql<UpdatedRow>`
    with step as (
      select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.custom -> ${custom}::text as value,
        ${custom} = any(v.locked) as is_locked, v.updated_by, ${isAsMade} as is_as_made, w.value as to_value, w.unlocks,
        coalesce(v.custom -> ${custom}::text, 'null') <> w.value as is_other
      from vehicles v
      join json_to_recordset(${JSON.stringify(steps)}::json) as r(id bigint, value json, unlocks boolean) on r.id = v.id
      cross join lateral (select coalesce(r.value, 'null')::jsonb as value, r.unlocks) w
      where v.customer_id = ${actor.customerId} and v.id = any(${steps.map(({ id }) => id)}::bigint[])
      order by v.id for update of v
    ), changed as (
      update vehicles v set custom = jsonb_strip_nulls(v.custom || jsonb_build_object(${custom}::text, s.to_value)),
        provenance = stamp_fields(v.provenance, array[${custom}::text], jsonb_build_object('source', 'user',
          'by', ${actor.fullName}::text, 'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
        locked = case when s.unlocks then array_remove(v.locked, ${custom}::text)
          when s.is_locked then v.locked else v.locked || ${custom}::text end,
        row_fingerprint = null
      from step s where v.customer_id = ${actor.customerId} and v.id = s.id and s.is_as_made and s.is_other
    )
    select id, title, value, is_locked, updated_by, is_as_made, is_other from step`.execute(db)
  return rows.map(({ id, title, value, isLocked, ...found }): Outcome => {
    if (!found.isAsMade) return { id, title, reason: changedSince(found.updatedBy) }
    return { id, before: found.isOther && made === null ? { value, isLocked } : null }
  })
}
