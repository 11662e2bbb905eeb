import { activities } from '#contract/carbon/activity/activity.ts'
import { Action } from '#web/ui/controls/Action.tsx'

type Props = { name: string; lock: string | null; onApprove: () => void; onReturn: () => void }

/** Buttons that approve or return one flagged record. */
export function RowActions({ name, lock, onApprove, onReturn }: Props) {
  return (
    <div className="fc-row">
      <Action
        for={activities.returnRecords}
        variant="default"
        size="compact-sm"
        aria-label={`Return: ${name}`}
        lock={lock}
        onClick={onReturn}
      >
        Return
      </Action>
      <Action
        for={activities.approve}
        variant="default"
        size="compact-sm"
        aria-label={`Approve: ${name}`}
        lock={lock}
        onClick={onApprove}
      >
        Approve
      </Action>
    </div>
  )
}
