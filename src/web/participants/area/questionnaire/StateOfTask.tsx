import type { ComponentProps } from 'react'
import type { ParticipantTask } from '#contract/participants/area/participant-area.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { useArea } from '../area.ts'

type Look = Pick<ComponentProps<typeof Status>, 'tone' | 'mark'>
const LOOKS = {
  not_started: { tone: 'mute', mark: 'wait' },
  in_progress: { tone: 'info', mark: 'half' },
  submitted: { tone: 'good', mark: 'check' },
  in_review: { tone: 'info', mark: 'quarter' },
  changes_requested: { tone: 'warn', mark: 'alert' },
  approved: { tone: 'good', mark: 'check' },
  closed: { tone: 'mute', mark: 'dash' },
} satisfies Record<ParticipantTask['state'], Look>

/** The status of a questionnaire. */
export function StateOfTask({ task: { state } }: { task: Pick<ParticipantTask, 'state'> }) {
  const { text } = useArea()
  return <Status {...LOOKS[state]}>{text(state)}</Status>
}
