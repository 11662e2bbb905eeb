import { useMutation } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import type { AnyReopening } from '#contract/reopenings.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ReasonForm } from '#web/ui/form/ReasonForm.tsx'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'

type Decision = { id: string; reason: string }

type Opening<Asked, Opened> = {
  /** What it is about. */
  name: string
  calls: {
    request: (asked: Asked) => Promise<unknown>
    confirm: (decision: Decision) => Promise<Opened>
    decline: (decision: Decision) => Promise<unknown>
    withdraw: (which: { id: string }) => Promise<unknown>
  }
  /** What is read again after a rejected call. */
  stale: readonly Endpoint[]
  onOpened: (opened: Opened) => void
}

const askForReason = (title: string, text: string) =>
  askFor<string>(title, (answer) => (
    <ReasonForm max={500} missing="Enter a reason." text={text} confirm={title} onAnswer={answer} />
  ))

/**
 * What two people do to open what two people approved: dialogs that ask for the reasons, and the calls. A rejected call is shown,
 * and what it was about is read again.
 */
export function useOpening<Asked, Opened>({ name, calls, stale, onOpened }: Opening<Asked, Opened>) {
  const onError = (failure: CallFailure) => {
    showError(failure)
    for (const endpoint of stale) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
  }
  const withToast = (title: string) => ({ onError, onSuccess: () => toast(title, name) })
  const requesting = useMutation({ mutationFn: calls.request, ...withToast('Request sent') })
  const confirming = useMutation({ mutationFn: calls.confirm, onError, onSuccess: onOpened })
  const declining = useMutation({ mutationFn: calls.decline, ...withToast('Request declined') })
  const withdrawing = useMutation({ mutationFn: calls.withdraw, ...withToast('Request withdrawn') })

  return {
    /** `verb`: "reopen". */
    async request(verb: string, input: (reason: string) => Asked, note = '') {
      const text = `Two people approved ${name}, so a second person must confirm this. They see your reason. What was approved stays stored.${note}`
      const reason = await askForReason(`Request to ${verb}`, text)
      if (reason !== null) requesting.mutate(input(reason))
    },
    /** `effect`: "can be changed then". */
    async confirm({ id, requestedBy, reason: asked }: AnyReopening, verb: string, effect: string) {
      const text = `${requestedBy ?? 'Someone'} asks for it: ${asked} ${name} ${effect}. What was approved stays stored. Your reason is saved as well.`
      const reason = await askForReason(verb, text)
      if (reason !== null) confirming.mutate({ id, reason })
    },
    /** `status`: what it stays, "locked". */
    async decline({ id, requestedBy }: AnyReopening, status: string) {
      const text = `${name} stays ${status}. ${requestedBy ?? 'The requester'} sees the reason.`
      const reason = await askForReason('Decline request', text)
      if (reason !== null) declining.mutate({ id, reason })
    },
    async withdraw({ id }: AnyReopening, status: string) {
      const isSure = await ask({
        title: 'Withdraw request?',
        text: `${name} stays ${status}.`,
        confirm: 'Withdraw request',
      })
      if (isSure) withdrawing.mutate({ id })
    },
    isRequesting: requesting.isPending,
    isConfirming: confirming.isPending,
  }
}
