import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type PricingRule,
  pricingRuleRecord,
  pricingRules,
} from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { PricesDeclined, saveConfirmingPrices } from '../../vehicles/confirm-prices.ts'
import { saveConfirming } from './save-rule.ts'
import { ruleForm, type RuleValues, showField } from './rule-form.ts'
import { RuleFields } from './RuleFields.tsx'
import { RulePreviewCard } from './RulePreviewCard.tsx'

type Props = {
  /** A rule's ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}

/** One price rule with its effect on the stock, or a blank form for a new one. */
export function RuleDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const settings = useQuery(query(vehicles.settings, {}))
  const rule = useQuery({ ...query(pricingRules.get, { id }), enabled: !isNew, gcTime: 0 })
  const error = settings.error ?? rule.error
  const data = rule.data
  const currency = settings.data?.currency
  return (
    <FormDrawer
      title={isNew ? 'New rule' : (data?.name ?? 'Rule')}
      about={isNew ? 'Changes the price of the vehicles it matches' : data && describe(data)}
      size={720}
      onClose={() => onClose()}
    >
      {error && (
        <FailureState
          failure={error}
          endpoint={pricingRules.get}
          what="this rule"
          onRetry={() => void Promise.all([settings.refetch(), isNew || rule.refetch()])}
        />
      )}
      {!error && (currency === undefined || (!isNew && !data)) && (
        <RecordSkeleton label="Loading the rule" shape="fields" />
      )}
      {currency !== undefined && isNew && (
        <RuleForm rule={null} currency={currency} onClose={onClose} onCreated={onCreated} />
      )}
      {currency !== undefined && data && (
        <LoadedRecord key={data.id} record={data}>
          {(loaded, keep) => (
            <RuleForm
              rule={loaded}
              currency={currency}
              onKept={keep}
              onClose={onClose}
              onCreated={onCreated}
            />
          )}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

function describe({ updatedAt, updatedBy }: PricingRule): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

const addRule = send(pricingRules.add)
const updateRule = send(pricingRules.update)
const removeRule = send(pricingRules.remove)

type FormProps = {
  /** Null for a new one. */
  rule: PricingRule | null
  currency: string
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after saving or reloading. */
  onKept?: (rule: PricingRule) => void
}

/** The form of one rule: shows its effect before it is saved, saves, deletes, and resolves conflicting changes. */
function RuleForm({ rule, currency, onClose, onCreated, onKept }: FormProps) {
  const model = ruleForm(currency)
  const endpoint = rule ? pricingRules.update : pricingRules.add
  const record = useRecordForm<RuleValues, PricingRule>({
    record: rule,
    blank: model.blank,
    toValues: model.toValues,
    labels: model.labels,
    schema: pricingRuleRecord.schema,
    endpoint,
    check: model.check,
    save: (values, version) =>
      saveConfirming((confirmed) => {
        const input = { ...model.toInput(values), ...confirmed }
        return rule ? updateRule({ ...input, id: rule.id, version }) : addRule(input)
      }),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(pricingRules.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: async (saved) => {
      toast(rule ? 'Rule saved' : 'Rule added', saved.name)
      if (!rule) onCreated(saved.id)
      await invalidateRules()
    },
  })
  const remove = useMutation({
    mutationFn: (removed: { id: string }) =>
      saveConfirmingPrices((confirmPrices) => removeRule({ ...removed, confirmPrices })),
    onSuccess: async () => {
      record.release()
      toast('Rule deleted', rule?.name)
      onClose(true)
      await invalidateRules()
    },
    onError: showUnlessDeclined,
  })
  const pause = useMutation({
    mutationFn: ({ id, version, isActive }: PricingRule) =>
      saveConfirming((confirmed) => updateRule({ id, version, isActive: !isActive, ...confirmed })),
    onSuccess: async (saved) => {
      toast(saved.isActive ? 'Rule resumed' : 'Rule paused', saved.name)
      queryClient.setQueryData([...keyOf(pricingRules.get), { id: saved.id }], saved)
      onKept?.(saved)
      await invalidateRules()
    },
    onError: showUnlessDeclined,
  })
  const duplicate = useMutation({
    mutationFn: (copied: PricingRule) => addRule(copyOf(copied)),
    onSuccess: async (saved) => {
      toast('Rule duplicated', `${saved.name} is paused until you resume it.`)
      onCreated(saved.id)
      await invalidateRules()
    },
    onError: (failure) => showError(failure),
  })
  const isBusy = record.isSaving || remove.isPending || pause.isPending || duplicate.isPending
  async function confirmRemoval({ id, name }: PricingRule) {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: 'Prices change back immediately, and channels send them with their next file. To keep the rule for later, pause it instead.',
      confirm: 'Delete rule',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  return (
    <RecordForm record={record} isBusy={isBusy && !record.isSaving}>
      <RulePreviewCard
        id={rule?.id ?? null}
        input={
          Object.keys(model.check(record.form.values)).length === 0 ? model.toInput(record.form.values) : null
        }
      />
      <RuleFields record={record} rule={rule} currency={currency} />
      <FormFooter
        record={record}
        for={endpoint}
        save={rule ? 'Save rule' : 'Add rule'}
        onCancel={() => onClose(false)}
      >
        {rule && (
          <>
            <Action
              for={pricingRules.remove}
              variant="subtle"
              className="fc-quiet-danger"
              disabled={isBusy}
              onClick={() => void confirmRemoval(rule)}
            >
              Delete rule
            </Action>
            <Action
              for={pricingRules.update}
              variant="subtle"
              disabled={isBusy || record.changed.length > 0}
              onClick={() => pause.mutate(rule)}
            >
              {rule.isActive ? 'Pause' : 'Resume'}
            </Action>
            <Action
              for={pricingRules.add}
              variant="subtle"
              disabled={isBusy || record.changed.length > 0}
              onClick={() => duplicate.mutate(rule)}
            >
              Duplicate
            </Action>
          </>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this rule" show={showField} />
    </RecordForm>
  )
}

function showUnlessDeclined(failure: CallFailure): void {
  if (!(failure instanceof PricesDeclined)) showError(failure)
}

const MAX_NAME = 100

/** A paused copy of a rule, as the input of a new one. */
function copyOf({ id: _id, version: _version, updatedAt: _at, updatedBy: _by, ...rule }: PricingRule) {
  const ending = ' (copy)'
  return { ...rule, name: `${rule.name.slice(0, MAX_NAME - ending.length)}${ending}`, isActive: false }
}

/** Reloads the rules and their effects; prices of vehicles load again when they are shown. */
async function invalidateRules(): Promise<void> {
  await Promise.all(
    [pricingRules.list, pricingRules.effects].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )
}
