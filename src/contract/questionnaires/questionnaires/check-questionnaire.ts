import { checkDefinition, type DefinitionCheck } from '#contract/questions/check-definition.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { checkScoring } from '#contract/questions/scores/check-scoring.ts'
import type { Scoring } from '#contract/questions/scores/scoring.ts'

/** What a questionnaire asks and how it is scored. */
export type QuestionnaireContent = Readonly<{ draft: Definition; scoring: Scoring }>

/** Every fault of the questions and of the scoring, errors first, and the completeness of each language. */
export function checkQuestionnaire({ draft, scoring }: QuestionnaireContent): DefinitionCheck {
  const questions = checkDefinition(draft)
  const scores = checkScoring(draft, scoring)
  const faults = [...questions.faults, ...scores.faults]
  return {
    faults: [
      ...faults.filter(({ severity }) => severity === 'error'),
      ...faults.filter(({ severity }) => severity === 'warning'),
    ],
    isPublishable: questions.isPublishable && scores.faults.every(({ severity }) => severity !== 'error'),
    completeness: questions.completeness.map((one, at) => ({
      language: one.language,
      translated: one.translated + (scores.completeness[at]?.translated ?? 0),
      total: one.total + (scores.completeness[at]?.total ?? 0),
    })),
  }
}
