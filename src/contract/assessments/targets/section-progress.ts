import type { SectionProgress } from './targets.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'

/** Counts without the flags of reviewers, which are counted when they are read. */
export type SectionCounts = Omit<SectionProgress, 'flagged'>

/** What is answered in each section of the questionnaire, in order. Notes, computed values and hidden fields don't count. */
export function countSections(compiled: CompiledDefinition, evaluation: Evaluation): SectionCounts[] {
  const visible = new Set(evaluation.visible)
  const required = new Set(evaluation.required)
  const faulty = new Set(evaluation.problems.map(({ question }) => question))
  const refusedConsents = new Set(
    evaluation.consents.flatMap(({ question, isGiven }) =>
      isGiven || !required.has(question) ? [] : [question],
    ),
  )
  return compiled.definition.sections.map(({ id, questions }) => {
    const asked = questions.flatMap(({ code, type }) =>
      visible.has(code) && type !== 'note' && type !== 'computed' ? [code] : [],
    )
    const answered = asked.filter(
      (code) => Object.hasOwn(evaluation.answers, code) && !refusedConsents.has(code),
    )
    const groups = evaluation.oneOf.filter(({ section }) => section === id)
    const mandatory = asked.filter((code) => required.has(code))
    return {
      section: id,
      questions: asked.length,
      answered: answered.length,
      required: mandatory.length + groups.length,
      requiredAnswered:
        mandatory.filter((code) => answered.includes(code) && !faulty.has(code)).length +
        groups.filter(({ isAnswered }) => isAnswered).length,
    }
  })
}
