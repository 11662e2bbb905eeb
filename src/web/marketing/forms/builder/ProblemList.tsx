import { IconAlertTriangle } from '@tabler/icons-react'
import { count } from '#web/ui/layout/date-format.ts'
import type { Problem } from './form-problems.ts'

type Props = { problems: readonly Problem[]; onProblem: (problem: Problem) => void }
const MOST = 8

/** What keeps the form from being published, and what should be better. Each leads to its question. */
export function ProblemList({ problems, onProblem }: Props) {
  if (problems.length === 0) return null
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return (
    <section className="fc-problems" aria-label="Problems" data-tone={errors > 0 ? 'bad' : 'warn'}>
      <h2>
        <IconAlertTriangle size={16} aria-hidden="true" />
        {errors > 0
          ? `${count(errors, 'problem blocks', 'problems block')} publishing`
          : count(problems.length, 'hint', 'hints')}
      </h2>
      <ul>
        {problems.slice(0, MOST).map((problem, at) => (
          <li key={at}>
            <button type="button" className="fc-link" onClick={() => onProblem(problem)}>
              {problem.question ?? (problem.part === 'contact' ? 'Contact details' : 'Form')}
            </button>{' '}
            <bdi>{problem.message}</bdi>
          </li>
        ))}
      </ul>
      {problems.length > MOST && <p className="fc-small">And {problems.length - MOST} more.</p>}
    </section>
  )
}
