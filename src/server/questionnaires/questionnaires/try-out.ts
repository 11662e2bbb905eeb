import type { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Received, Returned } from '#contract/endpoint.ts'
import { checkQuestionnaire } from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import { findingOf } from '#contract/questions/answer-state.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { scoreAnswers } from '#contract/questions/scores/score-answers.ts'
import { refused } from '#server/http/failure.ts'

/**
 * The verdict on answers to an unsaved questionnaire, by the functions that decide about the answers of participants.
 * @throws Failure 400 if the questionnaire has errors
 */
export function tryOut(
  { draft, scoring, answers, language }: Received<typeof questionnaires.tryOut>,
  { now, zone }: { now: Date; zone: string },
): Returned<typeof questionnaires.tryOut> {
  const { faults } = checkQuestionnaire({ draft, scoring })
  const error = faults.find(({ severity }) => severity === 'error')
  if (error !== undefined) {
    const place = error.question ?? error.section
    throw refused('Fix the errors in the questionnaire to try it.', {
      draft: `${place === null ? '' : `${place}: `}${error.message}`,
    })
  }
  const compiled = compileDefinition(draft)
  const evaluation = evaluateAnswers(compiled, answers, { language, now, zone, setAside: true })
  const { visible, required, setAside, computed, totals, problems, progress } = evaluation
  return {
    evaluation: {
      visible: [...visible],
      required: [...required],
      setAside: Object.keys(setAside),
      computed,
      totals,
      problems: problems.map(findingOf),
    },
    progress,
    scores:
      scoring.questions.length === 0 ? null : StoredScores.parse(scoreAnswers(compiled, evaluation, scoring)),
  }
}
