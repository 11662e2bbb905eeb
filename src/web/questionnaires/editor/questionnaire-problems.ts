import {
  checkQuestionnaire,
  type QuestionnaireContent,
} from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import type { Problem } from '#web/questions/builder/use-builder.ts'

/** What a problem is about that the Scoring tab corrects. */
export const SCORING = 'Scoring'
/** What a problem is about that the Translations tab corrects. */
export const LANGUAGES = 'Languages'

/** Everything that blocks publishing, then what should be better. */
export function findProblems(content: QuestionnaireContent): Problem[] {
  return checkQuestionnaire(content).faults.map(({ severity, message, path, section, question }) => ({
    severity,
    message,
    section,
    question,
    about: question === null && section === null ? aboutOf(path[0]) : null,
  }))
}

function aboutOf(part: string | number | undefined): string | null {
  if (part === 'scoring') return SCORING
  return part === 'languages' ? LANGUAGES : null
}
