import { sql } from 'kysely'
import { z } from 'zod'
import { fieldTitle, TEXT_FIELDS, type TextField } from '#contract/feeds/values/mapped-fields.ts'
import type { ValuePreview, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { changedSince, rowsKind, type Former, type Outcome, type UndoWork } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { vehicleSource } from '#server/vehicles/index.ts'
import { COLUMNS, matchesChanges, planValues } from './plan-values.ts'
import { MANAGED_CENTRALLY } from './value-mappings.ts'

/** Number of sample vehicles in the preview. */
const SAMPLES = 12
const SEES_VEHICLES = can(Func.vehicles, Opr.list)
/** Required throughout the job. */
const CHANGES_VEHICLES = can(Func.vehicles, Opr.update)

const Payload = z.object({
  changes: z.array(z.object({ field: z.enum(TEXT_FIELDS), from: z.string(), to: z.string().nullable() })),
})
type Payload = z.infer<typeof Payload>

const Before = z.object({
  was: z.partialRecord(z.enum(TEXT_FIELDS), z.string()),
  provenance: z.array(z.record(z.string(), z.unknown())),
})
type Before = z.infer<typeof Before>

/** Previews applying the data mappings to existing vehicles, and applies them in a job. */
export function applyValuesHandlers({
  startRows,
}: StartJobs): Pick<Handlers<typeof valueMappings>, 'preview' | 'apply'> {
  return {
    async preview({ db, actor }): Promise<ValuePreview> {
      const changes = await planValues(db, actor)
      const isAffected = sql`v.customer_id = ${actor.customerId} and ${matchesChanges(changes)}`
      const { rows } = await sql<{ vehicles: number }>`
        select count(*)::int as vehicles from vehicles v where ${isAffected}`.execute(db)
      const samples = actor.may(SEES_VEHICLES) ? await readSamples(db, actor, changes) : []
      return { changes, vehicles: rows[0]?.vehicles ?? 0, samples }
    },

    async apply({ db, actor }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      requirePermission(actor, CHANGES_VEHICLES)
      const changes = await planValues(db, actor)
      if (changes.length === 0) throw conflict('No vehicle needs changes. All mappings are already applied.')
      const affected = matchesChanges(changes)
      return startRows(db, actor, {
        kind: valueJob.name,
        payload: { changes: changes.map(({ field, from, to }) => ({ field, from, to })) },
        source: { ...vehicleSource, within: (one) => sql`${vehicleSource.within(one)} and ${affected}` },
        selection: { all: true },
        title: (rows) => `Apply data mappings to ${rows}`,
      })
    },
  }
}

/** Name and value of each mapped text field of vehicles `v`. */
const mappedFields = sql`(values ${sql.join(
  TEXT_FIELDS.map((field) => sql`(${sql.lit(field)}, ${sql.ref(`v.${COLUMNS[field]}`)})`),
)}) as f (field, value)`

const changesOf = (changes: Payload['changes']) =>
  sql`json_to_recordset(${JSON.stringify(changes)}::json) as c (field text, "from" text, "to" text)`

async function readSamples(db: Database, actor: Member, changes: Payload['changes']) {
  if (changes.length === 0) return []
  type Sample = {
    id: string
    title: string
    changes: { field: TextField; from: string; to: string | null }[]
  }
  const { rows } = await sql<Sample>`
    with picked as (
      select v.* from vehicles v where v.customer_id = ${actor.customerId} and ${matchesChanges(changes.map((one) => ({ ...one, vehicles: 0, locked: 0 })))}
      order by v.id limit ${SAMPLES}
    )
    select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title,
      jsonb_agg(jsonb_build_object('field', c.field, 'from', c."from", 'to', c."to")) as changes
    from picked v cross join lateral ${mappedFields} join ${changesOf(changes)} on c.field = f.field and c."from" = f.value
    where c.field <> all(v.locked) group by v.id, title order by v.id`.execute(db)
  return rows.map(({ id, title, changes: own }) => ({
    id,
    title,
    changes: own.map(({ field, from, to }) => `${fieldTitle(field)}: ${from} \u2192 ${to ?? 'empty'}`),
  }))
}

const set = sql.join(
  TEXT_FIELDS.map((field) => {
    const column = sql.ref(COLUMNS[field])
    const name = sql.lit(field)
    return sql`${column} = case when s.becomes ? ${name} then s.becomes ->> ${name} else v.${column} end`
  }),
)

/** Writes mapped values to vehicles that still have the unmapped feed value; locked fields are not changed. */
export const valueJob = rowsKind({
  name: 'valueMappings.apply',
  needs: CHANGES_VEHICLES,
  payload: Payload,
  async change({ db, actor, payload }, ids) {
    const { rows } = await sql<{ id: string; before: Before | null }>`
      with target as (
        select v.* from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${[...ids]}::bigint[])
        order by v.id for update
      ), step as (
        select v.id, jsonb_object_agg(c.field, c."to") as becomes, jsonb_object_agg(c.field, c."from") as was,
          array_agg(c.field order by c.field) as fields
        from target v cross join lateral ${mappedFields} join ${changesOf(payload.changes)} on c.field = f.field and c."from" = f.value
        where c.field <> all(v.locked) group by v.id
      ), changed as (
        update vehicles v set ${set}, provenance = stamp_fields(v.provenance, s.fields, jsonb_build_object('source', 'mapping',
          'by', ${actor.effectiveFullName}::text, 'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        from step s where v.customer_id = ${actor.customerId} and v.id = s.id
      )
      select t.id, case when s.id is not null then jsonb_build_object('was', s.was, 'provenance', t.provenance) end as before
      from target t left join step s on s.id = t.id`.execute(db)
    return rows
  },
  undo: { needs: CHANGES_VEHICLES, before: Before, rows: undoChanges },
})

async function undoChanges(
  { db, actor, madeUntil }: UndoWork<Payload>,
  rows: readonly Former<Before>[],
): Promise<Outcome[]> {
  const wanted = rows.map(({ id, before }) => ({ id, becomes: before.was, provenance: before.provenance }))
  const found = await sql<{ id: string; title: string; isAsMade: boolean; updatedBy: string | null }>`
    with target as (
      select v.id, concat_ws(' ', v.year, v.make, v.model, v.trim) as title, v.updated_by,
        v.updated_at <= ${madeUntil}::timestamptz as is_as_made
      from vehicles v where v.customer_id = ${actor.customerId} and v.id = any(${rows.map(({ id }) => id)}::bigint[])
      order by v.id for update
    ), changed as (
      update vehicles v set ${set}, provenance = s.provenance
      from json_to_recordset(${JSON.stringify(wanted)}::json) as s (id bigint, becomes jsonb, provenance jsonb)
      join target t on t.id = s.id and t.is_as_made
      where v.customer_id = ${actor.customerId} and v.id = s.id
    )
    select id, title, is_as_made, updated_by from target`.execute(db)
  return found.rows.map(({ id, title, isAsMade, updatedBy }) =>
    isAsMade ? { id, before: null } : { id, title, reason: changedSince(updatedBy) },
  )
}
