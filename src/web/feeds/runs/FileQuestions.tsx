import { Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  FEED_ANSWERS,
  type FeedAnswers,
  type FeedQuestion,
  type FeedQuestionKind,
} from '#contract/feeds/mappings/feed-questions.ts'
import { kindOfAnswer } from '#contract/feeds/mappings/with-answers.ts'
import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { STATUS_NAMES } from '#web/vehicles/index.ts'
import { RunNote } from './RunNote.tsx'

const answerQuestions = send(feedRuns.answerQuestions)

const LABELS: Record<string, string> = {
  none: 'Nothing: ignore this word',
  ignore: 'No, ignore this column',
  price: 'Selling prices',
  msrp: 'MSRP only. The vehicles have no selling price',
  both: 'Selling price and MSRP',
  base: 'Prices before rules and fees. Take them',
  total: 'Total prices. Leave the prices of vehicles as they are',
  leave: 'Leave them there and skip these rows',
  move: 'Move them to the lot in the file',
  add: 'They are other vehicles: add them',
  back: 'Put them back on sale',
  same: 'The same vehicles: update them',
  take: 'Take the stock numbers of the file',
  takeStatus: 'Take the status of the file',
  toLot: 'Move them to the lot in the file',
}

const OWN_LABELS: Record<string, string> = {
  'comeBack leave': 'Leave them removed',
  'otherStock leave': 'The same vehicles: leave them there and skip these rows',
  'otherStock move': 'The same vehicles: move them to the lot in the file',
  'keptStatus leave': 'Keep the status that they have here',
  'feedLot leave': 'Leave them on the lot where they are, and take everything else',
  'sameStock leave': 'Skip these rows',
  'takenStock leave': 'Keep the stock numbers as they are',
  'newStock leave': 'Skip these rows',
  'newStock add': 'They are new vehicles: add them',
}

function useAnswer(run: FeedRun) {
  return useMutation({
    mutationFn: answerQuestions,
    onSuccess: (read) => queryClient.setQueryData([...keyOf(feedRuns.get), { id: read.id }], read),
    onError: (failure) => {
      showError(failure)
      void queryClient.invalidateQueries({ queryKey: [...keyOf(feedRuns.get), { id: run.id }] })
    },
  })
}

/** What only a person knows about the file: unknown words of its status, the order of its dates, and what its only price is. */
export function FileQuestions({ run }: { run: FeedRun }) {
  const [answers, setAnswers] = useState<FeedAnswers>({})
  const answering = useAnswer(run)
  const { questions } = run
  const given = Object.fromEntries(
    questions.flatMap(({ key }) => (answers[key] ? [[key, answers[key]]] : [])),
  )
  const isReady = Object.keys(given).length > 0
  return (
    <RunNote
      title={
        <Status tone="warn" mark="alert">
          {`${count(questions.length, 'question', 'questions')} about this file`}
        </Status>
      }
    >
      <Text size="sm" c="dimmed">
        {`No vehicle changes before you answer. ${
          run.sourceId === null
            ? 'What the columns mean is remembered for the next file with the same columns.'
            : 'What the columns mean, and that vehicles are left alone, is used for the next files of this source.'
        }`}
      </Text>
      <Stack gap="sm" align="flex-start">
        {questions.map((question) => (
          <Select
            key={question.key}
            label={labelOf(question)}
            description={count(question.rows, 'row', 'rows')}
            placeholder="Choose an answer"
            w="100%"
            maw={420}
            disabled={answering.isPending}
            data={choicesOf(question)}
            value={answers[question.key] ?? null}
            onChange={(value) => setAnswers((before) => ({ ...before, [question.key]: value ?? '' }))}
          />
        ))}
        <Group gap="xs">
          <Action
            for={feedRuns.answerQuestions}
            lock={isReady ? null : 'Choose an answer first.'}
            loading={answering.isPending}
            onClick={() => answering.mutate({ id: run.id, answers: given })}
          >
            Save answers
          </Action>
        </Group>
      </Stack>
    </RunNote>
  )
}

