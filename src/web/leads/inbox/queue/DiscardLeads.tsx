import type { Lead } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

/** As many as one call takes. */
const MOST = 500

const discardLeads = send(leads.discard)

/** Deletes the leads of the quarantine that are listed. What came in meanwhile stays. */
export function DiscardLeads({ rows, onDone }: { rows: readonly Lead[]; onDone: () => void }) {
  const ids = rows.slice(0, MOST).map(({ id }) => id)
  const discard = useMutation({
    mutationFn: () => discardLeads({ ids }),
    onSuccess: ({ deleted }) => {
      toast(`${count(deleted, 'lead', 'leads')} deleted`, 'From quarantine')
      onDone()
    },
    onError: (failure) => showError(failure),
  })
  const leadsOf = count(ids.length, 'lead', 'leads')
  const confirm = async () => {
    const isSure = await ask({
      title: `Delete ${leadsOf} in quarantine?`,
      text: "What was sent and the senders' details are deleted too. This can't be undone.",
      confirm: `Delete ${leadsOf}`,
      isDestructive: true,
    })
    if (isSure) discard.mutate()
  }
  if (ids.length === 0) return null
  return (
    <div className="fc-lead-discard">
      <p className="fc-small fc-soft fc-grow">
        These look like spam. Release what isn't. What you leave here is deleted after the number of days in
        Lead settings.
      </p>
      <Action
        for={leads.discard}
        variant="default"
        size="xs"
        loading={discard.isPending}
        onClick={() => void confirm()}
      >
        Delete {ids.length.toLocaleString()}
      </Action>
    </div>
  )
}
