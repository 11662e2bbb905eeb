import { useMutation } from '#web/api/mutation.ts'
import { addCopy } from '#web/ui/record/add-copy.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { type PricingRule, pricingRules, type RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { PricesDeclined } from '#web/ui/prices/confirm-prices.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import type { RuleValues } from './rule-form.ts'
import { saveConfirming } from '#web/ui/prices/save-confirming.tsx'

const addRule = send(pricingRules.add)
const updateRule = send(pricingRules.update)
const removeRule = send(pricingRules.remove)
const preview = send(pricingRules.preview)

type Options = {
  record: RecordFormState<RuleValues, PricingRule>
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  onKept: ((rule: PricingRule) => void) | undefined
}

/**
 * Deleting, pausing and duplicating a rule. Each says first how prices would move, and asks again when they move beyond the
 * customer's limits.
 */
export function useRuleActions({ record, onClose, onCreated, onKept }: Options) {
  const remove = useMutation({
    mutationFn: ({ id, version }: PricingRule) =>
      saveConfirming({ kind: 'remove', id, version }, ({ confirmPrices }) =>
        removeRule({ id, version, confirmPrices }),
      ),
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
    mutationFn: (copied: PricingRule) =>
      addCopy(copied.name, MAX_NAME, (name) => addRule({ ...copyOf(copied), name })),
    onSuccess: ({ id, name }) => {
      toast('Rule duplicated', `${name} is paused until you resume it.`)
      onCreated(id)
    },
    onError: showUnlessDeclined,
  })
  return {
    isPending: remove.isPending || pause.isPending || duplicate.isPending,
    async pause(rule: PricingRule) {
      const effect = await effectOf(rule, !rule.isActive)
      const text = effect === null ? '' : describeEffect(effect)
      const verb = rule.isActive ? 'Pause' : 'Resume'
      const isSure =
        effect === null ||
        effect.lowered + effect.raised === 0 ||
        (await ask({ title: `${verb} ${rule.name}?`, text, confirm: `${verb} rule` }))
      if (isSure) pause.mutate(rule)
    },
    duplicate: duplicate.mutate,
    async remove(rule: PricingRule) {
      const effect = rule.isActive ? await effectOf(rule, false) : null
      const done = await askToRemove({
        read: pricingRules.get,
        shown: rule,
        thing: 'this rule',
        question: {
          title: `Delete ${rule.name}?`,
          text: `${effect === null ? 'Its versions are deleted, too.' : describeEffect(effect)} To keep the rule for later, pause it instead. This can't be undone.`,
          confirm: 'Delete rule',
        },
        run: remove.mutateAsync,
        onRefused: showUnlessDeclined,
      })
      if (done === null) return
      record.release()
      if (done !== 'gone') toast('Rule deleted', done.removed.name)
      onClose(true)
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
        onClick={() => void actions.pause(rule)}
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

/** What pausing, resuming or deleting would do to the prices of the stock; null if it can't be calculated. */
async function effectOf(rule: PricingRule, isActive: boolean): Promise<RulePreview | null> {
  const input = { id: rule.id, rule: { ...copyOf(rule), name: rule.name, isActive } }
  return preview(input).catch(() => null)
}

/** "91 prices rise at once, $274,854.75 in all. The largest: 2026 Ford Bronco, from $58,163 to $62,718." */
function describeEffect({ currency, isPartial, lowered, raised, totalCents, largest }: RulePreview): string {
  if (lowered + raised === 0) return 'No price changes now.'
  const money = (cents: number) => formatPrice(cents, currency)
  const all = isPartial ? 'At least ' : ''
  const falls = lowered > 0 ? [count(lowered, 'price falls', 'prices fall')] : []
  const rises = raised > 0 ? [count(raised, 'price rises', 'prices rise')] : []
  const moves = [...falls, ...rises].join(' and ')
  const [most] = largest
  const example = most
    ? ` The largest: ${most.title}, from ${money(most.beforeCents)} to ${money(most.afterCents)}.`
    : ''
  return `${all}${moves} at once, ${money(totalCents)} in all.${example} Channels send the new prices with their next file.`
}

const MAX_NAME = 100

/** A paused copy of a rule, as the input of a new one. */
function copyOf({
  id: _id,
  version: _version,
  updatedAt: _at,
  updatedBy: _by,
  hidesAmounts: _isHidden,
  ...rule
}: PricingRule) {
  return { ...rule, isActive: false }
}
