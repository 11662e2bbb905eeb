import { IconCheck, IconLock } from '@tabler/icons-react'
import { useHolds } from '#web/session/use-session.ts'
import { type StepState, visibleSteps, type WizardStep } from './wizard-steps.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './wizard.css'

const WORDS: Record<StepState, string> = {
  empty: 'Empty',
  partly: 'In progress',
  complete: 'Complete',
  locked: 'Locked',
}

type Props = {
  label: string
  steps: readonly WizardStep[]
  /** The title of the open step. */
  current: string
}

/** The wizard steps the user can see, each with its progress. */
export function WizardSteps({ label, steps, current }: Props) {
  const holds = useHolds()
  return (
    <nav className="fc-wizard-steps" aria-label={label}>
      <ol>
        {visibleSteps(steps, holds).map(({ title, href, state }, at) => (
          <li key={title} data-state={state ?? 'empty'}>
            <Link to={href} {...(title === current && { 'aria-current': 'step' as const })}>
              <span className="fc-wizard-steps-mark" aria-hidden="true">
                <StepMark state={state} number={at + 1} isCurrent={title === current} />
              </span>
              <span>{title}</span>
            </Link>
            {state !== null && <span className="fc-small fc-soft">{WORDS[state]}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}

type MarkProps = { state: StepState | null; number: number; isCurrent: boolean }

function StepMark({ state, number, isCurrent }: MarkProps) {
  if (state === 'complete' && !isCurrent) return <IconCheck size={13} stroke={2.2} />
  if (state === 'locked' && !isCurrent) return <IconLock size={12} stroke={1.8} />
  return number
}
