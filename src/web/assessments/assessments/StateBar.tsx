import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { count } from '#web/ui/layout/date-format.ts'

const PARTS = [
  { name: 'approved', label: 'approved' },
  { name: 'submitted', label: 'submitted or in review' },
  { name: 'changesRequested', label: 'with changes requested' },
  { name: 'inProgress', label: 'in progress' },
  { name: 'notStarted', label: 'not started' },
] as const

type Props = { assessment: Pick<Assessment, 'targets' | 'status' | (typeof PARTS)[number]['name']> }

/** The targets of an assessment by state: a bar, and in words how many are approved. */
export function StateBar({ assessment }: Props) {
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
