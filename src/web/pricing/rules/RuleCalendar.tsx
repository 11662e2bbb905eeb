import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pricingRules, type RuleBoundary } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { formatLotDay, formatLotTime } from '../totals/format-minute.ts'

/** When rules start and end, by day. */
export function RuleCalendar() {
  const { data, error, refetch } = useQuery(query(pricingRules.calendar, {}))
  if (error && !data) {
    return (
      <FailureState
        failure={error}
        endpoint={pricingRules.calendar}
        what="the calendar"
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <RecordSkeleton label="Loading the calendar" shape="fields" />
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
