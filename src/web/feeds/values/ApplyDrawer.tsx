import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import { type ValuePreview, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './values.css'

const apply = send(valueMappings.apply)

/** Previews and starts applying the data mappings to existing vehicles. */
export function ApplyDrawer({ onClose }: { onClose: () => void }) {
  const applying = useMutation({
    mutationFn: apply,
    onSuccess: async (job) => {
      onClose()
      await followJob(job)
    },
    onError: (failure) => showError(failure),
  })
  return (
    <FormDrawer
      title="Apply to vehicles"
      about="Vehicles that still have an unmapped feed value"
      size={640}
      onClose={onClose}
    >
      <Loaded
        query={{ ...query(valueMappings.preview, {}), gcTime: 0 }}
        what="the preview"
        shape="fields"
        label="Checking the vehicles"
      >
        {(data) => (
          <>
            {data.changes.length === 0 && (
              <EmptyState
                icon={<IconCheck size={18} />}
                title="Nothing to change"
                text="All mappings are already applied. New feed values are mapped as they arrive."
              />
            )}
            {data.changes.length > 0 && (
              <>
                <Changes preview={data} />
                <div className="fc-form-footer">
                  <span className="fc-grow fc-small fc-soft">
                    <bdi>You can undo this on the Jobs page.</bdi>
                  </span>
                  <Action
                    for={valueMappings.apply}
                    loading={applying.isPending}
                    lock={data.vehicles === 0 ? 'All of these values are locked.' : null}
                    onClick={() => applying.mutate({})}
                  >
                    Change {count(data.vehicles, 'vehicle', 'vehicles')}
                  </Action>
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function Changes({ preview: { changes, samples } }: { preview: ValuePreview }) {
  return (
    <div className="fc-values-body fc-grow">
      <ul className="fc-values-changes" aria-label="Changes">
        {changes.map(({ field, from, to, vehicles, locked }) => (
          <li key={`${field} ${from}`}>
            <span className="fc-small fc-faint">{fieldTitle(field)}</span>
            <span className="fc-values-step">
              <bdi>{from}</bdi>
              <IconArrowRight size={14} className="fc-flip" aria-hidden="true" />
              <span className="fc-hidden">becomes</span>
              {to === null ? <em>empty</em> : <bdi>{to}</bdi>}
            </span>
            <span className="fc-small fc-soft fc-number">
              <bdi>
                {count(vehicles, 'vehicle', 'vehicles')}
                {locked > 0 && `, ${locked.toLocaleString()} locked, not changed`}
              </bdi>
            </span>
          </li>
        ))}
      </ul>
      {samples.length > 0 && (
        <section aria-labelledby="value-samples">
          <h3 id="value-samples">Sample vehicles</h3>
          <ul className="fc-values-changes">
            {samples.map(({ id, title, changes: own }) => (
              <li key={id}>
                <Link to="/inventory/vehicle-data/$id" params={{ id }} className="fc-name">
                  <bdi>{title}</bdi>
                </Link>
                <span className="fc-small fc-soft">
                  <bdi>{own.join(', ')}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
