import {
  type LeadRoutingRule,
  leadRoutingRuleRecord,
  leadRoutingRules,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
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
type RuleContext = NonNullable<ReturnType<typeof useRuleNames>['data']>

/** One rule, or a blank form for a new one, and what it would do with the leads of the past. */
export function RuleDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const known = useRuleNames()
  const rule = useLoad({ ...query(leadRoutingRules.get, { id }), enabled: !isNew, gcTime: 0 })
  return (
    <FormDrawer
      title={isNew ? 'New rule' : (rule.data?.name ?? 'Rule')}
      about={isNew ? 'Sends the leads it matches' : rule.data && describe(rule.data)}
      size={720}
      onClose={() => onClose()}
    >
      {isNew ? (
        <Loaded query={known} what="this rule" shape="fields">
          {(names) => <RuleForm {...names} rule={null} onClose={onClose} onCreated={onCreated} />}
        </Loaded>
      ) : (
        <Loaded query={both(known, rule)} what="this rule" shape="fields">
          {([names, saved]) => (
            <LoadedRecord key={saved.id} record={saved}>
              {(loaded, keep) => (
                <RuleForm {...names} rule={loaded} onKept={keep} onClose={onClose} onCreated={onCreated} />
              )}
            </LoadedRecord>
          )}
        </Loaded>
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

type FormProps = RuleContext & {
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
