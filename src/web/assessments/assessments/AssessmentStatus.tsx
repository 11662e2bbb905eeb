import { type Assessment, ASSESSMENT_STATUSES } from '#contract/assessments/assessments/assessments.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { showDay } from './assessment-labels.ts'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  open: { tone: 'info', mark: 'half' },
  closed: { tone: 'mute', mark: 'dash' },
} as const

type Props = { assessment: Pick<Assessment, 'status' | 'dueOn'>; isPill?: boolean }

/** The status of an assessment; on its page with the due date. */
export function AssessmentStatus({ assessment: { status, dueOn }, isPill = false }: Props) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {isPill && status === 'open' ? `Open, due ${showDay(dueOn)}` : labelOf(ASSESSMENT_STATUSES, status)}
    </Status>
  )
}
