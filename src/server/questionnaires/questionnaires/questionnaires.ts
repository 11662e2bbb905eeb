import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { checkQuestionnaire } from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import {
  type Questionnaire,
  QUESTIONNAIRE_LIST,
  questionnaireRecord,
  type questionnaires,
  type QuestionnaireSummary,
  questionnaireSummary,
  QuestionnaireVersion,
  QuestionnaireVersionSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { silentConsents } from '#contract/questions/changes.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { copyName } from '#contract/copy-name.ts'
import { documentTable, firstFree } from '#server/documents/document-table.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readTemplates } from '../templates/templates.ts'
import { tryOut } from './try-out.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

const assessmentCount = sql`select count(*)::integer from assessments a
  where a.customer_id = questionnaires.customer_id and a.questionnaire_id = questionnaires.id`

const exceptions = {
  id: 'id',
  organizationId: 'id',
  organizationName: sql`o.name`,
  publishedAt: instant(sql`v.published_at`),
  updatedAt: 'instant',
  assessmentCount: sql`(${assessmentCount})`,
  mayEdit: sql`coalesce(current_setting('app.reach', true) = 'customer', false)
    or questionnaires.organization_id is not null`,
} as const
const columns = columnMap(questionnaireRecord, 'questionnaires', {
  ...exceptions,
  draft: 'json',
  scoring: 'json',
})
const listColumns = columnMap(questionnaireSummary, 'questionnaires', exceptions)

/** Row level security hides those of organizations that the user can't reach. */
export const questionnaireSource: ListSource<keyof typeof QUESTIONNAIRE_LIST.fields> = {
  list: QUESTIONNAIRE_LIST,
  from: sql`questionnaires left join questionnaire_versions v on v.customer_id = questionnaires.customer_id
    and v.questionnaire_id = questionnaires.id and v.number = questionnaires.published_number
    left join organizations o on o.customer_id = questionnaires.customer_id and o.id = questionnaires.organization_id`,
  table: sql`questionnaires`,
  within: (actor) => sql`questionnaires.customer_id = ${actor.customerId}`,
  id: sql`questionnaires.id`,
  title: sql`questionnaires.name`,
  fields: listColumns.listFields(QUESTIONNAIRE_LIST, {
    name: { order: sql`questionnaires.name_key`, isNeverNull: true },
    key: { isNeverNull: true },
    status: { isNeverNull: true },
    hasDraft: { isNeverNull: true },
    questionCount: { isNeverNull: true },
    assessmentCount: { value: sql`(${assessmentCount})`, isNeverNull: true },
    organizationName: { value: sql`o.name`, joins: 'value' },
    publishedAt: { value: sql`v.published_at`, joins: 'value' },
    updatedAt: { isNeverNull: true },
  }),
  search: (text) => contains([sql.ref('questionnaires.name'), sql.ref('questionnaires.key')], text),
}

const document = documentTable({
  noun: 'questionnaire',
  subject: 'questions',
  table: 'questionnaires',
  schema: questionnaireRecord.schema,
  from: questionnaireSource.from,
  columns,
  content: questionnaireRecord.schema.pick({ draft: true, scoring: true }),
  versions: {
    table: 'questionnaireVersions',
    of: 'questionnaire_id',
    kept: { draft: 'definition', scoring: 'scoring', questionCount: 'question_count' },
    listed: [QuestionnaireVersionSummary, sql`v.question_count as "questionCount"`],
    whole: [QuestionnaireVersion, sql`v.question_count as "questionCount", v.definition, v.scoring`],
  },
  withdrawn: 'retiredAt',
  constraints: {
    questionnaires_customer_id_key_key: {
      message: 'Another questionnaire already has this key.',
      fields: { key: 'This key is already in use.' },
    },
    questionnaires_customer_id_name_key_key: {
      message: 'Another questionnaire already has this name.',
      fields: { name: 'This name is already in use.' },
    },
  },
  references: { organizationId: 'Choose an organization that exists.' },
  requireOwn: (_, actor, questionnaire) => requireOwn(actor, questionnaire),
  requireOwner(_, actor, { organizationId }: Received<typeof questionnaires.update>) {
    if (organizationId !== undefined) requireOrganization(actor, organizationId)
  },
  derive: describe,
  check(questionnaire, published) {
    const errors = findErrors(questionnaire)
    return Object.keys(errors).length > 0 ? errors : silentConsents(published?.draft, questionnaire.draft)
  },
  inUse: 'Assessments have used this questionnaire. Retire it instead, so that they stay readable.',
})
/** Publishes the draft as the next version, reads a questionnaire, and reads one of its versions. */
export const { publish: publishQuestionnaire, read: readQuestionnaire, readVersion } = document
const { get, update, publish, openDraft, discardDraft, versions, version, remove } = document.handlers

/**
 * Questionnaires for all organizations are changed by users with access to the whole customer, those of one
 * organization also by its users.
 */
export const questionnaireHandlers: Handlers<typeof questionnaires> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, questionnaireSource, input)
    const { rows } =
      await sql<QuestionnaireSummary>`select ${listColumns.select} from ${questionnaireSource.from}
      where questionnaires.customer_id = ${actor.customerId} and ${isOneOf(questionnaireSource, ids)}`.execute(
        db,
      )
    return { ...counts, results: questionnaireSummary.schema.array().parse(inOrder(ids, rows)) }
  },

  get,

  async add({ db, actor, input }) {
    return addQuestionnaire(db, {
      ...input,
      organizationId: requireOrganization(actor, input.organizationId),
    })
  },

  templates: async () =>
    readTemplates().map(({ file, ...template }) => ({
      ...template,
      isScored: file.scoring.questions.length > 0,
    })),

  async addFromTemplate({ db, actor, input: { template, organizationId, ...named } }) {
    const found = readTemplates().find(({ key }) => key === template)
    if (found === undefined) throw refused('Some fields are invalid.', { template: 'Choose a template.' })
    const { definition, scoring } = found.file
    const owner = requireOrganization(actor, organizationId)
    return addQuestionnaire(db, { ...named, organizationId: owner, draft: definition, scoring })
  },

  update,

  check: async ({ input }) => checkQuestionnaire(input),

  tryOut: async ({ actor, input }) => tryOut(input, { now: clock.date(), zone: actor.timeZone }),

  publish,
  openDraft,
  discardDraft,

  retire: document.setting(({ status }) => {
    if (status === 'draft') throw conflict('This questionnaire was never published. Delete it instead.')
    return status === 'published' ? { retiredAt: sql`app_now()` } : null
  }),

  restore: document.setting(({ status }) => {
    if (status === 'draft') throw conflict("This questionnaire isn't retired. It was never published.")
    return status === 'retired' ? { retiredAt: null } : null
  }),

  async duplicate({ db, actor, input: { id } }) {
    const { name, key, organizationId, draft, scoring } = await readQuestionnaire(db, id)
    const { rows } = await sql<{ name: string; key: string }>`
      select name_key as name, key from questionnaires`.execute(db)
    const copy = {
      name: firstFree(
        rows.map((row) => row.name),
        (at) => copyName(name, at, MAX_NAME),
      ),
      key: firstFree(
        rows.map((row) => row.key),
        (at) => `${key.slice(0, 50)}-copy${at === 1 ? '' : `-${at}`}`,
      ),
    }
    const owner = actor.reach === 'customer' ? organizationId : actor.organizationId
    return addQuestionnaire(db, { ...copy, organizationId: owner, draft, scoring })
  },

  versions,
  version,
  remove,
}

