import { IconAlertTriangle } from '@tabler/icons-react'
import { count } from '#web/ui/layout/date-format.ts'
import { textIn } from '#contract/questions/texts.ts'
import { placeOf } from './form-builder.ts'
import type { Problem } from './form-problems.ts'
import type { Builder } from './use-builder.ts'

type Props = { builder: Builder; onProblem: (problem: Problem) => void }
const MOST = 8

/** What keeps the form from being published, and what should be better. Each leads to its question. */
export function ProblemList({ builder, onProblem }: Props) {
  const { problems } = builder
  if (problems.length === 0) return null
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return (
    <section className="fc-problems" aria-label="Problems" data-tone={errors > 0 ? 'bad' : 'warn'}>
      <h2>
        <IconAlertTriangle size={16} aria-hidden="true" />
        <bdi>
          {errors > 0
            ? `${count(errors, 'problem blocks', 'problems block')} publishing`
            : count(problems.length, 'hint', 'hints')}
        </bdi>
      </h2>
      <ul>
        {problems.slice(0, MOST).map((problem, at) => (
          <li key={at}>
            <button type="button" className="fc-link" onClick={() => onProblem(problem)}>
              <bdi>{nameOf(problem, builder)}</bdi>
            </button>{' '}
            <bdi>{problem.message}</bdi>
          </li>
        ))}
      </ul>
      {problems.length > MOST && <p className="fc-small">And {problems.length - MOST} more.</p>}
    </section>
  )
}

/** What the problem is about: the title of the question or step. */
function nameOf({ part, question, section }: Problem, { content, language }: Builder): string {
  const { sections, languages } = content.draft
  if (part === 'contact') return 'Contact details'
  if (question !== null) {
    return textIn(placeOf(content, question)?.question.title, language, languages) || question
  }
  const step = sections.find(({ id }) => id === section)
  if (step === undefined) return 'Form'
  return textIn(step.title, language, languages) || `Step ${sections.indexOf(step) + 1}`
}
