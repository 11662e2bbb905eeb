import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'

const removeLead = send(leads.remove)

/** Deletes a lead after a confirmation that says what goes with it. */
export function useRemoveLead(lead: LeadRecord, onRemoved: () => void) {
  const remove = useMutation({ mutationFn: removeLead })
  const askFirst = async () => {
    const done = await askToRemove({
      read: leads.get,
      shown: lead,
      thing: 'this lead',
      question: {
        title: 'Delete this lead?',
        text:
          lead.status === 'quarantined'
            ? "What was sent and the sender's details are deleted too. This can't be undone."
            : "Its conversation is deleted too. This can't be undone.",
        confirm: 'Delete lead',
      },
      run: ({ id, version }) => remove.mutateAsync({ id, version }),
    })
    if (done === null) return
    if (done !== 'gone') toast('Lead deleted', lead.personName)
    onRemoved()
  }
  return { isPending: remove.isPending, askToRemove: () => void askFirst() }
}
