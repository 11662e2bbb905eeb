import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

const removeLead = send(leads.remove)

/** Deletes a lead after a confirmation that says what goes with it. */
export function useRemoveLead({ id, personName, status }: LeadRecord, onRemoved: () => void) {
  const remove = useMutation({
    mutationFn: () => removeLead({ id }),
    onSuccess: () => {
      toast('Lead deleted', personName)
      onRemoved()
    },
    onError: (failure) => showError(failure),
  })
  const askToRemove = async () => {
    const isSure = await ask({
      title: 'Delete this lead?',
      text:
        status === 'quarantined'
          ? "What was sent and the sender's details are deleted too. This can't be undone."
          : "Its conversation is deleted too. This can't be undone.",
      confirm: 'Delete lead',
      isDestructive: true,
    })
    if (isSure) remove.mutate()
  }
  return { isPending: remove.isPending, askToRemove: () => void askToRemove() }
}
