import { sql, type RawBuilder, type SqlBool } from 'kysely'

/**
 * The part of imported totals `t` that counts, by month: kg, market_kg and biogenic_kg with facility, source and scope, and the
 * number of days that count.
 * A total is spread evenly over its days; days that have a record of the source don't count. Excluded facilities don't
 * count either.
 */
export function importedShares(condition: RawBuilder<SqlBool>): RawBuilder<unknown> {
  // Differences of cumulative values, so that the months of a full period add up exactly to the total.
  const share = (column: string) => {
    const figure = sql.ref(`t.${column}`)
    return sql`case when f.days = m.last_day - m.first_day + 1
      then round(${figure} * (m.last_day - t.period_start + 1) / n.days, 12) - round(${figure} * (m.first_day - t.period_start) / n.days, 12)
      else round(${figure} * f.days / n.days, 12) end`
  }
  return sql`select t.customer_id, t.id, t.inventory_id, t.period_start, t.period_end, t.kg as whole_kg, t.market_kg as whole_market_kg, t.note,
      t.created_at, f.days, s.facility_id, t.source_id, s.source_type, s.name as source_name, s.scope,
      date_trunc('month', m.first_day)::date as month, ${share('kg')} as kg,
      coalesce(${share('market_kg')}, ${share('kg')}) as market_kg, ${share('biogenic_kg')} as biogenic_kg
    from imported_totals t
    join emission_sources s on s.customer_id = t.customer_id and s.id = t.source_id
    join inventory_facilities d on d.customer_id = s.customer_id and d.inventory_id = s.inventory_id
      and d.facility_id = s.facility_id and not d.excluded
    cross join lateral (select t.period_end - t.period_start + 1 as days) n
    cross join lateral (select coalesce(range_agg(daterange(r.period_start, r.period_end, '[]')), '{}'::datemultirange) as days
      from activity_records r where r.customer_id = t.customer_id and r.source_id = t.source_id and r.replaced_at is null
        and r.period_start <= t.period_end and r.period_end >= t.period_start) taken
    cross join lateral (select greatest(g::date, t.period_start) as first_day,
        least((g + interval '1 month - 1 day')::date, t.period_end) as last_day
      from generate_series(date_trunc('month', t.period_start::timestamp), t.period_end::timestamp, interval '1 month') g) m
    cross join lateral (select coalesce(sum(upper(free) - lower(free)), 0)::integer as days
      from unnest(datemultirange(daterange(m.first_day, m.last_day, '[]')) - taken.days) free) f
    where t.removed_at is null and f.days > 0 and ${condition}`
}
