import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { RuleValues } from './rule-form.ts'
import type { useRuleActions } from './use-rule-actions.ts'

type Props = {
  rule: LeadRoutingRule
  record: RecordFormState<RuleValues, LeadRoutingRule>
  actions: ReturnType<typeof useRuleActions>
  lock: string | null
  onRemoved: () => void
}

/** The buttons of a saved rule. Unsaved changes are saved or discarded before it is paused or duplicated. */
export function RuleActions({ rule, record, actions, lock, onRemoved }: Props) {
  const isBusy = record.isSaving || actions.isPending
  const isChanged = record.changed.length > 0
  return (
    <>
      {!rule.isCatchAll && (
        <>
          <Action
            for={leadRoutingRules.remove}
            lock={lock}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={isBusy}
            onClick={() => {
              void actions.remove(rule, () => {
                record.release()
                onRemoved()
              })
            }}
          >
            Delete rule
          </Action>
          <Action
            for={leadRoutingRules.update}
            lock={lock}
            variant="subtle"
            disabled={isBusy || isChanged}
            onClick={() => actions.pause(rule, record.keep)}
          >
            {rule.isActive ? 'Pause' : 'Resume'}
          </Action>
        </>
      )}
      <Action
        for={leadRoutingRules.add}
        lock={lock}
        variant="subtle"
        disabled={isBusy || isChanged}
        onClick={() => actions.duplicate(rule)}
      >
        Duplicate
      </Action>
    </>
  )
}
