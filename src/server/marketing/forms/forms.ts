import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { type Form, FORM_LIST, FormVersion, formRecord, type forms } from '#contract/marketing/forms/forms.ts'
import { consentsWithoutNewVersion } from '#contract/questions/changes.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { clock } from '#server/clock.ts'
import { checkForm, formFaults } from '#contract/marketing/forms/check-form.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { sellerOf } from './open-form.ts'
import { readReceiver } from './public-forms.ts'

const status = sql<Form['status']>`case when forms.closed_at is not null then 'closed'
  when forms.published_number is not null then 'published' else 'draft' end`
/** Row level security limits the count to what the reader reaches. */
const submissions = sql<number>`(select count(*)::int from form_submissions s where s.customer_id = forms.customer_id
  and s.form_id = forms.id and s.state <> 'quarantined' and not s.is_test)`

const formColumns = columnMap(formRecord, 'forms', {
  id: 'id',
  lotId: 'id',
  draft: 'json',
  leadFields: 'json',
  translations: 'json',
  status,
  publishedAt: instant(sql`v.published_at`),
  hasChanges: sql`v.number is null or forms.draft <> v.definition or forms.lead_fields <> v.lead_fields`,
  submissions,
  updatedAt: 'instant',
})

/** The forms of the customer; not restricted by organization. */
export const formSource: ListSource<keyof typeof FORM_LIST.fields> = {
  list: FORM_LIST,
  from: sql`forms left join form_versions v on v.customer_id = forms.customer_id and v.form_id = forms.id
    and v.number = forms.published_number`,
  table: sql`forms`,
  within: (actor) => sql`forms.customer_id = ${actor.customerId}`,
  id: sql`forms.id`,
  title: sql`forms.name`,
  fields: formColumns.listFields(FORM_LIST, {
    name: { order: sql`forms.name_key`, isNeverNull: true },
    key: { isNeverNull: true },
    status: { value: status, isNeverNull: true },
    submissions: { value: submissions, isNeverNull: true },
    publishedAt: { value: sql`v.published_at`, joins: 'value' },
    updatedAt: { isNeverNull: true },
  }),
  search: (text) => contains([sql.ref('forms.name'), sql.ref('forms.key')], text),
}

/**
 * The customer's forms. Users of one organization manage those whose lot is theirs; forms without a lot are for all
 * organizations.
 */
export const formHandlers: Handlers<typeof forms> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, formSource, input)
    return { ...counts, results: await readForms(db, actor, ids) }
  },

  get: ({ db, input }) => readForm(db, input.id),

  async add({ db, actor, input }) {
    await requireLot(db, actor, input.lotId ?? null)
    return addForm(db, input)
  },

  async update({ db, actor, input: { id, version, ...changes } }) {
    const current = await lockForm(db, id)
    await requireOwn(db, actor, current)
    if (changes.lotId !== undefined) await requireLot(db, actor, changes.lotId)
    if (version !== undefined && version !== current.version) throw stale('This form', current)
    refuseHalfReply({ ...current, ...changes })
    await explainRefusal(
      db
        .updateTable('forms')
        .set({ version: sql`version`, ...formColumns.write(changes) })
        .where('id', '=', id)
        .execute(),
    )
    return readForm(db, id)
  },

  async tryOut({ db, actor, input: { draft, answers, language, lotId = null } }) {
    const fault = formFaults(draft).find(({ severity }) => severity === 'error')
    if (fault !== undefined) {
      throw refused('Correct the problems of the form to try it.', { draft: fault.message })
    }
    const receiver = await readReceiver(db, actor, { lotId })
    const seller = receiver && sellerOf(receiver)
    const { problems, progress } = evaluateAnswers(compileDefinition(draft), answers, {
      language,
      now: clock.date(),
      zone: receiver?.zone ?? actor.timeZone,
      setAside: true,
      ...(seller !== null && { seller }),
    })
    return { evaluation: { problems: [...problems] }, progress, seller }
  },

  async publish({ db, actor, input: { id, version } }) {
    const current = await lockForm(db, id)
    await requireOwn(db, actor, current)
    if (version !== current.version) throw stale('This form', current)
    return publishForm(db, current)
  },

  async close({ db, actor, input: { id } }) {
    const current = await lockForm(db, id)
    await requireOwn(db, actor, current)
    if (current.status === 'draft') throw conflict('This form was never published.')
    if (current.status === 'published') {
      await db
        .updateTable('forms')
        .set({ closedAt: sql`app_now()` })
        .where('id', '=', id)
        .execute()
    }
    return readForm(db, id)
  },

  async versions({ db, input: { id } }) {
    await readForm(db, id)
    const { rows } = await sql<FormVersion>`
      select v.number, v.definition, ${instant(sql`v.published_at`)} as published_at, v.published_by,
        (select count(*)::int from form_submissions s where s.customer_id = v.customer_id and s.form_id = v.form_id
          and s.form_number = v.number and s.state <> 'quarantined' and not s.is_test) as submissions
      from form_versions v where v.form_id = ${id} order by v.number desc`.execute(db)
    return FormVersion.array().parse(rows)
  },

  async remove({ db, actor, input: { id } }) {
    const current = await lockForm(db, id)
    await requireOwn(db, actor, current)
    const removed = db.deleteFrom('forms').where('id', '=', current.id).returning('id').executeTakeFirst()
    await removed.catch((error: unknown) => {
      throw isViolation(error, 'foreign key')
        ? conflict('This form has submissions. Close it instead, so that they stay readable.')
        : error
    })
    return null
  },
}

