import { Button } from '@mantine/core'
import type { DataRequest } from '#contract/carbon/activity/data-requests.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { describeSource, requestTitle } from './request-labels.ts'
import './requests.css'

type Props = {
  request: DataRequest
  /** The source that is open. */
  current: string | undefined
  onSource: (id: string) => void
  onShowAll: () => void
}

/** The sources of one data request, which of them have data now, and a way back to all sources. */
export function RequestedSources({ request, current, onSource, onShowAll }: Props) {
  const { cells, message, requestedBy } = request
  return (
    <section className="fc-asked" aria-labelledby="fc-asked">
      <div className="fc-row fc-wrap">
        <h2 id="fc-asked" className="fc-grow">
          <bdi>{requestTitle(request)}</bdi>
        </h2>
        <Button variant="default" size="compact-sm" onClick={onShowAll}>
          Show all sources
        </Button>
      </div>
      {message !== null && (
        <p>
          <bdi>
            Message from {requestedBy ?? 'a former user'}: {message}
          </bdi>
        </p>
      )}
      <ul>
        {cells.map((cell) => (
          <li key={cell.sourceId}>
            <button
              type="button"
              className="fc-text-button"
              {...(cell.sourceId === current && { 'aria-current': true })}
              onClick={() => onSource(cell.sourceId)}
            >
              <bdi>{describeSource(cell)}</bdi>
            </button>
            {cell.dueOn !== null && <span className="fc-small fc-soft">Due {writeDay(cell.dueOn)}</span>}
            {cell.answeredAt === null ? (
              <Status tone="warn" mark="wait">
                No data yet
              </Status>
            ) : (
              <Status tone="good" mark="check">
                Answered
              </Status>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
