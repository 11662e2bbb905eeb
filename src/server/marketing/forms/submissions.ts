import { sql } from 'kysely'
import {
  Submission,
  SUBMISSION_LIST,
  SubmissionRecord,
  type submissions,
} from '#contract/marketing/forms/submissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { Download } from '#server/http/kinds.ts'
import { discardLeads, lockLead, releaseLead, submissionFiles } from '#server/leads/index.ts'
import { findFormFile, formFilePlace } from './form-files.ts'
import { addLeadOfSubmission } from './submission-lead.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

const column = (name: string) => ({ value: sql.ref(`s.${name}`) })

/** The submissions within reach, with the names of forms and lots. */
export const submissionSource: ListSource<keyof typeof SUBMISSION_LIST.fields> = {
  list: SUBMISSION_LIST,
  from: sql`form_submissions s join forms f on f.customer_id = s.customer_id and f.id = s.form_id
    left join lots l on l.customer_id = s.customer_id and l.id = s.lot_id`,
  table: sql`form_submissions s`,
  within: (actor) => sql`s.customer_id = ${actor.customerId}`,
  id: sql`s.id`,
  title: sql`coalesce(s.sender_name, s.sender_email, s.sender_phone, 'Submission')`,
  fields: {
    senderName: column('sender_name'),
    formName: { value: sql`f.name`, order: sql`f.name_key`, joins: 'value', isNeverNull: true },
    vehicleTitle: column('vehicle_title'),
    lot: { value: sql`s.lot_id`, shown: sql`l.name`, joins: 'order' },
    state: { ...column('state'), isNeverNull: true },
    senderEmail: column('sender_email'),
    senderPhone: column('sender_phone'),
    comments: column('comments'),
    isTest: { ...column('is_test'), isNeverNull: true },
    sentAt: { ...column('sent_at'), isNeverNull: true },
  },
  search: (text) =>
    contains(
      ['sender_name', 'sender_email', 'sender_phone', 'vehicle_title', 'comments'].map((name) =>
        sql.ref(`s.${name}`),
      ),
      text,
    ),
}

const columns = sql`s.id::text, s.form_id::text, f.name as form_name, s.form_number, s.organization_id::text, s.lot_id::text,
  l.name as lot_name, s.vehicle_id::text, s.vehicle_title, s.vehicle_price_cents::float8 as vehicle_price_cents, c.currency,
  s.state, s.suspicions, s.is_test, s.sender_name, s.sender_email, s.sender_phone, s.comments,
  ${instant(sql`s.sent_at`)} as sent_at, s.version, ${instant(sql`s.updated_at`)} as updated_at, s.updated_by`
const from = sql`${submissionSource.from} join customers c on c.id = s.customer_id`

/** What visitors sent to the caller's organization, or to the whole customer for callers with customer reach. */
export const submissionHandlers = (storageOf: OutsideStorage): Handlers<typeof submissions> => ({
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, submissionSource, input)
    return { ...counts, results: await readSubmissions(db, actor, ids) }
  },

  get: ({ db, input }) => readSubmission(db, input.id),

  async release({ db, input: { id } }) {
    // The lead is locked before the submission, as when the lead is released.
    const { leadId } = await readSubmission(db, id)
    const lead = leadId === null ? null : await lockLead(db, leadId)
    await sql`select from form_submissions where id = ${id} for update`.execute(db)
    const current = await readSubmission(db, id)
    if (current.state !== 'quarantined') throw conflict('This submission is not in quarantine.')
    if (lead !== null) {
      await releaseLead(db, lead)
      return readSubmission(db, id)
    }
    const { finishedAt } = await db
      .updateTable('formSubmissions')
      .set({ state: sql`case when finished_at is null then 'unfinished' else 'received' end` })
      .where('id', '=', id)
      .returning('finishedAt')
      .executeTakeFirstOrThrow()
    if (finishedAt !== null) await addLeadOfSubmission(db, id)
    return readSubmission(db, id)
  },

  async download({ actor, inTenant, outside, input: { id } }) {
    const { name, type, storedAs } = await inTenant((db) => findFormFile(db, id))
    const file = await storageOf(outside).read(formFilePlace(actor.customerId, storedAs))
    if (file === null) throw notFound('File')
    return new Download({ name, type, body: file.body })
  },

  async remove({ db, input }) {
    const { id } = input
    await requireSeen(db, input, { table: 'formSubmissions', noun: 'submission', read: readSubmission })
    const { state, leadId } = await readSubmission(db, id)
    const isHeld = state === 'quarantined' && leadId !== null
    if (isHeld && (await discardLeads(db, [leadId])) > 0) return null
    const removed = await db
      .deleteFrom('formSubmissions')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Submission')
    return null
  },
})

async function readSubmissions(db: Database, actor: Member, ids: readonly string[]): Promise<Submission[]> {
  const { rows } = await sql<Submission>`select ${columns} from ${from}
    where s.customer_id = ${actor.customerId} and ${isOneOf(submissionSource, ids)}`.execute(db)
  return Submission.array().parse(inOrder(ids, rows))
}

/** @throws Failure 404 */
async function readSubmission(db: Database, id: string): Promise<SubmissionRecord> {
  const { rows } = await sql<SubmissionRecord>`
    select ${columns}, v.definition, s.answers, s.computed, s.consents, ${submissionFiles('s.customer_id', 's.id')} as files, s.has_lost_files, s.language, s.page_url, s.referrer, s.campaign, s.check_note, ${instant(sql`s.lead_due_at`)} as lead_due_at,
      (select l.id::text from leads l where l.customer_id = s.customer_id and l.submission_id = s.id) as lead_id
    from ${from} join form_versions v on v.customer_id = s.customer_id and v.form_id = s.form_id and v.number = s.form_number
    where s.id = ${id}`.execute(db)
  const [submission] = rows
  if (submission === undefined) throw notFound('Submission')
  return SubmissionRecord.parse(submission)
}
