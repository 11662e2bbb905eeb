import { useMutation } from '@tanstack/react-query'
import { type FeedRun, feedRuns, NOTHING_TO_APPLY } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { describeCounts } from './feed-labels.ts'

const applyRun = send(feedRuns.apply)
const cancelRun = send(feedRuns.cancel)
const undoRun = send(feedRuns.undo)

/** What applying is called where it is not the first try of a run that nothing stands against. */
const APPLY: Readonly<Partial<Record<FeedRun['status'], string>>> = {
  held: 'Apply all the same',
  applied: 'Apply the rest',
}

const ONLY_LOOKS = 'Kept by people who reach the whole customer: you see the rows of your lots.'

/** What can be done with a run now: a run that nothing stands against takes one click. */
export function RunActions({ run }: { run: FeedRun }) {
  const { id, status, fileName, canApply, canCancel, canUndo } = run
  const settle = { onSuccess: saveRun, onError: (failure: CallFailure) => refuse(id, failure) }
  const applying = useMutation({ mutationFn: applyRun, ...settle })
  const cancelling = useMutation({ mutationFn: cancelRun, ...settle })
  const undoing = useMutation({ mutationFn: undoRun, ...settle })
  const isBusy = applying.isPending || cancelling.isPending || undoing.isPending

  async function apply() {
    if (status !== 'held') return applying.mutate({ id })
    const isSure = await ask({
      title: `Apply ${fileName} although it is held?`,
      text: `${run.held.join(' ')} It makes ${describeCounts(run)}.`,
      confirm: 'Apply it all the same',
      isDestructive: true,
    })
    if (isSure) applying.mutate({ id, confirm: true })
  }
  async function cancel() {
    if (status !== 'applying') return cancelling.mutate({ id })
    const isSure = await ask({
      title: `Stop applying ${fileName}?`,
      text: 'What it has written stays, and can be undone. The rest is left as it is.',
      confirm: 'Stop it',
      cancel: 'Go on',
    })
    if (isSure) cancelling.mutate({ id })
  }
  async function undo() {
    const isSure = await ask({
      title: `Undo ${fileName}?`,
      text: 'Vehicles get back what they were before, where nobody has changed it since. Vehicles it added go, unless somebody worked on them. What cannot be undone is listed.',
      confirm: 'Undo this feed',
      isDestructive: true,
    })
    if (isSure) undoing.mutate({ id })
  }
  return (
    <>
      {canCancel && (
        <Action
          for={feedRuns.cancel}
          variant="default"
          disabled={isBusy}
          loading={cancelling.isPending}
          onClick={() => void cancel()}
        >
          {status === 'applying' ? 'Stop' : 'Cancel'}
        </Action>
      )}
      {canUndo && (
        <Action
          for={feedRuns.undo}
          variant="default"
          disabled={isBusy}
          loading={undoing.isPending}
          onClick={() => void undo()}
        >
          Undo
        </Action>
      )}
      {run.isReadOnly && <span className="fc-small fc-faint">{ONLY_LOOKS}</span>}
      {!run.isReadOnly && (canApply || status === 'ready' || status === 'held') && (
        <Action
          for={feedRuns.apply}
          lock={canApply ? null : NOTHING_TO_APPLY}
          disabled={isBusy}
          loading={applying.isPending}
          onClick={() => void apply()}
        >
          {APPLY[status] ?? 'Apply'}
        </Action>
      )}
    </>
  )
}

/** What a run writes shows in every list of vehicles. */
async function saveRun(run: FeedRun): Promise<void> {
  queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)
  await Promise.all(
    [feedRuns.list, vehicles.list].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}

/** Somebody else was faster, or it became something else meanwhile: what stands there is asked for anew. */
function refuse(id: string, failure: CallFailure): void {
  showError(failure)
  void queryClient.invalidateQueries({ queryKey: [...keyOf(feedRuns.get), { id }] })
}
