import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { Definition } from '#contract/questions/definition.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'

/** Names a file of a questionnaire, so that no other JSON is taken for one. */
export const QUESTIONNAIRE_FORMAT = 'forecourt-questionnaire'

const NO_FILE = "This isn't a questionnaire file."

/** A questionnaire as a file: the questions and scoring of one version, without IDs. Nothing is lost in it. */
export const QuestionnaireFile = z.strictObject(
  {
    format: z.literal(QUESTIONNAIRE_FORMAT, NO_FILE),
    version: z.literal(1, 'This file is from a newer version of Forecourt.'),
    name: z
      .string('The name must be text.')
      .overwrite(trimmed)
      .min(1, 'The name is missing.')
      .max(100, 'The name is too long.'),
    key: z.string('The key must be text.').max(60, 'The key is too long.'),
    description: z
      .string('The description must be text.')
      .max(1_000, 'The description is too long.')
      .optional(),
    definition: Definition,
    scoring: Scoring,
  },
  { error: ({ code }: { code?: string }) => (code === 'invalid_type' ? NO_FILE : undefined) },
)
export type QuestionnaireFile = z.infer<typeof QuestionnaireFile>
