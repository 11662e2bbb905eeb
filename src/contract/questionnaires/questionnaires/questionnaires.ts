import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Definition } from '#contract/questions/definition.ts'
import { Scoring, NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { field, record, requiredText } from '#contract/record.ts'
import { versionedDocument } from '#contract/versioned-document.ts'
import { TrialProgress } from '#contract/questions/trial.ts'
import { AnswerState } from '#contract/questions/answer-state.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'

const KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_KEY = 60

/** `draft`: never published. `retired`: new assessments can't use it; open ones continue. */
export const QUESTIONNAIRE_STATUSES = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'retired', label: 'Retired' },
] as const
const STATUSES = QUESTIONNAIRE_STATUSES.map(({ value }) => value)

/** How many texts a language has, of those that need a translation. */
const LanguageProgress = z.object({
  language: z.string(),
  translated: z.number().int(),
  total: z.number().int(),
})

const listed = {
  name: requiredText('Name', 100),
  key: field('Key', {
    input: z
      .string('Key must be text.')
      .trim()
      .toLowerCase()
      .min(1, 'Key is required.')
      .max(MAX_KEY, `Key may have at most ${MAX_KEY} characters.`)
      .regex(KEY, 'Use letters, digits and hyphens, such as dealer-site-check.'),
    stored: z.string(),
    blank: '',
  }),
  /** Null: for all organizations. Users of one organization always add to theirs. */
  organizationId: field('Organization', {
    input: Id.nullable().optional(),
    stored: z.string().nullable(),
    blank: null,
  }),
}
const readOnly = {
  status: z.enum(STATUSES),
  organizationName: z.string().nullable(),
  /** The latest version; null before the first one is published. */
  publishedNumber: z.number().int().nullable(),
  publishedAt: Instant.nullable(),
  /** Whether the draft may be edited. Publishing closes it. */
  hasDraft: z.boolean(),
  questionCount: z.number().int(),
  sectionCount: z.number().int(),
  /** What blocks publishing the draft. */
  errorCount: z.number().int(),
  /** Of the draft, the default language first. */
  languages: z.array(LanguageProgress),
  /** The assessments with any of its versions that the user can see. */
  assessmentCount: z.number().int(),
  /** Whether the user's organizations may change it: users of one organization can't change one for all. */
  mayEdit: z.boolean(),
}

/** A questionnaire, with its fields in form order. */
export const questionnaireRecord = record(
  {
    ...listed,
    draft: field('Questions', {
      input: Definition,
      stored: Definition,
      blank: { languages: ['en'], sections: [] },
    }),
    scoring: field('Scoring', { input: Scoring.optional(), stored: Scoring, blank: NO_SCORING }),
  },
  { readOnly },
)
export type Questionnaire = z.infer<typeof questionnaireRecord.schema>

/** A questionnaire in the list, without its questions. */
export const questionnaireSummary = record(listed, { readOnly })
export type QuestionnaireSummary = z.infer<typeof questionnaireSummary.schema>

export const QUESTIONNAIRE_LIST = defineList({
  key: 'questionnaires',
  title: 'Questionnaires',
  nouns: ['questionnaire', 'questionnaires'],
  page: '/configure-questionnaire',
  allow: can(Func.configureQuestionnaire, Opr.list),
  exports: can(Func.configureQuestionnaire, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Questionnaire', kind: 'text', isSortable: true, isFixed: true },
    key: { title: 'Key', kind: 'text', isHidden: true },
    status: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      isFacet: true,
      choices: QUESTIONNAIRE_STATUSES,
    },
    publishedNumber: { title: 'Version', kind: 'integer', isSortable: true },
    hasDraft: { title: 'Draft open', kind: 'flag', isSortable: true, isHidden: true },
    questionCount: { title: 'Questions', kind: 'integer', isSortable: true, isHidden: true },
    assessmentCount: { title: 'Assessments', kind: 'integer', isSortable: true },
    organizationName: { title: 'Organization', kind: 'text', isSortable: true },
    publishedAt: { title: 'Published', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

const versionFields = {
  number: z.number().int(),
  questionCount: z.number().int(),
  publishedAt: Instant,
  publishedBy: z.string().nullable(),
}
/** A published version in the list of versions. */
export const QuestionnaireVersionSummary = z.object(versionFields)
export type QuestionnaireVersionSummary = z.infer<typeof QuestionnaireVersionSummary>

/** A published version. It never changes. */
export const QuestionnaireVersion = z.object({
  ...versionFields,
  definition: Definition,
  scoring: Scoring,
})
export type QuestionnaireVersion = z.infer<typeof QuestionnaireVersion>

/** A questionnaire that comes with the product, to start from: data/questionnaires. */
export const QuestionnaireTemplate = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  sectionCount: z.number().int(),
  questionCount: z.number().int(),
  isScored: z.boolean(),
})
export type QuestionnaireTemplate = z.infer<typeof QuestionnaireTemplate>

/** An error or warning of a draft, with its place: contract/questions/definition-fault.ts. */
const Fault = z.object({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).readonly(),
  section: z.string().nullable(),
  question: z.string().nullable(),
  span: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
})

