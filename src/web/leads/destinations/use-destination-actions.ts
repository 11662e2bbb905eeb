import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

const updateDestination = send(leadDestinations.update)
const removeDestination = send(leadDestinations.remove)
const resumeDestination = send(leadDestinations.resume)
const testDestination = send(leadDestinations.sendTest)
const replayDeliveries = send(leadDeliveries.replayMany)

type OnKept = (saved: LeadDestination) => void

/** Pausing, starting again, testing and deleting a destination. */
export function useDestinationActions() {
  const pause = useMutation({
    mutationFn: ({ id, version, isActive }: LeadDestination) =>
      updateDestination({ id, version, isActive: !isActive }),
    onSuccess: (saved) => {
      toast(saved.isActive ? 'Destination resumed' : 'Destination paused', saved.name)
      keepInCache(saved)
    },
    onError: showAndReload,
  })
  const restart = useMutation({
    mutationFn: ({ id }: LeadDestination) => resumeDestination({ id }),
    onSuccess: (saved) => {
      toast('Deliveries start again', saved.name)
      keepInCache(saved)
    },
    onError: showAndReload,
  })
  const remove = useMutation({
    mutationFn: ({ id, version }: LeadDestination) => removeDestination({ id, version }),
  })
  const test = useMutation({
    mutationFn: ({ id }: LeadDestination) => testDestination({ id }),
    onError: (failure) => showError(failure),
  })
  const replay = useMutation({
    mutationFn: ({ id }: LeadDestination) => replayDeliveries({ destinationId: id }),
    onSuccess: ({ replayed }, { name }) =>
      toast(`${count(replayed, 'delivery', 'deliveries')} queued to be sent again`, name),
    onError: showAndReload,
  })
  return {
    isPending: [pause, restart, remove, replay].some((one) => one.isPending),
    isTesting: test.isPending,
    /** The delivery of the latest test; null before the first one. */
    testId: test.data?.deliveryId ?? null,
    test: test.mutate,
    /** `onKept` gets the destination as it was saved. */
    restart: (destination: LeadDestination, onKept?: OnKept) =>
      restart.mutate(destination, { ...(onKept && { onSuccess: onKept }) }),
    async pause(destination: LeadDestination, onKept?: OnKept) {
      const { name, rules, isActive } = destination
      const isSure =
        !isActive ||
        rules === 0 ||
        (await ask({
          title: `Pause ${name}?`,
          text: `${count(rules, 'rule sends', 'rules send')} leads there. While it is paused, their other destinations or the next rule get the leads.`,
          confirm: 'Pause destination',
        }))
      if (isSure) pause.mutate(destination, { ...(onKept && { onSuccess: onKept }) })
    },
    async replayFailed(destination: LeadDestination) {
      const failed = count(destination.failed, 'delivery', 'deliveries')
      const isSure = await ask({
        title: `Send ${failed} to ${destination.name} again?`,
        text: 'These failed or are unconfirmed in the last 30 days. Each is sent with the same ID, so that the receiver can recognize one that it already has.',
        confirm: `Send ${failed} again`,
      })
      if (isSure) replay.mutate(destination)
    },
    async remove(destination: LeadDestination, onRemoved?: () => void) {
      const done = await askToRemove({
        read: leadDestinations.get,
        shown: destination,
        thing: 'this destination',
        question: {
          title: `Delete ${destination.name}?`,
          text: "Its deliveries stay in the log. To stop leads for a while, pause it instead. This can't be undone.",
          confirm: 'Delete destination',
        },
        run: remove.mutateAsync,
        onRefused: showAndReload,
      })
      if (done === null) return
      if (done !== 'gone') toast('Destination deleted', done.removed.name)
      onRemoved?.()
    },
  }
}

function keepInCache(saved: LeadDestination): void {
  queryClient.setQueryData([...keyOf(leadDestinations.get), { id: saved.id }], saved)
}

/** Another user may have changed it meanwhile: the list shows the present state behind the message. */
function showAndReload(failure: CallFailure): void {
  showError(failure)
  void queryClient.invalidateQueries({ queryKey: keyOf(leadDestinations.list) })
}
