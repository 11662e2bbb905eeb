import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import type { Assessment, ASSESSMENT_LIST } from '#contract/assessments/assessments/assessments.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { showDay, showPeriod } from './assessment-labels.ts'
import { AssessmentMenu } from './AssessmentMenu.tsx'
import { AssessmentStatus } from './AssessmentStatus.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const PARTS = [
  { name: 'approved', label: 'approved' },
  { name: 'submitted', label: 'submitted or in review' },
  { name: 'changesRequested', label: 'with changes requested' },
  { name: 'inProgress', label: 'in progress' },
  { name: 'notStarted', label: 'not started' },
] as const

type Props = { assessment: Pick<Assessment, 'targets' | 'status' | (typeof PARTS)[number]['name']> }

/** The targets of an assessment by state: a bar, and in words how many are approved. */
function StateBar({ assessment }: Props) {
  const { targets, approved } = assessment
  if (targets === 0) return <span className="fc-faint">No targets</span>
  if (assessment.status === 'draft') return <bdi>{count(targets, 'target', 'targets')}</bdi>
  const parts = PARTS.filter(({ name }) => assessment[name] > 0)
  const words = parts.map(({ name, label }) => `${assessment[name].toLocaleString()} ${label}`).join(', ')
  return (
    <span className="fc-states" title={words}>
      <span className="fc-states-bar" aria-hidden="true">
        {parts.map(({ name }) => (
          <span key={name} data-state={name} style={{ flexGrow: assessment[name] }} />
        ))}
      </span>
      <span className="fc-small">
        <bdi>
          {approved.toLocaleString()} of {targets.toLocaleString()} approved
        </bdi>
        <span className="fc-hidden">: {words}</span>
      </span>
    </span>
  )
}

/** Custom cells of the list. */
export const CELLS: Cells<Assessment, keyof typeof ASSESSMENT_LIST.fields> = {
  name: (assessment) => (
    <span className="fc-row-name">
      <span className="fc-grow">
        <AssessmentLink assessment={assessment} />
        <span className="fc-second">
          <bdi>{showPeriod(assessment)}</bdi>
        </span>
      </span>
      <AssessmentMenu assessment={assessment} />
    </span>
  ),
  questionnaireName: ({ questionnaireName, questionnaireNumber }) => (
    <>
      <bdi>{questionnaireName}</bdi>
      <span className="fc-second">Version {questionnaireNumber}</span>
    </>
  ),
  status: (assessment) => <AssessmentStatus assessment={assessment} />,
  targets: (assessment) => <StateBar assessment={assessment} />,
  overdue: ({ overdue }) => <Overdue overdue={overdue} />,
  dueOn: ({ dueOn }) => <bdi>{showDay(dueOn)}</bdi>,
  progress: ({ progress, status }) =>
    progress === null || status === 'draft' ? (
      <span className="fc-faint">–</span>
    ) : (
      <bdi className="fc-number">{progress}%</bdi>
    ),
}

export const WIDTHS = {
  name: 272,
  questionnaireName: 196,
  status: 104,
  targets: 168,
  approved: 96,
  overdue: 100,
  progress: 100,
  opensOn: 120,
  dueOn: 120,
}

/** A row on a narrow screen. */
export function AssessmentBlock({ assessment }: { assessment: Assessment }) {
  const { questionnaireName, questionnaireNumber, dueOn, overdue } = assessment
  return (
    <>
      <div className="fc-block-head">
        <AssessmentLink assessment={assessment} />
        <AssessmentMenu assessment={assessment} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>
          {showPeriod(assessment)}. {questionnaireName}, version {questionnaireNumber}
        </bdi>
      </div>
      <div className="fc-block-head fc-small">
        <span className="fc-row">
          <AssessmentStatus assessment={assessment} />
          {overdue > 0 && <Overdue overdue={overdue} isSentence />}
        </span>
        <span className="fc-soft">Due {showDay(dueOn)}</span>
      </div>
      <StateBar assessment={assessment} />
    </>
  )
}

function AssessmentLink({ assessment: { id, name } }: { assessment: Assessment }) {
  return (
    <MayOpen for={assessments.get}>
      <Link to="/assessments/$id" params={{ id }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}

function Overdue({ overdue, isSentence = false }: { overdue: number; isSentence?: boolean }) {
  if (overdue === 0) return <span className="fc-number fc-faint">0</span>
  return (
    <Status tone="bad" mark="alert">
      <bdi className="fc-number">
        {overdue.toLocaleString()}
        {isSentence && ' overdue'}
      </bdi>
    </Status>
  )
}
