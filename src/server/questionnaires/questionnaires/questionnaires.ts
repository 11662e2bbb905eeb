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
import { consentsWithoutNewVersion } from '#contract/questions/changes.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
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

  get: ({ db, input }) => readQuestionnaire(db, input.id),

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

  async update({ db, actor, input: { id, version, ...changes } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (version !== undefined && version !== current.version) throw stale('This questionnaire', current)
    if (changes.organizationId !== undefined) requireOrganization(actor, changes.organizationId)
    const { draft = current.draft, scoring = current.scoring } = changes
    const changed = await explainRefusal(
      db
        .updateTable('questionnaires')
        .set({ version: sql`version`, ...columns.write(changes), ...describe({ draft, scoring }) })
        .where('id', '=', id)
        .where(
          sql<boolean>`(has_draft or (draft = ${JSON.stringify(draft)}::jsonb and scoring = ${JSON.stringify(scoring)}::jsonb))`,
        )
        .returning('id')
        .executeTakeFirst(),
    )
    if (changed === undefined) {
      throw conflict('A published version never changes. Open a new draft to change its questions.')
    }
    return readQuestionnaire(db, id)
  },

  check: async ({ input }) => checkQuestionnaire(input),

  tryOut: async ({ actor, input }) => tryOut(input, { now: clock.date(), zone: actor.timeZone }),

  async publish({ db, actor, input: { id, version } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (version !== current.version) throw stale('This questionnaire', current)
    return publishQuestionnaire(db, current)
  },

  async openDraft({ db, actor, input: { id } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (current.hasDraft) return current
    await db.updateTable('questionnaires').set({ hasDraft: true }).where('id', '=', id).execute()
    return readQuestionnaire(db, id)
  },

  async discardDraft({ db, actor, input: { id, version } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (version !== current.version) throw stale('This questionnaire', current)
    if (current.publishedNumber === null) {
      throw conflict('This questionnaire was never published. Delete it instead.')
    }
    const { definition: draft, scoring } = await readVersion(db, id, current.publishedNumber)
    await db
      .updateTable('questionnaires')
      .set({ hasDraft: false, ...columns.write({ draft, scoring }), ...describe({ draft, scoring }) })
      .where('id', '=', id)
      .execute()
    return readQuestionnaire(db, id)
  },

  async retire({ db, actor, input: { id } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (current.status === 'draft')
      throw conflict('This questionnaire was never published. Delete it instead.')
    if (current.status === 'published') await setRetired(db, id, { isRetired: true })
    return readQuestionnaire(db, id)
  },

  async restore({ db, actor, input: { id } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    if (current.status === 'draft')
      throw conflict("This questionnaire isn't retired. It was never published.")
    if (current.status === 'retired') await setRetired(db, id, { isRetired: false })
    return readQuestionnaire(db, id)
  },

  async duplicate({ db, actor, input: { id } }) {
    const { name, key, organizationId, draft, scoring } = await readQuestionnaire(db, id)
    const { rows } = await sql<{ name: string; key: string }>`
      select name_key as name, key from questionnaires`.execute(db)
    const copy = {
      name: firstFree(
        `${name.slice(0, 85)} (copy)`,
        rows.map((row) => row.name),
        (text, at) => `${text} ${at}`,
      ),
      key: firstFree(
        `${key.slice(0, 50)}-copy`,
        rows.map((row) => row.key),
        (text, at) => `${text}-${at}`,
      ),
    }
    const owner = actor.reach === 'customer' ? organizationId : actor.organizationId
    return addQuestionnaire(db, { ...copy, organizationId: owner, draft, scoring })
  },

  async versions({ db, input: { id } }) {
    await readQuestionnaire(db, id)
    const { rows } =
      await sql<QuestionnaireVersionSummary>`select ${versionColumns} from questionnaire_versions v
      where v.questionnaire_id = ${id} order by v.number desc`.execute(db)
    return QuestionnaireVersionSummary.array().parse(rows)
  },

  async version({ db, input: { id, number } }) {
    await readQuestionnaire(db, id)
    return readVersion(db, id, number)
  },

  async remove({ db, actor, input: { id } }) {
    const current = await lockQuestionnaire(db, id)
    requireOwn(actor, current)
    const removed = db.deleteFrom('questionnaires').where('id', '=', id).executeTakeFirst()
    await removed.catch((error: unknown) => {
      throw isViolation(error, 'foreign key')
        ? conflict('Assessments have used this questionnaire. Retire it instead, so that they stay readable.')
        : error
    })
    return null
  },
}

const versionColumns = sql`v.number, v.question_count as "questionCount", v.published_by as "publishedBy",
  ${instant(sql`v.published_at`)} as "publishedAt"`

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
export async function addQuestionnaire(
  db: Database,
  { scoring = NO_SCORING, ...input }: Received<typeof questionnaires.add>,
): Promise<Questionnaire> {
  const { id } = await explainRefusal(
    db
      .insertInto('questionnaires')
      .values({ ...columns.write({ ...input, scoring }), ...describe({ draft: input.draft, scoring }) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readQuestionnaire(db, id)
}

/** Publishes the draft as the next version. @throws Failure 400 with its errors, 409 if no draft is open */
export async function publishQuestionnaire(db: Database, current: Questionnaire): Promise<Questionnaire> {
  const { id, draft, scoring, publishedNumber } = current
  if (!current.hasDraft) throw conflict('There is no draft to publish. Open a new draft first.')
  const errors = checkQuestionnaire(current).faults.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first !== undefined) {
    const field = first.path[0] === 'scoring' ? 'scoring' : 'draft'
    const place = first.question ?? first.section
    const more = errors.length === 1 ? '' : ` There are ${errors.length - 1} more.`
    throw refused('This questionnaire has errors. Correct them and publish again.', {
      [field]: `${place === null ? '' : `${place}: `}${first.message}${more}`,
    })
  }
  if (publishedNumber !== null) {
    const former = await readVersion(db, id, publishedNumber)
    refuseSilentConsents(former.definition, draft)
  }
  const number = (publishedNumber ?? 0) + 1
  await db
    .insertInto('questionnaireVersions')
    .values({
      questionnaireId: id,
      number,
      definition: JSON.stringify(draft),
      scoring: JSON.stringify(scoring),
      questionCount: current.questionCount,
    })
    .execute()
  await db
    .updateTable('questionnaires')
    .set({ publishedNumber: number, hasDraft: false, retiredAt: null })
    .where('id', '=', id)
    .execute()
  return readQuestionnaire(db, id)
}

/** @throws Failure 400 if the text of a consent changed under the version that people have agreed to. */
function refuseSilentConsents(before: Definition, after: Definition): void {
  const changed = consentsWithoutNewVersion(before, after)
  if (changed.length === 0) return
  throw refused('This questionnaire has errors. Correct them and publish again.', {
    draft: `The text of ${changed.join(', ')} changed. Give it a new version, so that there is a record of what people agreed to.`,
  })
}

async function setRetired(db: Database, id: string, { isRetired }: { isRetired: boolean }): Promise<void> {
  await db
    .updateTable('questionnaires')
    .set({ retiredAt: isRetired ? sql`app_now()` : null })
    .where('id', '=', id)
    .execute()
}

/** The first of `text`, `text 2`, `text 3` … that isn't taken, ignoring case. */
function firstFree(
  text: string,
  taken: readonly string[],
  numbered: (text: string, at: number) => string,
): string {
  const isTaken = (name: string) => taken.includes(name.toLowerCase())
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? text : numbered(text, at)
    if (!isTaken(name)) return name
  }
}

/** @throws Failure 404 */
async function lockQuestionnaire(db: Database, id: string): Promise<Questionnaire> {
  await sql`select from questionnaires where id = ${id} for update`.execute(db)
  return readQuestionnaire(db, id)
}

/** @throws Failure 404 */
export async function readQuestionnaire(db: Database, id: string): Promise<Questionnaire> {
  const { rows } = await sql<Questionnaire>`select ${columns.select} from ${questionnaireSource.from}
    where questionnaires.id = ${id}`.execute(db)
  const [questionnaire] = rows
  if (questionnaire === undefined) throw notFound('Questionnaire')
  return questionnaireRecord.schema.parse(questionnaire)
}

/** @throws Failure 404 */
export async function readVersion(db: Database, id: string, number: number): Promise<QuestionnaireVersion> {
  const { rows } = await sql<QuestionnaireVersion>`select ${versionColumns}, v.definition, v.scoring
    from questionnaire_versions v where v.questionnaire_id = ${id} and v.number = ${number}`.execute(db)
  const [version] = rows
  if (version === undefined) throw notFound('Version')
  return QuestionnaireVersion.parse(version)
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (brokenKey(error) === 'questionnaires_customer_id_key_key') {
      throw conflict('Another questionnaire already has this key.', { key: 'This key is already in use.' })
    }
    if (isViolation(error, 'unique')) {
      throw conflict('Another questionnaire already has this name.', { name: 'This name is already in use.' })
    }
    if (isViolation(error, 'foreign key')) {
      throw refused('Some fields are invalid.', { organizationId: 'Choose an organization that exists.' })
    }
    throw error
  }
}
