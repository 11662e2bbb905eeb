import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { customerDetails } from '#contract/customers/details/details.ts'
import { query } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'

export function DetailsActivity() {
  const { data, error, isPending, refetch } = useQuery(query(customerDetails.activity, {}))
  return (
    <FormSection title="Activity" text="Latest changes to these details, newest first.">
      <div className="fc-wide">
        {isPending && <Spinner label="Loading the activity" />}
        {error && (
          <p className="fc-row fc-small" role="alert">
            {error.message}
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        )}
        {data?.length === 0 && <p className="fc-small fc-faint">No changes yet.</p>}
        <ul className="fc-lines">
          {data?.map(({ at, by, what }, index) => (
            <li key={index}>
              <span className="fc-grow">
                <bdi className="fc-name">{by ?? 'Forecourt'}</bdi>
                <span className="fc-second">
                  <bdi>{what}</bdi>
                </span>
              </span>
              <time className="fc-soft fc-number" dateTime={at}>
                {formatAgo(at)}
              </time>
            </li>
          ))}
        </ul>
      </div>
    </FormSection>
  )
}
