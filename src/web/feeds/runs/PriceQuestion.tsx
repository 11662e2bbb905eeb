import { Group, SegmentedControl, Text } from '@mantine/core'
import { type FeedRow, type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { showFeedValue } from './feed-labels.ts'

type Answer = 'take' | 'keep' | 'later'

const answerPrices = send(feedRuns.answerPrices)

const CHOICES: { value: Answer; label: string }[] = [
  { value: 'keep', label: 'Keep price' },
  { value: 'take', label: 'Take feed price' },
  { value: 'later', label: 'Decide later' },
]
const DONE = {
  keep: 'The price is kept',
  take: 'The feed price is taken',
  later: 'Not taken by this run',
} as const

const isOpen = ({ status, isReadOnly }: FeedRun): boolean =>
  !isReadOnly && (status === 'ready' || status === 'review')
const amount = (cents: number): string => (cents === 0 ? 'no price' : showFeedValue('price', cents))

const setRun = (run: FeedRun): void =>
  void queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)

function useAnswer() {
  return useMutation({
    mutationFn: answerPrices,
    onSuccess: setRun,
    onError: (failure) => showError(failure),
  })
}

/** A price that a person set, beside the feed's former and new one, with what the run does about it. */
export function PriceQuestion({ row, run }: { row: FeedRow; run: FeedRun }) {
  const answering = useAnswer()
  const mayAnswer = useMayCall(feedRuns.answerPrices)
  const { priceQuestion: question } = row
  if (question === null) return null
  const { ownCents, sentCents, sourceCents, isUnusual } = question
  const answer: Answer = question.answer ?? 'later'
  const is = isOpen(run) ? 'is' : 'was'
  return (
    <>
      <Status tone="warn" mark="alert">
        <bdi>
          {isUnusual
            ? `The price ${is} ${amount(ownCents)}. The file has ${amount(sourceCents)}, which is beyond your limits.`
            : `Your price ${is} ${amount(ownCents)}. The feed had ${amount(sentCents)} before, and has ${amount(sourceCents)} in this file.`}
        </bdi>
      </Status>
      {isOpen(run) && mayAnswer ? (
        <SegmentedControl
          size="xs"
          aria-label={`Price of ${row.title}`}
          data={CHOICES}
          value={answer}
          disabled={answering.isPending}
          onChange={(value) =>
            answering.mutate({ runId: run.id, ids: [row.id], answer: value === 'later' ? null : value })
          }
        />
      ) : (
        <Text size="sm" c="dimmed">
          {DONE[answer]}
        </Text>
      )}
    </>
  )
}

const answerMileages = send(feedRuns.answerMileages)
const MILEAGE_CHOICES = [
  { value: 'keep', label: 'Keep mileage' },
  { value: 'take', label: 'Take lower mileage' },
]

/** A mileage that the feed sends lower than it was, with what the run does about it. */
export function MileageQuestion({ row, run }: { row: FeedRow; run: FeedRun }) {
  const answering = useMutation({
    mutationFn: answerMileages,
    onSuccess: setRun,
    onError: (failure) => showError(failure),
  })
  const mayAnswer = useMayCall(feedRuns.answerMileages)
  const { mileageQuestion: question } = row
  if (question === null) return null
  const [own, source] = [question.ownMileage, question.sourceMileage].map((one) => one.toLocaleString())
  return (
    <>
      <Status tone="warn" mark="alert">
        <bdi>{`The mileage would fall from ${own} to ${source}.`}</bdi>
      </Status>
      {isOpen(run) && mayAnswer ? (
        <SegmentedControl
          size="xs"
          aria-label={`Mileage of ${row.title}`}
          data={MILEAGE_CHOICES}
          value={question.answer}
          disabled={answering.isPending}
          onChange={(value) =>
            answering.mutate({ runId: run.id, ids: [row.id], answer: value === 'take' ? 'take' : 'keep' })
          }
        />
      ) : (
        <Text size="sm" c="dimmed">
          {question.answer === 'take' ? 'The lower mileage is taken' : 'The mileage is kept'}
        </Text>
      )}
    </>
  )
}

/** Decides about all prices of the run at once. */
export function AllPriceQuestions({ run }: { run: FeedRun }) {
  const answering = useAnswer()
  if (!isOpen(run)) return null
  const button = (answer: 'take' | 'keep', words: string) => (
    <Action
      for={feedRuns.answerPrices}
      variant="default"
      disabled={answering.isPending}
      onClick={() => answering.mutate({ runId: run.id, answer })}
    >
      {words}
    </Action>
  )
  return (
    <Group gap="xs">
      {button('keep', 'Keep all your prices')}
      {button('take', 'Take all feed prices')}
    </Group>
  )
}