const MAX_NAME = 100

/** @throws Failure 403 if a user of one organization changes a questionnaire for all organizations. */
function requireOwn(actor: Member, { organizationId }: Questionnaire): void {
  if (actor.reach === 'customer' || organizationId === actor.organizationId) return
  throw forbidden(
    'This questionnaire is for all organizations. Only users with access to the whole customer can change it. Duplicate it to make your own.',
  )
}

/** Whose the questionnaire will be. @throws Failure 403 if a user of one organization names none or another one. */
function requireOrganization(actor: Member, wanted: string | null | undefined): string | null {
  if (actor.reach === 'customer') return wanted ?? null
  if (wanted === undefined || wanted === actor.organizationId) return actor.organizationId
  if (wanted !== null)
    throw refused('Some fields are invalid.', { organizationId: 'Choose your organization.' })
  throw forbidden(
    'Questionnaires for all organizations are managed by users with access to the whole customer. Choose your organization.',
  )
}

/** What lists show of a draft. */
function describe(content: Pick<Questionnaire, 'draft' | 'scoring'>) {
  const { faults, completeness } = checkQuestionnaire(content)
  const { sections } = content.draft
  return {
    questionCount: sections.reduce((sum, { questions }) => sum + questions.length, 0),
    sectionCount: sections.length,
    errorCount: faults.filter(({ severity }) => severity === 'error').length,
    languages: JSON.stringify(completeness),
  }
}

/** Adds a questionnaire. @throws Failure 409 if its name or key is in use. */
export const addQuestionnaire = (
  db: Database,
  { scoring = NO_SCORING, ...input }: Received<typeof questionnaires.add>,
): Promise<Questionnaire> => document.add(db, { ...input, scoring })

/** The first error, at the field that has it, and how many there are. */
function findErrors(questionnaire: Questionnaire): Record<string, string> {
  const errors = checkQuestionnaire(questionnaire).faults.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return {}
  const place = first.question ?? first.section
  const more = errors.length === 1 ? '' : ` There are ${errors.length - 1} more.`
  return {
    [first.path[0] === 'scoring' ? 'scoring' : 'draft']:
      `${place === null ? '' : `${place}: `}${first.message}${more}`,
  }
}
