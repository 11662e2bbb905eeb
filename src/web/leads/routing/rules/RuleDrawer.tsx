import { useQuery } from '@tanstack/react-query'
import {
  type LeadRoutingRule,
  leadRoutingRuleRecord,
  leadRoutingRules,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { useRoutingLock } from '../use-routing-settings.ts'
import { ruleForm, type RuleValues, showField } from './rule-form.ts'
import { RuleActions } from './RuleActions.tsx'
import { RuleFields } from './RuleFields.tsx'
import { RuleTrial } from './RuleTrial.tsx'
import { useRuleActions } from './use-rule-actions.ts'
import { useRuleNames } from './use-rule-names.ts'

type Props = {
  /** A rule's ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}
type RuleContext = ReturnType<typeof useRuleNames>
type Loaded = { [K in 'names' | 'settings' | 'destinations']: NonNullable<RuleContext[K]> }

/** One rule, or a blank form for a new one, and what it would do with the leads of the past. */
export function RuleDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const { names, settings, destinations, error, retry } = useRuleNames()
  const rule = useQuery({ ...query(leadRoutingRules.get, { id }), enabled: !isNew, gcTime: 0 })
  const failure = error ?? (rule.data === undefined ? rule.error : null)
  const known = names && settings && destinations ? { names, settings, destinations } : null
  return (
    <FormDrawer
      title={isNew ? 'New rule' : (rule.data?.name ?? 'Rule')}
      about={isNew ? 'Sends the leads it matches' : rule.data && describe(rule.data)}
      size={720}
      onClose={() => onClose()}
    >
      {failure && (
        <FailureState
          failure={failure}
          endpoint={leadRoutingRules.get}
          what="this rule"
          onRetry={() => {
            retry()
            if (!isNew) void rule.refetch()
          }}
        />
      )}
      {!failure && (known === null || (!isNew && !rule.data)) && (
        <RecordSkeleton label="Loading the rule" shape="fields" />
      )}
      {known && isNew && <RuleForm {...known} rule={null} onClose={onClose} onCreated={onCreated} />}
      {known && !failure && rule.data && (
        <LoadedRecord key={rule.data.id} record={rule.data}>
          {(loaded, keep) => (
            <RuleForm {...known} rule={loaded} onKept={keep} onClose={onClose} onCreated={onCreated} />
          )}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

function describe({ number, isCatchAll, updatedAt, updatedBy }: LeadRoutingRule): string {
  const place = isCatchAll ? 'The last rule' : `Rule ${number}`
  return `${place}, changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

const addRule = send(leadRoutingRules.add)
const updateRule = send(leadRoutingRules.update)

type FormProps = Loaded & {
  /** Null for a new one. */
  rule: LeadRoutingRule | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after saving or reloading. */
  onKept?: (rule: LeadRoutingRule) => void
}

/** The form of one rule: saves, tries it over past leads, and resolves conflicting changes. */
function RuleForm({ rule, names, settings, destinations, onClose, onCreated, onKept }: FormProps) {
  const model = ruleForm(names.currency, { isCatchAll: rule?.isCatchAll === true })
  const lock = useRoutingLock()
  const endpoint = rule ? leadRoutingRules.update : leadRoutingRules.add
  const keep = (kept: LeadRoutingRule) => {
    queryClient.setQueryData([...keyOf(leadRoutingRules.get), { id: kept.id }], kept)
    onKept?.(kept)
  }
  const record = useRecordForm<RuleValues, LeadRoutingRule>({
    record: rule,
    blank: model.blank,
    toValues: model.toValues,
    labels: model.labels,
    schema: leadRoutingRuleRecord.schema,
    endpoint,
    isLocked: lock !== null,
    check: model.check,
    save: (values, version) => {
      const input = model.toInput(values)
      return rule ? updateRule({ ...input, id: rule.id, version }) : addRule(input)
    },
    keep,
    onSaved: (saved) => {
      toast(rule ? 'Rule saved' : 'Rule added', saved.name)
      if (!rule) onCreated(saved.id)
    },
  })
  const actions = useRuleActions({
    onDuplicated: onCreated,
    onRemoved: () => {
      record.release()
      onClose(true)
    },
    onKept: keep,
  })
  const { values } = record.form
  const isComplete = Object.keys(model.check({ ...values, name: values.name || 'New rule' })).length === 0
  return (
    <RecordForm record={record} isBusy={actions.isPending} className="fc-form fc-rule-form">
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
      <FormFooter
        record={record}
        for={endpoint}
        save={rule ? 'Save rule' : 'Add rule'}
        lock={lock}
        onCancel={() => onClose(false)}
      >
        {rule && <RuleActions rule={rule} record={record} actions={actions} lock={lock} />}
      </FormFooter>
      <StaleDialog record={record} thing="this rule" show={(name, shown) => showField(name, shown, names)} />
    </RecordForm>
  )
}
