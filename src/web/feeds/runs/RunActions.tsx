import { type FeedRun, type FeedUndo, feedRuns, NOTHING_TO_APPLY } from '#contract/feeds/runs/feed-runs.ts'
import { ASKS_FIRST } from '#contract/feeds/mappings/feed-questions.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { formatPrice } from '#web/vehicles/index.ts'
import { describeCounts, describeTakenAway } from './feed-labels.ts'

const applyRun = send(feedRuns.apply)
const cancelRun = send(feedRuns.cancel)
const undoRun = send(feedRuns.undo)
const readUndo = send(feedRuns.undoEffect)

/** Labels of the Apply button for runs that need review or were applied in part. */
const APPLY: Readonly<Partial<Record<FeedRun['status'], string>>> = {
  review: 'Apply anyway',
  applied: 'Apply remaining rows',
}

const READ_ONLY = 'Managed by users with access to all organizations. You see only the rows of your lots.'

/** Prices that nobody has decided about; '' if there are none. */
function undecidedOf({ priceQuestions, heldPrices, status }: FeedRun): string {
  if (priceQuestions.open === 0 || status === 'applied') return ''
  const held = heldPrices?.open ?? 0
  const own = priceQuestions.open - held
  const unusual = `${count(held, 'price', 'prices')} beyond your limits ${held === 1 ? 'is' : 'are'} undecided.`
  const set = `${count(own, 'price', 'prices')} that people set ${own === 1 ? 'differs' : 'differ'} from the feed and ${own === 1 ? 'is' : 'are'} undecided.`
  const parts = [held === 0 ? null : unusual, own === 0 ? null : set].filter((part) => part !== null)
  return `${parts.join(' ')} Your prices stay, and you can decide later in the vehicle list.`
}

/** Vehicles that would have no price anymore; '' if there are none. */
const lostOf = ({ lostPrices }: FeedRun): string =>
  lostPrices === 0
    ? ''
    : `${count(lostPrices, 'vehicle loses its price', 'vehicles lose their price')}, because the feed has none.`

/** The actions available for a run. A run that doesn't need review is applied in one click. */
export function RunActions({ run }: { run: FeedRun }) {
  const { id, status, fileName, canApply, canCancel, canUndo } = run
  const handlers = { onSuccess: setRunInCache, onError: (failure: CallFailure) => refuse(id, failure) }
  const applying = useMutation({ mutationFn: applyRun, ...handlers })
  const canceling = useMutation({ mutationFn: cancelRun, ...handlers })
  const undoing = useMutation({ mutationFn: undoRun, ...handlers })
  const isBusy = applying.isPending || canceling.isPending || undoing.isPending

  async function apply() {
    const undecided = undecidedOf(run)
    const isPlain = undecided === '' && run.moved + run.backOnSale === 0
    if (status !== 'review' && isPlain) return applying.mutate({ id })
    const isSure = await ask({
      title: status === 'review' ? `Apply ${fileName} without further review?` : `Apply ${fileName}?`,
      text: [
        ...run.reviewReasons,
        undecided,
        lostOf(run),
        describeTakenAway(run),
        `Result: ${describeCounts(run)}.`,
      ]
        .filter(Boolean)
        .join(' '),
      confirm: 'Apply feed',
      isDestructive: status === 'review',
    })
    if (isSure) applying.mutate({ id, confirm: status === 'review' })
  }
  async function cancel() {
    if (status !== 'applying') return canceling.mutate({ id })
    const isSure = await ask({
      title: `Stop applying ${fileName}?`,
      text: 'Changes made so far stay and can be undone. The remaining rows are not applied.',
      confirm: 'Stop applying',
      cancel: 'Keep applying',
    })
    if (isSure) canceling.mutate({ id })
  }
  async function undo() {
    const effect = await readUndo({ id }).then(describeUndo, (failure: CallFailure) => {
      refuse(id, failure)
      return null
    })
    if (effect === null) return
    const isSure = await ask({
      title: `Undo ${fileName}?`,
      text: `${effect} Values that have not changed since are restored. Vehicles added by this feed are deleted unless someone edited them. Anything that can't be undone is listed.`,
      confirm: 'Undo feed',
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
          loading={canceling.isPending}
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
      {run.isReadOnly && <span className="fc-small fc-faint">{READ_ONLY}</span>}
      {!run.isReadOnly && (canApply || status === 'ready' || status === 'review') && (
        <Action
          for={feedRuns.apply}
          lock={canApply ? null : whyNot(run)}
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

const whyNot = ({ questions }: FeedRun): string => (questions.length > 0 ? ASKS_FIRST : NOTHING_TO_APPLY)

/** "8 prices change back: $200,000 now, $210,000 after. 2 vehicles that it added are deleted ($41,000)." */
function describeUndo({
  prices,
  beforeCents,
  afterCents,
  removed,
  removedCents,
  currency,
}: FeedUndo): string {
  const money = (cents: number) => formatPrice(cents, currency)
  const back =
    prices === 0
      ? 'No price changes back.'
      : `${count(prices, 'price changes', 'prices change')} back: total ${money(beforeCents)} now, ${money(afterCents)} after.`
  if (removed === 0) return back
  return `${back} ${count(removed, 'vehicle', 'vehicles')} worth ${money(removedCents)} added by this feed ${removed === 1 ? 'is' : 'are'} deleted.`
}

function setRunInCache(run: FeedRun): void {
  queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)
}

/** Shows the error and reloads the run, because someone else may have changed it. */
function refuse(id: string, failure: CallFailure): void {
  showError(failure)
  void queryClient.invalidateQueries({ queryKey: [...keyOf(feedRuns.get), { id }] })
}
