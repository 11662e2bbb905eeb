import { type Job, jobs, type JobFailure } from '#contract/jobs/jobs.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** The rows that failed, grouped by reason, the most frequent first. */
export function JobFailures({ job }: { job: Job }) {
  const { id, kind, failures } = job
  return (
    <section className="fc-job-failures" aria-labelledby={`job-${id}-failed`}>
      <h2 id={`job-${id}-failed`}>{failures.toLocaleString()} failed</h2>
      <Loaded
        // A running job can add more.
        query={live(query(jobs.failures, { id }), { while: () => job.endedAt === null })}
        what="the failed rows"
        shape="spinner"
        label="Loading failed rows"
      >
        {(rows) => (
          <>
            {groupByReason(rows).map(([reason, ofReason]) => (
              <div key={reason}>
                <h3>
                  <bdi>{reason}</bdi>
                </h3>
                <ul className="fc-lines">
                  {ofReason.map((row) => (
                    <li key={row.rowId}>
                      <RowLink kind={kind} row={row} />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            {rows.length < failures && (
              <p className="fc-small fc-faint">
                {count(failures - rows.length, 'more row', 'more rows')} not listed.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const groupByReason = (rows: readonly JobFailure[]) =>
  [...Map.groupBy(rows, ({ reason }) => reason)].toSorted(([, one], [, other]) => other.length - one.length)

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
