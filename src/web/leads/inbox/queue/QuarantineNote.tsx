import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { looksLikeSpam, SUSPICIONS } from '#contract/leads/inbox/suspicions.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import type { LeadActions } from '../lead/use-lead-actions.ts'
import { useRemoveLead } from '../lead/use-remove-lead.ts'

type Props = { lead: LeadRecord; actions: LeadActions; onRemoved: () => void }

/** A lead that looks like spam, with the reasons and the two ways out of quarantine. */
export function QuarantineNote({ lead, actions, onRemoved }: Props) {
  const { status, suspicions } = lead
  const { isPending, askToRemove } = useRemoveLead(lead, onRemoved)
  if (status !== 'quarantined') return null
  return (
    <div className="fc-lead-note">
      <div className="fc-grow">
        <p>
          <b>{looksLikeSpam(suspicions) ? 'This looks like spam.' : 'Please check this lead.'}</b> It isn't
          assigned or sent to anyone.
        </p>
        <ul>
          {suspicions.map((suspicion) => (
            <li key={suspicion}>{SUSPICIONS[suspicion]}</li>
          ))}
        </ul>
      </div>
      <div className="fc-row">
        <Action for={leads.release} loading={actions.isPending} onClick={actions.release}>
          {looksLikeSpam(suspicions) ? 'Not spam' : 'Release'}
        </Action>
        <Action for={leads.remove} variant="default" loading={isPending} onClick={askToRemove}>
          Delete
        </Action>
      </div>
    </div>
  )
}
