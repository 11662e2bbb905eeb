import type { ReactNode } from 'react'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import { inGroups, isEmailOrPhone, type OneOfGroup } from '#contract/questions/one-of.ts'
import type { AnswerProblem } from '#contract/questions/evaluate.ts'
import { groupProblem } from './field-props.ts'

type Props = {
  /** The questions of a section that are shown, in order. */
  codes: readonly string[]
  compiled: CompiledDefinition
  evaluation: Pick<Evaluation, 'oneOf'>
  language: string
  /** The problems that are shown at a question. */
  problemsOf: (code: string) => readonly AnswerProblem[]
  children: (code: string) => ReactNode
}

/**
 * Questions in order; those of which one must be answered stand under one title, with what is wrong with them. A question stays
 * in its place of the page when the others of its group come and go, so that the focus does too.
 */
export function GroupedQuestions({ codes, compiled, children, ...rest }: Props) {
  return inGroups(codes, compiled.groups).map(({ group, codes: own }) =>
    group === null ? (
      own.map(children)
    ) : (
      <OneOfFields key={`one of ${group.name}`} group={group} compiled={compiled} {...rest}>
        {own.map(children)}
      </OneOfFields>
    ),
  )
}

type GroupProps = Omit<Props, 'codes' | 'children'> & { group: OneOfGroup; children: ReactNode }

function OneOfFields({ group, compiled, evaluation, language, problemsOf, children }: GroupProps) {
  const asked = evaluation.oneOf.find(({ name, section }) => name === group.name && section === group.section)
  if (asked === undefined) return <fieldset className="fc-question-group">{children}</fieldset>
  const questions = asked.questions.flatMap((code) => compiled.byCode.get(code)?.question ?? [])
  const [first = ''] = asked.questions
  const problem = groupProblem(problemsOf(first))
  const text = controlTexts(language)
  return (
    <fieldset className="fc-question-group" data-asked>
      <legend>{text(isEmailOrPhone(questions) ? 'emailOrPhone' : 'oneOf')}</legend>
      {problem !== undefined && <p className="fc-question-error">{problem}</p>}
      {children}
    </fieldset>
  )
}
