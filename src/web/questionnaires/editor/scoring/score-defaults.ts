import type { Definition, Question } from '#contract/questions/definition.ts'
import { compileDefinition, DefinitionError } from '#contract/questions/compile.ts'
import { scoreKindOf } from '#contract/questions/scores/scorable.ts'
import { type QuestionResult, scoreAnswers } from '#contract/questions/scores/score-answers.ts'
import type { QuestionScore, Scoring } from '#contract/questions/scores/scoring.ts'

/** The points that a question starts with: one more for each choice. Null if it can't get points. */
export function firstScore(question: Question): QuestionScore | null {
  const kind = scoreKindOf(question)
  const base = { question: question.code, weight: '1' }
  if (kind === null) return null
  if (kind === 'ranges') {
    const most = question.type === 'rating' ? question.max : 1
    const ranges = Array.from({ length: most }, (_, at) => ({ from: String(at + 1), points: String(at + 1) }))
    return { kind, ...base, ranges }
  }
  if ('choices' in question) {
    const { choices } = question
    const points = choices.map(({ value }, at) => ({ value, points: String(at) }))
    return { kind: 'choices', ...base, points }
  }
  return { kind: 'choices', ...base, points: [{ value: 'true', points: '1' }] }
}

/** A number of points without its text: a choice, "Yes" or "No". */
export function valuesOf(
  question: Question,
): Readonly<{ value: string; title: Readonly<Record<string, string>> }>[] {
  if ('choices' in question) return question.choices
  return [
    { value: 'true', title: { en: 'Yes' } },
    { value: 'false', title: { en: 'No' } },
  ]
}

/**
 * What each answer to a question would add if all questions were asked and counted. Null while the rules have errors, or
 * without points for the question.
 */
export function explainScore(draft: Definition, scoring: Scoring, code: string): QuestionResult | null {
  try {
    const compiled = compileDefinition(draft)
    const evaluation = {
      visible: compiled.questions.map(({ question }) => question.code),
      answers: {},
      computed: {},
    }
    const { questions } = scoreAnswers(compiled, evaluation, { ...scoring, unanswered: 'zero' })
    return questions.find(({ question }) => question === code) ?? null
  } catch (error) {
    if (error instanceof DefinitionError) return null
    throw error
  }
}
