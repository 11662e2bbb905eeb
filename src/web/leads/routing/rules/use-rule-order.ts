import { useMutation } from '@tanstack/react-query'
import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { orderedIds } from './rule-order.ts'

const MUTATION = ['order of lead routing rules'] as const
const LIST = [...keyOf(leadRoutingRules.list), {}] as const

/**
 * Saves the order of the rules. The list shows it at once; saves run one after the other, so that the last one wins. If one
 * fails, the saved order returns.
 */
export function useRuleOrder() {
  return useMutation({
    mutationKey: MUTATION,
    scope: { id: MUTATION[0] },
    mutationFn: (rules: readonly LeadRoutingRule[]) =>
      call(leadRoutingRules.order, { ids: orderedIds(rules) }),
    onMutate: async (rules) => {
      await queryClient.cancelQueries({ queryKey: LIST })
      queryClient.setQueryData(
        LIST,
        rules.map((rule, at) => ({ ...rule, number: at + 1 })),
      )
    },
    onError: (failure) => showError(failure),
    onSettled: async () => {
      // While another order is on its way, the list keeps showing that one.
      if (queryClient.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all(
        [leadRoutingRules.list, leadRoutingRules.effects].map((one) =>
          queryClient.invalidateQueries({ queryKey: keyOf(one) }),
        ),
      )
    },
  })
}
