import { sql, type RawBuilder } from 'kysely'
import type { leadResponses, ResponseFigures } from '#contract/leads/leads/lead-responses.ts'
import type { Handlers } from '#server/http/serve.ts'

const figures = sql`count(*)::int as leads, count(l.first_response_at)::int as answered,
  count(*) filter (where l.first_response_at > l.respond_by
    or (l.first_response_at is null and l.outcome = 'open' and l.respond_by < app_now()))::int as late,
  percentile_cont(0.5) within group (order by l.open_response_seconds)::int as median_seconds,
  round(count(*) filter (where l.open_response_seconds < 300)::numeric / nullif(count(l.first_response_at), 0), 4)::float8
    as share_under_five,
  count(*) filter (where l.outcome = 'sold')::int as sold, count(*) filter (where l.outcome = 'lost')::int as lost`

/** How fast the leads that came in on the days of a period were answered. */
export const leadResponseHandlers: Handlers<typeof leadResponses> = {
  async get({ db, actor, input: { from, to } }) {
    const zone = actor.timeZone
    const within = sql`l.customer_id = ${actor.customerId} and not l.is_test and l.status not in ('duplicate', 'quarantined')
      and l.received_at >= ${from}::date::timestamp at time zone ${zone}
      and l.received_at < (${to}::date + 1)::timestamp at time zone ${zone}`
    const by = async (id: RawBuilder<unknown>, name: RawBuilder<unknown>) => {
      const { rows } = await sql<ResponseFigures & { id: string | null; name: string }>`
        select (${id})::text as id, ${name} as name, ${figures} from leads l
        left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
        left join users u on u.customer_id = l.customer_id and u.id = l.owner_id
        where ${within} group by 1, 2 order by leads desc, name`.execute(db)
      return rows
    }
    const { rows } = await sql<ResponseFigures>`select ${figures} from leads l where ${within}`.execute(db)
    const [total] = rows
    if (total === undefined) throw new Error('The figures returned no row.')
    return {
      total,
      byLot: await by(sql`l.lot_id`, sql`coalesce(lot.name, 'No lot')`),
      byUser: await by(
        sql`l.owner_id`,
        sql`case when l.owner_id is null then 'No owner'
          else coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), 'Other user') end`,
      ),
      bySource: await by(sql`null`, sql`l.source_name`),
    }
  },
}
