import { Status } from '#web/ui/controls/Status.tsx'
import { stateOf } from './answer-queue.ts'
import { lastSaved } from './answers-store.ts'
import { showTime, useArea } from './area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = { code: string; open: Pick<OpenQuestionnaire, 'view'> }

/** Where the answer to a question is: on this device, refused, or on the server since when. */
export function AnswerStateLine({ code, open: { view } }: Props) {
  const { text, language, name } = useArea()
  const { queue, typing } = view.sync
  const isTyping = [...typing.values()].some(({ question }) => question === code)
  const state = stateOf(queue, code)
  if (state === 'refused' && !isTyping) {
    const message =
      queue.changes.find((one) => one.question === code && one.state === 'refused')?.message ?? ''
    return (
      <p className="fc-area-state fc-small" role="alert" lang={language}>
        <Status tone="bad" mark="cross">
          {text('notSaved', { text: message })}
        </Status>
      </p>
    )
  }
  if (isTyping || state !== 'saved') {
    return (
      <p className="fc-area-state fc-small" lang={language}>
        <Status tone="warn" mark="wait">
          {text('onDevice')}
        </Status>
      </p>
    )
  }
  const saved = lastSaved(view.stored, code)
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
