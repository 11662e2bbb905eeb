import { useMutation } from '#web/api/mutation.ts'
import { addCopy } from '#web/ui/record/add-copy.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { copyOf } from './rule-form.ts'
import { moveAfter, orderedIds } from './rule-order.ts'

const addRule = send(leadRoutingRules.add)
const updateRule = send(leadRoutingRules.update)
const orderRules = send(leadRoutingRules.order)
const removeRule = send(leadRoutingRules.remove)
const updateDestination = send(leadDestinations.update)

/** Pausing, duplicating and deleting a rule, and resuming one of its destinations. */
export function useRuleActions({ onDuplicated }: { onDuplicated: (id: string) => void }) {
  const pause = useMutation({
    mutationFn: ({ id, version, isActive }: LeadRoutingRule) =>
      updateRule({ id, version, isActive: !isActive }),
    onSuccess: (saved) => {
      toast(saved.isActive ? 'Rule resumed' : 'Rule paused', saved.name)
      queryClient.setQueryData([...keyOf(leadRoutingRules.get), { id: saved.id }], saved)
    },
    onError: showAndReload,
  })
  const duplicate = useMutation({
    mutationFn: duplicateRule,
    onSuccess: ({ id, name }) => {
      toast('Rule duplicated', `${name} is paused until you resume it.`)
      onDuplicated(id)
    },
    onError: showAndReload,
  })
  const remove = useMutation({
    mutationFn: ({ id, version }: LeadRoutingRule) => removeRule({ id, version }),
  })
  const resume = useMutation({
    mutationFn: ({ id, version }: LeadDestination) => updateDestination({ id, version, isActive: true }),
    onSuccess: ({ name }) => toast('Destination resumed', name),
    onError: showAndReload,
  })
  return {
    isPending: [pause, duplicate, remove, resume].some((one) => one.isPending),
    /** `onKept` gets the rule as it was saved. */
    pause: (rule: LeadRoutingRule, onKept?: (saved: LeadRoutingRule) => void) =>
      pause.mutate(rule, { ...(onKept && { onSuccess: onKept }) }),
    duplicate: duplicate.mutate,
    resume: resume.mutate,
    async remove(rule: LeadRoutingRule, onRemoved?: () => void) {
      const done = await askToRemove({
        read: leadRoutingRules.get,
        shown: rule,
        thing: 'this rule',
        question: {
          title: `Delete ${rule.name}?`,
          text: "Its leads go to the next rule that matches them. To keep the rule for later, pause it instead. This can't be undone.",
          confirm: 'Delete rule',
        },
        run: remove.mutateAsync,
        onRefused: showAndReload,
      })
      if (done === null) return
      if (done !== 'gone') toast('Rule deleted', done.removed.name)
      onRemoved?.()
    },
  }
}

const MAX_NAME = 100

/** Adds a paused copy directly after its original. If it can't be placed there, it stays before the last rule. */
async function duplicateRule(rule: LeadRoutingRule): Promise<LeadRoutingRule> {
  const copy = await addCopy(rule.name, MAX_NAME, (name) => addRule(copyOf(rule, name)))
  try {
    const rules = await queryClient.fetchQuery({ ...query(leadRoutingRules.list, {}), staleTime: 0 })
    const after = rule.isCatchAll ? rules : moveAfter(rules, copy.id, rule.id)
    await orderRules({ ids: orderedIds(after), before: orderedIds(rules) })
  } catch {
    // The copy exists and is paused. The list shows where it is.
  }
  return copy
}

/** Another user may have changed the rule meanwhile: the list shows the present state behind the message. */
function showAndReload(failure: CallFailure): void {
  showError(failure)
  for (const one of [leadRoutingRules.list, leadDestinations.list]) {
    void queryClient.invalidateQueries({ queryKey: keyOf(one) })
  }
}
