import { pricingRules, type RuleBoundary } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { formatLotDay, formatLotTime } from '../totals/format-minute.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** When rules start and end, by day. */
export function RuleCalendar() {
  return (
    <Loaded query={query(pricingRules.calendar, {})} what="the calendar" shape="fields">
      {(data) => {
        if (data.length === 0) return <p className="fc-soft">No active rules start or end later.</p>
        const days = Map.groupBy(data, ({ minute }) => minute.slice(0, 10))
        return (
          <div className="fc-rule-calendar">
            <ol>
              {[...days].map(([day, boundaries]) => (
                <li key={day}>
                  <h3>{formatLotDay(day)}</h3>
                  <ul>
                    {boundaries.map((boundary) => (
                      <Boundary key={`${boundary.ruleId} ${boundary.what}`} of={boundary} />
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          </div>
        )
      }}
    </Loaded>
  )
}

function Boundary({ of: { minute, ruleId, name, what } }: { of: RuleBoundary }) {
  return (
    <li>
      <span className="fc-number fc-soft">{formatLotTime(minute)}</span>{' '}
      <Link
        from="/inventory/pricing-rules"
        to="/inventory/pricing-rules"
        search={(before) => ({ ...before, rule: ruleId })}
        className="fc-link"
      >
        <bdi>{name}</bdi>
      </Link>{' '}
      {what}
    </li>
  )
}