/** @throws Failure 403 if the form belongs to a lot that the user can't reach, or to all organizations. */
async function requireOwn(db: Database, actor: Member, { lotId }: Form): Promise<void> {
  if (actor.reach === 'customer') return
  if (lotId !== null && (await isVisible(db, actor, lotId))) return
  throw forbidden(
    'This form belongs to other organizations. Only users with access to the whole customer can change it.',
  )
}

/** @throws Failure 403 if a user of one organization names no lot, 400 for a lot that is unknown or out of reach. */
async function requireLot(db: Database, actor: Member, lotId: string | null): Promise<void> {
  if (lotId === null) {
    if (actor.reach === 'customer') return
    throw forbidden(
      'Forms for all organizations are managed by users with access to the whole customer. Choose your lot.',
    )
  }
  if (!(await isVisible(db, actor, lotId)))
    throw refused('Some fields are invalid.', { lotId: 'Choose a lot that exists.' })
}

async function isVisible(db: Database, { customerId }: Member, lotId: string): Promise<boolean> {
  const found = await db
    .selectFrom('lots')
    .select('id')
    .where('customerId', '=', customerId)
    .where('id', '=', lotId)
    .executeTakeFirst()
  return found !== undefined
}

/** Adds a form. @throws Failure 409 if its name or address is in use. */
export async function addForm(db: Database, input: Received<typeof forms.add>): Promise<Form> {
  refuseHalfReply(input)
  const { id } = await explainRefusal(
    db.insertInto('forms').values(formColumns.write(input)).returning('id').executeTakeFirstOrThrow(),
  )
  return readForm(db, id)
}

/** Publishes the draft of a form as its next version. @throws Failure 400 with its errors */
export async function publishForm(db: Database, form: Form): Promise<Form> {
  const errors = checkForm(form)
  if (Object.keys(errors).length > 0)
    throw refused('This form has errors. Correct them and publish again.', errors)
  await refuseSilentConsents(db, form)
  const number = (form.publishedNumber ?? 0) + 1
  if (form.hasChanges) {
    await db
      .insertInto('formVersions')
      .values({
        formId: form.id,
        number,
        definition: JSON.stringify(form.draft),
        leadFields: JSON.stringify(form.leadFields),
      })
      .execute()
  }
  await db
    .updateTable('forms')
    .set({ closedAt: null, ...(form.hasChanges && { publishedNumber: number }) })
    .where('id', '=', form.id)
    .execute()
  return readForm(db, form.id)
}

/** @throws Failure 400 if the text of a consent changed under the version that people have agreed to. */
async function refuseSilentConsents(db: Database, { id, draft, publishedNumber }: Form): Promise<void> {
  if (publishedNumber === null) return
  const { rows } = await sql<{ definition: unknown }>`
    select definition from form_versions where form_id = ${id} and number = ${publishedNumber}`.execute(db)
  const changed = consentsWithoutNewVersion(Definition.parse(rows[0]?.definition), draft)
  if (changed.length === 0) return
  throw refused('This form has errors. Correct them and publish again.', {
    draft: `The text of ${changed.join(', ')} changed. Give it a new version, so that there is a record of what people agreed to.`,
  })
}

/** @throws Failure 400 if the automatic reply has only a subject or only a text. */
function refuseHalfReply({
  replySubject = null,
  replyText = null,
}: {
  replySubject?: string | null | undefined
  replyText?: string | null | undefined
}): void {
  if ((replySubject === null) === (replyText === null)) return
  throw refused(
    'Some fields are invalid.',
    replySubject === null
      ? { replySubject: 'Enter a subject, or remove the text of the automatic reply.' }
      : { replyText: 'Enter a text, or remove the subject of the automatic reply.' },
  )
}

/** @throws Failure 404 */
async function lockForm(db: Database, id: string): Promise<Form> {
  await sql`select from forms where id = ${id} for update`.execute(db)
  return readForm(db, id)
}

/** @throws Failure 404 */
async function readForm(db: Database, id: string): Promise<Form> {
  const { rows } =
    await sql<Form>`select ${formColumns.select} from ${formSource.from} where forms.id = ${id}`.execute(db)
  const [form] = rows
  if (form === undefined) throw notFound('Form')
  return formRecord.schema.parse(form)
}

async function readForms(db: Database, actor: Member, ids: readonly string[]): Promise<Form[]> {
  const { rows } = await sql<Form>`select ${formColumns.select} from ${formSource.from}
    where forms.customer_id = ${actor.customerId} and ${isOneOf(formSource, ids)}`.execute(db)
  return formRecord.schema.array().parse(inOrder(ids, rows))
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (brokenKey(error) === 'forms_customer_id_key_key') {
      throw conflict('Another form already has this address.', { key: 'This address is already in use.' })
    }
    if (isViolation(error, 'unique')) {
      throw conflict('Another form already has this name.', { name: 'This name is already in use.' })
    }
    if (isViolation(error, 'foreign key')) {
      throw refused('Some fields are invalid.', { lotId: 'Choose a lot that exists.' })
    }
    throw error
  }
}
