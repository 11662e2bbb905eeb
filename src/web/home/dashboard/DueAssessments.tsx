import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Due = NonNullable<Output<typeof dashboard.get>['assessments']>

/** The open assessments that wait for answers, by due date. Hidden without any. */
export function DueAssessments({ due }: { due: Due }) {
  const { next, toReview } = due
  if (next.length === 0 && (toReview ?? 0) === 0) return null
  return (
    <section className="fc-card" aria-label="Assessments">
      <header>
        <h2 className="fc-grow">Assessments</h2>
        <Link to="/assessments" className="fc-small">
          View all
        </Link>
      </header>
      <p>
        <bdi>{describe(due)}</bdi>
      </p>
      <ul className="fc-due">
        {next.map(({ id, name, dueOn, waiting, overdue }) => (
          <li key={id}>
            <span className="fc-grow">
              <Link to="/assessments/$id" params={{ id }} className="fc-name">
                <bdi>{name}</bdi>
              </Link>
              <span className="fc-second">{count(waiting, 'target waits', 'targets wait')} for answers</span>
            </span>
            {overdue.count > 0 && overdue.url !== null ? (
              <Link to={overdue.url}>
                <Status tone="bad" mark="alert">
                  {overdue.count.toLocaleString()} overdue
                </Status>
              </Link>
            ) : (
              // A day has no time zone.
              <span className="fc-number">Due {formatDay(`${dueOn}T00:00`)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function describe({ overdue, dueSoon, toReview }: Due): string {
  const parts = [
    overdue > 0 && `${count(overdue, 'target is', 'targets are')} overdue.`,
    dueSoon > 0 && `${count(dueSoon, 'target is', 'targets are')} due within 7 days.`,
    toReview !== null && toReview > 0 && `${count(toReview, 'target waits', 'targets wait')} for a review.`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Nothing is due within 7 days.' : parts.join(' ')
}
