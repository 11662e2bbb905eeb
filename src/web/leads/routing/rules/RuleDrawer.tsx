import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { send } from '#web/api/query.ts'
import { describeChange, RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { useRoutingLock } from '../use-routing-settings.ts'
import { ruleForm, showField } from './rule-form.ts'
import { RuleActions } from './RuleActions.tsx'
import { RuleFields } from './RuleFields.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { useRuleActions } from './use-rule-actions.ts'
import { useRuleNames } from './use-rule-names.ts'

const addRule = send(leadRoutingRules.add)
const updateRule = send(leadRoutingRules.update)

/** One rule, or a blank form for a new one, and what it would do with the leads of the past. */
export function RuleDrawer(props: RecordDrawerProps) {
  const known = useRuleNames()
  const { names, settings, destinations } = known.data ?? {}
  const lock = useRoutingLock()
  const actions = useRuleActions({ onDuplicated: props.onCreated })
  // Before the names have loaded, no form is shown.
  const modelOf = (rule: LeadRoutingRule | null) =>
    ruleForm(names?.currency ?? '', { isCatchAll: rule?.isCatchAll === true })
  return (
    <RecordDrawer
      {...props}
      noun="rule"
      about="Sends the leads it matches"
      describe={describe}
      size={720}
      className="fc-form fc-rule-form"
      form={modelOf}
      endpoints={leadRoutingRules}
      save={(input, change) => (change ? updateRule({ ...input, ...change }) : addRule(input))}
      nameOf={({ name }) => ({ name })}
      show={(name, values) => (names ? showField(name, values, names) : showValue({ ...values }[name]))}
      disabledReason={lock}
      needs={known}
      isBusy={actions.isPending}
      renderFooter={(record, rule) => (
        <RuleActions
          rule={rule}
          record={record}
          actions={actions}
          lock={lock}
          onRemoved={() => props.onClose(true)}
        />
      )}
    >
      {(record, rule) => {
        const { values } = record.form
        const model = modelOf(rule)
        const isComplete =
          Object.keys(model.check({ ...values, name: values.name || 'New rule' })).length === 0
        return (
          settings &&
          destinations && (
            <div className="fc-rule-body">
              <RuleFields
                record={record}
                rule={rule}
                blank={model.blank}
                settings={settings}
                destinations={destinations}
              />
              <RuleTrial id={rule?.id ?? null} input={isComplete ? model.toInput(values) : null} />
            </div>
          )
        )
      }}
    </RecordDrawer>
  )
}

function describe(rule: LeadRoutingRule): string {
  return `${rule.isCatchAll ? 'The last rule' : `Rule ${rule.number}`}, ${describeChange(rule)}`
}
