import {
  type Questionnaire,
  QUESTIONNAIRE_STATUSES,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  published: { tone: 'good', mark: 'check' },
  retired: { tone: 'mute', mark: 'dash' },
} as const

/** Whether new assessments can use the questionnaire. */
export function QuestionnaireStatus({
  status,
  isPill = false,
}: Pick<Questionnaire, 'status'> & { isPill?: boolean }) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {labelOf(QUESTIONNAIRE_STATUSES, status)}
    </Status>
  )
}
