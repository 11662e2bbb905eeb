import { sql } from 'kysely'
import { QUIET_HOURS, type RequestCell } from '#contract/carbon/activity/data-requests.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type RequestedCell = NonNullable<RequestCell['asked']>

/** A source with what is needed for sending; whether its data owner can be emailed isn't known yet. */
export type CellRow = Omit<RequestCell, 'problem' | 'asked'> & {
  asked: (RequestedCell & { isRepeated: boolean }) | null
  /** In the time zone of the organization: the day of the last email, the current day, and the current hour. */
  lastDay: string | null
  today: string
  hour: number
}

type Row = Omit<CellRow, 'asked'> &
  Omit<RequestedCell, 'requestId' | 'personName'> & {
    requestId: string | null
    requestedName: string
    isRepeated: boolean
  }

/**
 * The sources that an inventory expects data for, by facility, with the last request to the current data owner.
 * @param at the current time, if it isn't now.
 */
export async function readCells(db: Database, inventoryId: string, at?: Date): Promise<CellRow[]> {
  const moment = at === undefined ? sql`app_now()` : sql`${at.toISOString()}::timestamptz`
  const { rows } = await sql<Row>`
    select s.id::text as source_id, s.facility_id::text, f.name as facility_name, s.source_type, s.name as source_name, s.label as source_label, s.person_id::text,
      u.first_name || ' ' || u.last_name as person_name, s.due_on::text,
      exists (select from activity_records r where r.customer_id = s.customer_id and r.source_id = s.id
        and r.replaced_at is null and r.kind <> 'estimate') as has_data,
      q.id::text as request_id, q.person_name as requested_name, q.requested_at, q.requested_by, q.message, q.is_repeated,
      coalesce(m.reminders, 0) as reminders, m.reminded_at, a.answered_at, o.state as mail_state,
      coalesce(greatest(q.requested_at, m.reminded_at) > ${moment} - ${QUIET_HOURS} * interval '1 hour', false) as is_quiet,
      (greatest(q.requested_at, m.reminded_at) at time zone z.time_zone)::date::text as last_day,
      (${moment} at time zone z.time_zone)::date::text as today,
      extract(hour from ${moment} at time zone z.time_zone)::int as hour
    from emission_sources s
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = s.inventory_id
      and i.facility_id = s.facility_id
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    join organizations z on z.customer_id = s.customer_id and z.id = s.organization_id
    left join users u on u.customer_id = s.customer_id and u.id = s.person_id
    left join lateral (select d.* from data_request_cells c
      join data_requests d on d.customer_id = c.customer_id and d.id = c.request_id
      where c.customer_id = s.customer_id and c.organization_id = s.organization_id and c.source_id = s.id
        and d.kind = 'request' and d.person_id = s.person_id order by d.id desc limit 1) q on true
    left join lateral (select count(*)::int as reminders, max(d.requested_at) as reminded_at, max(d.mail_id) as mail_id
      from data_request_cells c join data_requests d on d.customer_id = c.customer_id and d.id = c.request_id
      where c.customer_id = s.customer_id and c.organization_id = s.organization_id and c.source_id = s.id
        and d.kind = 'reminder' and d.person_id = s.person_id and d.id > q.id) m on true
    left join lateral (${enteredSince(sql`s.id`, sql`q.requested_at`)}) a on true
    left join outbox_mails o on o.customer_id = s.customer_id and o.id = coalesce(m.mail_id, q.mail_id)
    where s.inventory_id = ${inventoryId} and not s.closed and not i.excluded
    order by f.code, s.source_type, s.id`.execute(db)
  return rows.map(cellOf)
}

/** When the first current record of a source was entered after a moment; null: none. */
export const enteredSince = (source: ReturnType<typeof sql>, moment: ReturnType<typeof sql>) => sql`
  select min(r.created_at) as answered_at from activity_records r
  where r.source_id = ${source} and r.replaced_at is null and r.created_at > ${moment}`

function cellOf(row: Row): CellRow {
  const { requestId, requestedName, requestedAt, requestedBy, message, isRepeated, ...more } = row
  const { reminders, remindedAt, answeredAt, mailState, isQuiet, ...cell } = more
  if (requestId === null) return { ...cell, asked: null }
  const request = { requestId, personName: requestedName, requestedAt, requestedBy, message, isRepeated }
  return { ...cell, asked: { ...request, reminders, remindedAt, answeredAt, mailState, isQuiet } }
}
