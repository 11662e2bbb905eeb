import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The demo data is created in one transaction, where every timestamp is the same. These functions set realistic times. */
const at = (moment: Date): RawBuilder<unknown> => sql`${moment.toISOString()}::timestamptz`

/** Sets the times of edits to vehicles, in their history and the audit log. */
export async function backdateEdits(
  db: Database,
  customerId: string,
  work: readonly { lotId: string; stock: string; at: string }[],
): Promise<void> {
  const worked = sql`vehicles v join json_to_recordset(${JSON.stringify(work)}::json) as w("lotId" bigint, stock text, at timestamptz)
    on v.customer_id = ${customerId} and v.lot_id = w."lotId" and v.stock_key = lower(w.stock)`
  await sql`update vehicle_history h set at = w.at from ${worked}
    where h.customer_id = ${customerId} and h.vehicle_id = v.id and h.at = app_now()`.execute(db)
  await sql`update audit_log a set at = w.at from ${worked}
    where a.customer_id = ${customerId} and a.table_name = 'vehicles' and a.row_id = v.id::text and a.at = app_now()`.execute(
    db,
  )
}

/** Sets the times of vehicles and their provenance to match their history and feed runs. */
export async function backdateVehicles(db: Database, customerId: string): Promise<void> {
  // Not recorded as changes.
  await sql`alter table vehicles disable trigger user`.execute(db)
  await sql`
    update vehicles v set created_at = t.first, updated_at = t.last, provenance = t.provenance
    from (
      select o.id, min(r.applied_at) as first,
        greatest(max(r.applied_at), max((s.value ->> 'at')::timestamptz) filter (where r.id is null),
          (select max(h.at) from vehicle_history h where h.customer_id = o.customer_id and h.vehicle_id = o.id)) as last,
        jsonb_agg(case when r.id is null then s.value
          else s.value || jsonb_build_object('at', to_char(r.applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end
          order by s.place) as provenance
      from vehicles o cross join lateral jsonb_array_elements(o.provenance) with ordinality as s (value, place)
      left join feed_runs r on r.customer_id = o.customer_id and r.id = (s.value ->> 'run')::bigint
      where o.customer_id = ${customerId} group by o.customer_id, o.id) t
    where v.customer_id = ${customerId} and v.id = t.id`.execute(db)
  await sql`alter table vehicles enable trigger user`.execute(db)
}

/** Sets when the file of a run was received, read and applied, and the times of the changes it made. */
export async function backdateRun(
  db: Database,
  { customerId, runId, moment }: { customerId: string; runId: string; moment: Date },
): Promise<void> {
  const later = (seconds: number) => new Date(moment.getTime() + seconds * 1_000).toISOString()
  await sql`alter table feed_runs disable trigger user`.execute(db)
  await db
    .updateTable('feedRuns')
    .set({ createdAt: later(-8), readAt: later(-5), appliedAt: later(0), updatedAt: later(0) })
    .where('customerId', '=', customerId)
    .where('id', '=', runId)
    .execute()
  await sql`alter table feed_runs enable trigger user`.execute(db)
  await sql`update vehicle_history set at = ${at(moment)} where customer_id = ${customerId} and at = app_now()`.execute(
    db,
  )
  await sql`update audit_log set at = ${at(moment)}
    where customer_id = ${customerId} and table_name in ('vehicles', 'feed_runs') and at = app_now()`.execute(
    db,
  )
}
