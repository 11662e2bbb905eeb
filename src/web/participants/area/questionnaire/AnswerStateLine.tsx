import { Button } from '@mantine/core'
import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { placeOf } from '#web/assessments/index.ts'
import { showTime, useArea } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  code: string
  open: Pick<OpenQuestionnaire, 'view' | 'stored'> & {
    record: Pick<OpenQuestionnaire['record'], 'open'>
    answering: Pick<OpenQuestionnaire['answering'], 'resend' | 'drop'>
  }
}

/** Where the answer to a question is: on this device, refused, or on the server since when. */
export function AnswerStateLine({ code, open: { view, stored, record, answering } }: Props) {
  const { text, language, name } = useArea()
  const place = placeOf(view.sync, code)
  if (place === 'refused') {
    const message =
      view.sync.queue.changes.find((one) => one.question === code && one.state === 'refused')?.message ?? ''
    return (
      <p className="fc-area-state fc-small" role="alert" lang={language}>
        <Status tone="bad" mark="cross">
          {text('notSaved', { text: message })}
        </Status>
        {record.open.includes(code) && (
          <Button variant="subtle" size="compact-sm" onClick={() => void answering.resend(code)}>
            {text('retry')}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => void answering.drop(code, stored)}
        >
          {text('giveUp')}
        </Button>
      </p>
    )
  }
  if (place !== 'saved') {
    return (
      <p className="fc-area-state fc-small" lang={language}>
        <Status tone="warn" mark="wait">
          {text(place === 'kept' ? 'onDevice' : 'notSent')}
        </Status>
      </p>
    )
  }
  const saved = lastSaved(stored, code)
  if (saved === null) return null
  const { answeredAt, answeredBy } = saved
  return (
    <p className="fc-area-state fc-small" lang={language}>
      <Status tone="good" mark="check">
        {text('saved', { time: showTime(answeredAt, language) })}
      </Status>
      {answeredBy !== name && (
        <bdi className="fc-soft">
          {text('answeredBy', { name: answeredBy, date: showTime(answeredAt, language) })}
        </bdi>
      )}
    </p>
  )
}

/** The newest answer to a question on the server, of any of its rows; null without one. */
function lastSaved(stored: readonly StoredAnswer[], code: string): StoredAnswer | null {
  const newest = new Map<string, StoredAnswer>()
  for (const answer of stored) {
    if (answer.questionCode !== code) continue
    if ((newest.get(answer.rowKey)?.rev ?? 0) <= answer.rev) newest.set(answer.rowKey, answer)
  }
  const given = [...newest.values()].filter(({ value }) => value !== null && value !== undefined)
  return given.toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1))[0] ?? null
}
