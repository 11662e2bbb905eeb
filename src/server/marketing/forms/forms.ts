import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { type Form, FORM_LIST, FormVersion, formRecord, type forms } from '#contract/marketing/forms/forms.ts'
import { silentConsents } from '#contract/questions/changes.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { clock } from '#server/clock.ts'
import { checkForm, formFaults } from '#contract/marketing/forms/check-form.ts'
import { formPriceFaults, type ShownTexts } from '#contract/marketing/forms/form-prices.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { documentTable } from '#server/documents/document-table.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { findUses, type Use } from '#server/lists/uses.ts'
import type { Secrets } from '#server/secrets.ts'
import { sellerOf } from './open-form.ts'
import { readReceiver } from './public-forms.ts'
import { writeTestMark } from './test-link.ts'

const status = sql<Form['status']>`case when forms.closed_at is not null then 'closed'
  when forms.published_number is not null then 'published' else 'draft' end`
/** Row level security limits the count to what the reader reaches. */
const submissions = sql<number>`(select count(*)::int from form_submissions s where s.customer_id = forms.customer_id
  and s.form_id = forms.id and s.state <> 'quarantined' and not s.is_test)`

const versionColumns = sql`v.definition,
  (select count(*)::int from form_submissions s where s.customer_id = v.customer_id and s.form_id = v.form_id
    and s.form_number = v.number and s.state <> 'quarantined' and not s.is_test) as submissions`

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

/** A short URL would lead nowhere without its form. */
const FORM_USES: readonly Use[] = [
  { nouns: ['short URL', 'short URLs'], from: sql`select form_id, name from short_urls` },
]

const document = documentTable({
  noun: 'form',
  subject: 'questions',
  table: 'forms',
  schema: formRecord.schema,
  from: formSource.from,
  columns: formColumns,
  content: formRecord.schema.pick({ draft: true, leadFields: true }),
  versions: {
    table: 'formVersions',
    of: 'form_id',
    kept: { draft: 'definition', leadFields: 'lead_fields' },
    listed: [FormVersion, versionColumns],
    whole: [FormVersion, versionColumns],
  },
  withdrawn: 'closedAt',
  constraints: {
    forms_customer_id_key_key: {
      message: 'Another form already has this address.',
      fields: { key: 'This address is already in use.' },
    },
    forms_customer_id_name_key_key: {
      message: 'Another form already has this name.',
      fields: { name: 'This name is already in use.' },
    },
  },
  references: { lotId: 'Choose a lot that exists.' },
  requireOwn,
  async requireOwner(db, actor, { lotId }: Received<typeof forms.update>) {
    if (lotId !== undefined) await requireLot(db, actor, lotId)
  },
  derive: refuseTexts,
  check(form, published) {
    const errors = checkForm(form)
    return Object.keys(errors).length > 0 ? errors : silentConsents(published?.draft, form.draft)
  },
  uses: FORM_USES,
  inUse: 'This form has submissions. Close it instead, so that they stay readable.',
})
/** Pages and layouts name a form by its address. @throws Failure 409 that names them, if it would change */
async function requireKeyUnused(db: Database, id: string, key: string): Promise<void> {
  const { rows } = await sql<{ key: string }>`select key from forms where id = ${id}`.execute(db)
  if (rows[0] === undefined || rows[0].key === key) return
  const used = (await findUses(db, { noun: 'form', table: 'forms', key: 'key' }, [id])).get(id)
  if (used !== undefined) throw conflict(used, { key: `${used} Then change its address.` })
}

/** Adds a form, and publishes the draft of one as its next version. */
export const { add: addForm, publish: publishForm } = document
const { get, update, publish, versions, remove } = document.handlers

/**
 * The customer's forms. Users of one organization manage those whose lot is theirs; forms without a lot are for all
 * organizations.
 */
export const formHandlers = (secrets: Secrets): Handlers<typeof forms> => ({
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, formSource, input)
    const { rows } = await sql<Form>`select ${formColumns.select} from ${formSource.from}
      where forms.customer_id = ${actor.customerId} and ${isOneOf(formSource, ids)}`.execute(db)
    return { ...counts, results: formRecord.schema.array().parse(inOrder(ids, rows)) }
  },

  get,

  async add({ db, actor, input }) {
    await requireLot(db, actor, input.lotId ?? null)
    return document.add(db, input)
  },

  async update(call) {
    const { db, input } = call
    if (input.key !== undefined) await requireKeyUnused(db, input.id, input.key)
    return update(call)
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

  publish,

  close: document.setting(({ status: now }) => {
    if (now === 'draft') throw conflict('This form was never published.')
    return now === 'published' ? { closedAt: sql`app_now()` } : null
  }),

  async testLink({ db, actor, input: { id } }) {
    const form = await db
      .selectFrom('forms')
      .select(['key', 'publishedNumber'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (form === undefined) throw notFound('Form')
    if (form.publishedNumber === null) throw conflict('This form was never published.')
    const { mark, endsAt } = writeTestMark(secrets, { customerId: actor.customerId, id })
    return { path: `/f/${form.key}?test=${mark}`, endsAt: endsAt.toISOString() }
  },

  versions,
  remove,
})

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

/** @throws Failure 400 if the automatic reply has only a subject or only a text, or a text names a price. */
function refuseTexts(texts: ShownTexts): object {
  const { replySubject = null, replyText = null } = texts
  const half =
    replySubject === null
      ? { replySubject: 'Enter a subject, or remove the text of the automatic reply.' }
      : { replyText: 'Enter a text, or remove the subject of the automatic reply.' }
  const errors = {
    ...formPriceFaults(texts),
    ...((replySubject === null) !== (replyText === null) && half),
  }
  if (Object.keys(errors).length > 0) throw refused('Some fields are invalid.', errors)
  return {}
}
