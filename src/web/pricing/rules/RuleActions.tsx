import { useMutation } from '@tanstack/react-query'
import { type PricingRule, pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { PricesDeclined } from '#web/vehicles/index.ts'
import type { RuleValues } from './rule-form.ts'
import { saveConfirming } from './save-rule.tsx'

const addRule = send(pricingRules.add)
const updateRule = send(pricingRules.update)
const removeRule = send(pricingRules.remove)

type Options = {
  record: RecordFormState<RuleValues, PricingRule>
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  onKept: ((rule: PricingRule) => void) | undefined
}

/** Deleting, pausing and duplicating a rule. Each asks when prices move beyond the customer's limits. */
export function useRuleActions({ record, onClose, onCreated, onKept }: Options) {
  const remove = useMutation({
    mutationFn: ({ id, version }: PricingRule) =>
      saveConfirming({ kind: 'remove', id, version }, ({ confirmPrices }) =>
        removeRule({ id, version, confirmPrices }),
      ),
    onSuccess: (_gone, { name }) => {
      record.release()
      toast('Rule deleted', name)
      onClose(true)
    },
    onError: showUnlessDeclined,
  })
  const pause = useMutation({
    mutationFn: ({ id, version, isActive }: PricingRule) =>
      saveConfirming({ kind: 'update', changes: { id, version, isActive: !isActive } }, (confirmed) =>
        updateRule({ id, version, isActive: !isActive, ...confirmed }),
      ),
    onSuccess: (saved) => {
      toast(saved.isActive ? 'Rule resumed' : 'Rule paused', saved.name)
      queryClient.setQueryData([...keyOf(pricingRules.get), { id: saved.id }], saved)
      onKept?.(saved)
    },
    onError: showUnlessDeclined,
  })
  const duplicate = useMutation({
    mutationFn: (copied: PricingRule) => addRule(copyOf(copied)),
    onSuccess: ({ id, name }) => {
      toast('Rule duplicated', `${name} is paused until you resume it.`)
      onCreated(id)
    },
    onError: showUnlessDeclined,
  })
  return {
    isPending: remove.isPending || pause.isPending || duplicate.isPending,
    pause: pause.mutate,
    duplicate: duplicate.mutate,
    async remove(rule: PricingRule) {
      const isSure = await ask({
        title: `Delete ${rule.name}?`,
        text: 'Prices change back immediately, and channels send them with their next file. To keep the rule for later, pause it instead.',
        confirm: 'Delete rule',
        isDestructive: true,
      })
      if (isSure) remove.mutate(rule)
    },
  }
}

type Props = {
  rule: PricingRule
  record: RecordFormState<RuleValues, PricingRule>
  actions: ReturnType<typeof useRuleActions>
}

/** The buttons of a saved rule. Unsaved changes are saved or discarded before it is paused or duplicated. */
export function RuleActions({ rule, record, actions }: Props) {
  const isBusy = record.isSaving || actions.isPending
  const isChanged = record.changed.length > 0
  return (
    <>
      <Action
        for={pricingRules.remove}
        variant="subtle"
        className="fc-quiet-danger"
        disabled={isBusy}
        onClick={() => void actions.remove(rule)}
      >
        Delete rule
      </Action>
      <Action
        for={pricingRules.update}
        variant="subtle"
        disabled={isBusy || isChanged}
        onClick={() => actions.pause(rule)}
      >
        {rule.isActive ? 'Pause' : 'Resume'}
      </Action>
      <Action
        for={pricingRules.add}
        variant="subtle"
        disabled={isBusy || isChanged}
        onClick={() => actions.duplicate(rule)}
      >
        Duplicate
      </Action>
    </>
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