/** What was answered about the file, now or before: each answer can be changed until the file is applied. */
export function UsedAnswers({ run }: { run: FeedRun }) {
  const [changed, setChanged] = useState<FeedAnswers>({})
  const answering = useAnswer(run)
  const given = Object.entries(run.answers).filter(([key]) => kindOfAnswer(key) !== null)
  if (given.length === 0) return null
  const isReady = Object.entries(changed).some(([key, answer]) => answer !== run.answers[key])
  return (
    <details className="fc-feed-more">
      <summary>{`Answers used for this file: ${given.length.toLocaleString()}`}</summary>
      <Stack gap="sm" align="flex-start">
        {given.map(([key, answer]) => {
          const kind = kindOfAnswer(key) ?? 'status'
          return (
            <Select
              key={key}
              label={answerLabel(key, kind)}
              w="100%"
              maw={420}
              disabled={answering.isPending}
              data={kind === 'date' ? ORDERS : choicesOf({ kind, value: '' })}
              value={changed[key] ?? answer}
              onChange={(value) => setChanged((before) => ({ ...before, [key]: value ?? answer }))}
            />
          )
        })}
        <Action
          for={feedRuns.answerQuestions}
          lock={isReady ? null : 'Change an answer first.'}
          loading={answering.isPending}
          onClick={() => answering.mutate({ id: run.id, answers: changed })}
        >
          Read the file again
        </Action>
      </Stack>
    </details>
  )
}

const ORDERS = [
  { value: 'us', label: 'Month/day/year' },
  { value: 'eu', label: 'Day/month/year' },
]

/** What an answer is about, from its key: `status:sold unit`, `date:inStockOn:Date In`. */
function answerLabel(key: string, kind: FeedQuestionKind): string {
  const rest = key.slice(key.indexOf(':') + 1)
  switch (kind) {
    case 'status':
      return `“${rest}” in the status column`
    case 'statusColumn':
      return 'The column with the status'
    case 'date':
      return `Dates in ${rest.slice(rest.indexOf(':') + 1)}`
    case 'otherLot':
      return 'Vehicles in stock on another lot'
    case 'otherStock':
      return 'Stock numbers in stock on another lot'
    case 'sameStock':
      return 'Stock numbers in stock with another year, make or VIN'
    case 'takenStock':
      return 'Stock numbers of other vehicles in stock'
    case 'newStock':
      return 'Stock numbers that aren’t known'
    case 'comeBack':
      return 'Removed vehicles'
    case 'keptStatus':
      return 'Vehicles with another status here'
    case 'feedLot':
      return 'Vehicles that the feed has on another lot'
    default:
      return `Prices in ${rest}`
  }
}

function labelOf({ kind, column, value }: FeedQuestion): string {
  switch (kind) {
    case 'status':
      return column === '' ? `What does “${value}” mean?` : `What does “${value}” in ${column} mean?`
    case 'statusColumn':
      return `Does ${column} say whether a vehicle is for sale? Its values, such as ${value}, aren't known.`
    case 'date':
      return `Which day is ${value} in ${column}?`
    case 'total':
      return `The column ${column} has the prices that buyers see now, such as ${value}. What are they?`
    case 'otherLot':
      return `These vehicles are in stock on another lot, such as ${value}. What should happen?`
    case 'otherStock':
      return `Vehicles on another lot have these stock numbers, such as ${value}. Are they the same vehicles?`
    case 'sameStock':
      return `These stock numbers are in stock with another year, make or VIN, such as ${value}. What are the rows about?`
    case 'takenStock':
      return `Vehicles get the stock numbers of other vehicles in stock, such as ${value}. What should happen?`
    case 'newStock':
      return `These stock numbers aren't known, and their rows have nothing else that names a vehicle, such as ${value}. What should happen?`
    case 'keptStatus':
      return `The file has another status for vehicles than they have here, such as ${value}. What should happen?`
    case 'feedLot':
      return `The feed has these vehicles on another lot, such as ${value}. What should happen?`
    case 'comeBack':
      return `These vehicles were removed, and the file doesn't say whether they are for sale, such as ${value}. What should happen?`
    default:
      return `${column} is the only column with prices. What are they?`
  }
}

function choicesOf({
  kind,
  value,
}: Pick<FeedQuestion, 'kind' | 'value'>): { value: string; label: string }[] {
  const answers: readonly string[] = FEED_ANSWERS[kind satisfies FeedQuestionKind]
  return answers.map((answer) => ({
    value: answer,
    label:
      kind === 'date'
        ? dayOf(value, answer)
        : (OWN_LABELS[`${kind} ${answer}`] ?? LABELS[answer] ?? STATUS_NAMES.get(answer) ?? answer),
  }))
}

/** "April 3, 2026 (day/month/year)" */
function dayOf(text: string, order: string): string {
  const [one = 1, other = 1, year = 2000] = text.split(/\D+/).map(Number)
  const [month, day] = order === 'us' ? [one, other] : [other, one]
  const date = new Date(Date.UTC(year < 100 ? year + 2000 : year, month - 1, day))
  const words = date.toLocaleDateString(undefined, { dateStyle: 'long', timeZone: 'UTC' })
  return `${words} (${order === 'us' ? 'month/day/year' : 'day/month/year'})`
}
