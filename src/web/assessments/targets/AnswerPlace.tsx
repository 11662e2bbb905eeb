import { placeOf } from '../answering/answer-sync.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { TargetState } from './use-target.ts'

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const dayAndTime = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Where an answer is: saved and when, on its way, on this device, in conflict or not accepted. */
export function AnswerPlace({ target: { state, record }, code }: { target: TargetState; code: string }) {
  const { problem } = state.sync
  const place = placeOf(state.sync, code)
  if (place === 'conflict') {
    return (
      <Status tone="bad" mark="alert">
        Two versions
      </Status>
    )
  }
  if (place === 'refused') {
    return (
      <Status tone="bad" mark="cross">
        Not saved
      </Status>
    )
  }
  if (place !== 'saved') {
    const waits = place === 'kept' ? 'On this device, not sent yet' : 'Not sent yet'
    return (
      <Status tone={problem === null ? 'mute' : 'warn'} mark="wait">
        {problem === null ? 'Saving' : waits}
      </Status>
    )
  }
  const latest = latestOf(record, code)
  const isSavedNow = state.sync.lastSentAt !== null && isFilled(state.drafts[code])
  if (latest === undefined && !isSavedNow) return null
  return (
    <Status tone="good" mark="check">
      {latest === undefined ? 'Saved' : `Saved ${showTime(latest.answeredAt)}`}
    </Status>
  )
}

/** Who gave an answer that can't be changed now, and when. */
export function AnsweredBy({ target: { record }, code }: { target: TargetState; code: string }) {
  const latest = latestOf(record, code)
  return latest === undefined ? null : (
    <span className="fc-small fc-faint">
      <bdi>{latest.answeredBy}</bdi>, {showTime(latest.answeredAt)}
    </span>
  )
}

/** The answer, or the row of a table that was changed last. */
function latestOf({ answers }: TargetState['record'], code: string) {
  return answers
    .filter((one) => one.questionCode === code && one.value !== null)
    .toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1))[0]
}

const isFilled = (draft: unknown) =>
  draft !== undefined && draft !== '' && !(Array.isArray(draft) && draft.length === 0)

/** "10:42 AM" today, otherwise "Nov 14". */
export function showTime(instant: string | number): string {
  const date = new Date(instant)
  return date.toDateString() === new Date().toDateString() ? time.format(date) : dayAndTime.format(date)
}
