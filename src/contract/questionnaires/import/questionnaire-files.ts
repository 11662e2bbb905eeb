import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Definition } from '#contract/questions/definition.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'

/** The most bytes of a file that is imported. */
export const MAX_IMPORT_BYTES = 5_000_000

const FILE_KINDS = ['forecourt', 'surveyjs', 'xlsform'] as const

/** What a file would become. */
export const QuestionnaireImport = z.object({
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  key: z.string(),
  draft: Definition,
  scoring: Scoring,
  /** What was not taken over, or not as it was. */
  notes: z.array(z.object({ place: z.string(), message: z.string() })),
})
export type QuestionnaireImport = z.infer<typeof QuestionnaireImport>

/** A version, or the draft without it. */
const Chosen = z.strictObject({
  id: Id,
  number: z
    .string()
    .regex(/^\d{1,9}$/, 'Choose a version.')
    .transform(Number)
    .optional(),
})

export const questionnaireFiles = {
  export: endpoint({
    method: 'GET',
    path: '/api/assessments/export-questionnaire/{id}',
    kind: 'download',
    allow: can(Func.configureQuestionnaire, Opr.export),
    summary:
      'Exports the draft of a questionnaire, or a version of it, as a JSON file that can be imported elsewhere without loss.',
    input: Chosen,
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/assessments/questionnaire-pdf/{id}',
    kind: 'download',
    allow: can(Func.configureQuestionnaire, Opr.read),
    summary: 'Downloads the questions of the draft, or of a version, as a PDF to print and fill in by hand.',
    input: Chosen.extend({ language: z.string().max(35).optional() }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/assessments/read-questionnaire-file',
    kind: 'upload',
    allow: can(Func.configureQuestionnaire, Opr.create),
    summary:
      'Reads a questionnaire from a file: JSON of the export, JSON of SurveyJS, or an XLSForm workbook (XLSX). Returns the resulting questionnaire, with everything that could not be imported. Nothing is stored. Returns 400 with the place of each error.',
    output: QuestionnaireImport,
    writes: false,
  }),
  readTable: endpoint({
    method: 'POST',
    path: '/api/assessments/read-translations',
    kind: 'upload',
    allow: can(Func.configureQuestionnaire, Opr.update),
    summary:
      'Reads a table of translations (CSV or XLSX) and returns the cells of its first filled sheet, line by line. Nothing is stored.',
    output: z.object({ lines: z.array(z.array(z.string())) }),
    writes: false,
  }),
}
