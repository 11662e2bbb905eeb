import { sql } from 'kysely'

/** Whether a lead `l` had no response at its deadline. One that was closed in time without an answer was not late; "Contacted" closes none. */
export const wasLate = sql<boolean>`coalesce(l.respond_by < coalesce(l.first_response_at,
  case when l.outcome in ('sold', 'lost') then l.outcome_at end, app_now()), false)`

/** Whose figures a lead counts in: of the one who answered it, otherwise of its owner. */
export const answeredBy = sql`case when l.first_response_at is null then l.owner_id else coalesce(l.first_responder_id, l.owner_id) end`

/** Whether the manager of its lot was told about a lead `l` or got it, because it wasn't accepted or answered in time. */
export const isEscalated = sql<boolean>`exists (select from lead_events esc
  where esc.customer_id = l.customer_id and esc.lead_id = l.id and (esc.kind = 'escalated'
    or (esc.kind = 'late' and esc.data ->> 'toName' is not null)))`