const document = versionedDocument(questionnaireRecord, {
  list: QUESTIONNAIRE_LIST,
  base: '/api/assessments',
  func: Func.configureQuestionnaire,
  row: questionnaireSummary.schema,
  versions: { listed: QuestionnaireVersionSummary, whole: QuestionnaireVersion },
  summaries: {
    list: 'Lists the questionnaires that the user can see, without their questions. Searches name and key.',
    add: 'Adds a questionnaire as a draft, for all organizations or for one. Returns 409 if the name or the key is already in use.',
    update:
      'Saves the draft. A stale version returns 409 with the current questionnaire; so do changed questions while no draft is open.',
    publish:
      'Publishes the draft as the next version and closes it; a retired questionnaire can be used again. Returns 400 with the errors of the draft, 409 if the draft has changed since `version` or none is open.',
    duplicate: 'Adds a copy of a questionnaire as a draft, for the organizations of the original.',
    versions: 'Lists the published versions of a questionnaire, newest first, without their questions.',
    version: 'Returns one published version with its questions and scoring.',
    remove: 'Deletes a questionnaire that no assessment has used. Otherwise returns 409: retire it instead.',
  },
})
const byId = z.strictObject({ id: Id })

export const questionnaires = {
  list: document.list,
  get: document.get,
  add: document.add,
  templates: endpoint({
    method: 'GET',
    path: '/api/assessments/questionnaire-templates',
    allow: can(Func.configureQuestionnaire, Opr.create),
    summary: 'Lists the templates that a new questionnaire can start from, without their questions.',
    output: z.array(QuestionnaireTemplate),
  }),
  addFromTemplate: endpoint({
    method: 'POST',
    path: '/api/assessments/add-questionnaire-from-template',
    allow: can(Func.configureQuestionnaire, Opr.create),
    summary:
      'Adds a questionnaire with the questions and scoring of a template, as a draft. Returns 400 for an unknown template, 409 if the name or the key is already in use.',
    input: z.strictObject({
      ...questionnaireRecord.create.pick({ name: true, key: true, organizationId: true }).shape,
      template: z.string('Choose a template.').max(MAX_KEY, 'Choose a template.'),
    }),
    output: questionnaireRecord.schema,
    changes: document.stale.added,
  }),
  update: document.update,
  check: endpoint({
    method: 'POST',
    path: '/api/assessments/check-questionnaire',
    allow: can(Func.configureQuestionnaire, Opr.read),
    summary:
      'Checks questions and scoring without saving them: every error and warning with its place, and the completeness of each language.',
    writes: false,
    input: z.strictObject({ draft: Definition, scoring: Scoring }),
    output: z.object({
      faults: z.array(Fault).readonly(),
      isPublishable: z.boolean(),
      completeness: z.array(LanguageProgress).readonly(),
    }),
  }),
  tryOut: endpoint({
    method: 'POST',
    path: '/api/assessments/try-questionnaire',
    allow: can(Func.configureQuestionnaire, Opr.read),
    summary:
      'Evaluates answers as if a participant had sent them, without saving anything: what is asked, what is wrong, calculated values and the score with its reasons. Returns 400 if the rules of the questionnaire have errors.',
    writes: false,
    input: z.strictObject({
      draft: Definition,
      scoring: Scoring,
      /** By question code. */
      answers: z.record(z.string().max(60), z.unknown()),
      language: z.string().max(35),
    }),
    output: z.object({
      evaluation: AnswerState,
      progress: TrialProgress,
      /** Null if no question gives points. While required questions are open, as far as they are answered. */
      scores: StoredScores.nullable(),
    }),
  }),
  publish: document.publish,
  openDraft: document.openDraft,
  discardDraft: document.discardDraft,
  retire: endpoint({
    method: 'POST',
    path: '/api/assessments/retire-questionnaire',
    allow: can(Func.configureQuestionnaire, Opr.execute),
    summary: "Retires a published questionnaire: new assessments can't use it, and open ones continue.",
    input: byId,
    output: questionnaireRecord.schema,
    changes: document.stale.changed,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/assessments/restore-questionnaire',
    allow: can(Func.configureQuestionnaire, Opr.execute),
    summary: 'Makes a retired questionnaire available to new assessments again.',
    input: byId,
    output: questionnaireRecord.schema,
    changes: document.stale.changed,
  }),
  duplicate: document.duplicate,
  versions: document.versions,
  version: document.version,
  remove: document.remove,
}
