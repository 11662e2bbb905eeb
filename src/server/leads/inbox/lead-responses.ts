import { sql, type RawBuilder } from 'kysely'
import type { leadResponses, ResponseFigures } from '#contract/leads/inbox/lead-responses.ts'
import type { Handlers } from '#server/http/serve.ts'

const figures = sql`count(*)::int as leads, count(*) filter (where f.is_answered)::int as answered,
  count(*) filter (where f.is_late)::int as late,
  percentile_cont(0.5) within group (order by f.open_response_seconds)::int as median_seconds,
  round(count(*) filter (where f.open_response_seconds < 300)::numeric / nullif(count(*) filter (where f.is_answered), 0), 4)::float8
    as share_under_five,
  count(*) filter (where f.outcome = 'sold')::int as sold, count(*) filter (where f.outcome = 'lost')::int as lost`

/** Whether a lead `l` had no response at its deadline. One that was closed in time without an answer was not late; "Contacted" closes none. */
export const wasLate = sql<boolean>`coalesce(l.respond_by < coalesce(l.first_response_at,
  case when l.outcome in ('sold', 'lost') then l.outcome_at end, app_now()), false)`

/** Whose figures a lead counts in: of the one who answered it, otherwise of its owner. */
export const answeredBy = sql`case when l.first_response_at is null then l.owner_id else coalesce(l.first_responder_id, l.owner_id) end`

/** The leads that count, and what is left of those that were deleted. */
const counted = (customerId: string) => sql`(
  select l.customer_id, l.lot_id, ${answeredBy} as owner_id, l.source_name, l.received_at, l.first_response_at is not null as is_answered,
    ${wasLate} as is_late,
    l.open_response_seconds, l.outcome
  from leads l where l.customer_id = ${customerId} and not l.is_test and l.status not in ('duplicate', 'quarantined')
  union all
  select p.customer_id, p.lot_id, p.owner_id, p.source_name, p.received_at, p.is_answered, p.is_late, p.open_response_seconds, p.outcome
  from past_leads p where p.customer_id = ${customerId})`

/** How fast the leads that came in on the days of a period were answered. */
export const leadResponseHandlers: Handlers<typeof leadResponses> = {
  async get({ db, actor, input: { from, to } }) {
    const zone = actor.timeZone
    const all = counted(actor.customerId)
    const within = sql`f.received_at >= ${from}::date::timestamp at time zone ${zone}
      and f.received_at < (${to}::date + 1)::timestamp at time zone ${zone}`
    const by = async (id: RawBuilder<unknown>, name: RawBuilder<unknown>) => {
      const { rows } = await sql<ResponseFigures & { id: string | null; name: string }>`
        select (${id})::text as id, ${name} as name, ${figures} from ${all} f
        left join lots lot on lot.customer_id = f.customer_id and lot.id = f.lot_id
        left join users u on u.customer_id = f.customer_id and u.id = f.owner_id
        where ${within} group by 1, 2 order by leads desc, name`.execute(db)
      return rows
    }
    const { rows } = await sql<ResponseFigures>`select ${figures} from ${all} f where ${within}`.execute(db)
    const [total] = rows
    if (total === undefined) throw new Error('The figures returned no row.')
    return {
      total,
      zone,
      byLot: await by(sql`f.lot_id`, sql`coalesce(lot.name, 'No lot')`),
      byUser: await by(
        sql`f.owner_id`,
        sql`case when f.owner_id is null then 'No owner'
          else coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), 'Other user') end`,
      ),
      bySource: await by(sql`null`, sql`f.source_name`),
    }
  },
}
