import { type LeadRecord, leads } from '#contract/leads/leads/leads.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import type { LeadActions } from './use-lead-actions.ts'

/** A lead that looks like spam, and the way out of quarantine. */
export function QuarantineNote({ lead, actions }: { lead: LeadRecord; actions: LeadActions }) {
  if (lead.status !== 'quarantined') return null
  return (
    <div className="fc-lead-note">
      <p>
        <b>This looks like spam.</b> It wasn't assigned to anyone.
      </p>
      <Action for={leads.release} loading={actions.isPending} onClick={actions.release}>
        Not spam
      </Action>
    </div>
  )
}
