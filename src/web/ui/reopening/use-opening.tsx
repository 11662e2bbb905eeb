import type { Endpoint } from '#contract/endpoint.ts'
import type { AnyReopening } from '#contract/reopenings.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'

type Decision = { id: string; reason: string }

type Opening<Asked, Opened> = {
  /** What it is about. */
  id: string
  name: string
  endpoints: Readonly<Record<'request' | 'confirm' | 'decline', Endpoint>>
  calls: {
    request: (asked: Asked) => Promise<object>
    confirm: (decision: Decision) => Promise<Opened>
    decline: (decision: Decision) => Promise<object>
    withdraw: (which: { id: string }) => Promise<unknown>
  }
  /** What is read again after a rejected call. */
  stale: readonly Endpoint[]
  onOpened: (opened: Opened) => void
}

type Question<Result> = {
  title: string
  text: string
  endpoint: Endpoint
  about: string
  send: (reason: string) => Promise<Result>
}

/**
 * What two people do to open what two people approved: dialogs that ask for the reasons, and the calls. A rejected call is shown,
 * and what it was about is read again.
 */
export function useOpening<Asked, Opened>(opening: Opening<Asked, Opened>) {
  const { id: about, name, endpoints, calls, stale, onOpened } = opening
  const readAgain = () => {
    for (const endpoint of stale) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
  }
  const withdrawing = useMutation({
    mutationFn: calls.withdraw,
    onSuccess: () => toast('Request withdrawn', name),
    onError: (failure: CallFailure) => {
      showError(failure)
      readAgain()
    },
  })
  const askForReason = <Result,>({ title, ...question }: Question<Result>) =>
    askFor<Result>(title, (answer) => (
      <ReasonForm
        {...question}
        max={500}
        missing="Enter a reason."
        confirm={title}
        onRefused={readAgain}
        onAnswer={answer}
      />
    ))

  return {
    /** `verb`: "reopen". */
    async request(verb: string, input: (reason: string) => Asked, note = '') {
      const sent = await askForReason({
        title: `Request to ${verb}`,
        text: `Two people approved ${name}, so a second person must confirm this. They see your reason. What was approved stays stored.${note}`,
        endpoint: endpoints.request,
        about,
        send: (reason) => calls.request(input(reason)),
      })
      if (sent !== null) toast('Request sent', name)
    },
    /** `effect`: "can be changed then". */
    async confirm({ id, requestedBy, reason: asked }: AnyReopening, verb: string, effect: string) {
      const opened = await askForReason({
        title: verb,
        text: `${requestedBy ?? 'Someone'} asks for it: ${asked} ${name} ${effect}. What was approved stays stored. Your reason is saved as well.`,
        endpoint: endpoints.confirm,
        about: id,
        send: (reason) => calls.confirm({ id, reason }),
      })
      if (opened !== null) onOpened(opened)
    },
    /** `status`: what it stays, "locked". */
    async decline({ id, requestedBy }: AnyReopening, status: string) {
      const declined = await askForReason({
        title: 'Decline request',
        text: `${name} stays ${status}. ${requestedBy ?? 'The requester'} sees the reason.`,
        endpoint: endpoints.decline,
        about: id,
        send: (reason) => calls.decline({ id, reason }),
      })
      if (declined !== null) toast('Request declined', name)
    },
    async withdraw({ id }: AnyReopening, status: string) {
      const isSure = await ask({
        title: 'Withdraw request?',
        text: `${name} stays ${status}.`,
        confirm: 'Withdraw request',
      })
      if (isSure) withdrawing.mutate({ id })
    },
  }
}
