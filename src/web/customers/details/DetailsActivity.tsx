import { customerDetails } from '#contract/customers/details/details.ts'
import { query } from '#web/api/query.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { Timeline } from '#web/ui/record/Timeline.tsx'

/** The latest changes to the details of a customer. */
export function DetailsActivity() {
  return (
    <FormSection title="Activity" text="Latest changes to these details, newest first.">
      <div className="fc-wide">
        <Timeline
          query={query(customerDetails.activity, {})}
          what="the activity"
          title="Activity"
          entries={(changes) =>
            changes.map(({ at, by, what }) => ({ at, by: by ?? 'Forecourt', what: <bdi>{what}</bdi> }))
          }
          empty={<p className="fc-small fc-faint">No changes yet.</p>}
        />
      </div>
    </FormSection>
  )
}
