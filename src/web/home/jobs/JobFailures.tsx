import { useQuery } from '@tanstack/react-query'
import { type Job, jobs, type JobFailure } from '#contract/jobs/jobs.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Link } from '@tanstack/react-router'

/** The rows that failed, grouped by reason, the most frequent first. */
export function JobFailures({ job }: { job: Job }) {
  const { id, kind, failures } = job
  const { data, error, isPending, refetch } = useQuery({
    ...query(jobs.failures, { id }),
    // A running job can add more.
    refetchInterval: job.endedAt === null ? 3_000 : false,
  })
  const byReason = [...Map.groupBy(data ?? [], ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  return (
    <section className="fc-job-failures" aria-labelledby={`job-${id}-failed`}>
      <h2 id={`job-${id}-failed`}>{failures.toLocaleString()} failed</h2>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={jobs.failures}
          what="the failed rows"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading failed rows" />}
      {byReason.map(([reason, rows]) => (
        <div key={reason}>
          <h3>
            <bdi>{reason}</bdi>
          </h3>
          <ul className="fc-lines">
            {rows.map((row) => (
              <li key={row.rowId}>
                <RowLink kind={kind} row={row} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {data && data.length < failures && (
        <p className="fc-small fc-faint">
          {count(failures - data.length, 'more row', 'more rows')} not listed.
        </p>
      )}
    </section>
  )
}

/** A link to the record of a failed row; plain text if it has no page. `kind` is the job's. */
function RowLink({ kind, row: { rowId, title } }: { kind: string; row: JobFailure }) {
  const name = <bdi>{title}</bdi>
  const [domain] = kind.split('.')
  switch (domain) {
    case 'lots':
      return (
        <Link to="/customers/lots" search={{ lot: rowId }}>
          {name}
        </Link>
      )
    case 'vehicles':
      return (
        <Link to="/inventory/vehicle-data" search={{ vehicle: rowId }}>
          {name}
        </Link>
      )
    case 'users':
      return (
        <Link to="/administration/users/$id" params={{ id: rowId }}>
          {name}
        </Link>
      )
    default:
      return name
  }
}
