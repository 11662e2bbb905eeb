import { IconAlertTriangle } from '@tabler/icons-react'
import { count } from '#web/ui/layout/date-format.ts'
import { textIn } from '#contract/questions/texts.ts'
import { placeOf } from './content-changes.ts'
import { capital } from './builder-labels.ts'
import type { Builder, Problem } from './use-builder.ts'

type Props = { builder: Builder; onProblem: (problem: Problem) => void }
const MOST = 8

/** What keeps it from being published, and what should be better. Each leads to its question. */
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

/** What the problem is about: the title of the question or section. */
function nameOf({ about, question, section }: Problem, { content, language, kit }: Builder): string {
  const { sections, languages } = content.draft
  if (about !== null) return about
  if (question !== null) {
    return textIn(placeOf(content, question)?.question.title, language, languages) || question
  }
  const step = sections.find(({ id }) => id === section)
  if (step === undefined) return kit.thing
  return textIn(step.title, language, languages) || `${capital(kit.noun)} ${sections.indexOf(step) + 1}`
}
