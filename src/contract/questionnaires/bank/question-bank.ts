import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Question } from '#contract/questions/definition.ts'
import { QuestionScore } from '#contract/questions/scores/scoring.ts'

/** The most questions of one search. */
export const MAX_FOUND_QUESTIONS = 50

/** A question that exists, to use it again. */
export const BankQuestion = z.object({
  /** Null: of a template. */
  questionnaireId: z.string().nullable(),
  /** The questionnaire or template. */
  source: z.string(),
  /** In the default language of its questionnaire. */
  section: z.string(),
  /** The language of its texts, the default first. */
  languages: z.array(z.string()),
  question: Question,
  /** How it gets points there; null without points. */
  score: QuestionScore.nullable(),
})
export type BankQuestion = z.infer<typeof BankQuestion>

export const questionBank = {
  find: endpoint({
    method: 'GET',
    path: '/api/assessments/find-questions',
    allow: can(Func.configureQuestionnaire, Opr.read),
    summary:
      'Finds questions of the questionnaires that the user can see and of the templates, by title, code or concept. Returns at most 50, with how they get points.',
    input: z.strictObject({ search: z.string().max(100, 'Search for at most 100 characters.').optional() }),
    output: z.object({ questions: z.array(BankQuestion), hasMore: z.boolean() }),
  }),
}
