import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { senderOf } from '#contract/marketing/forms/lead-fields.ts'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { makeRoomForUnfinished, withdrawUnfinished } from '#server/leads/index.ts'
import { addLeadOfSubmission } from './submission-lead.ts'
import type { FollowUp } from './unfinished-forms.ts'
import type { PublicForm, Receiver } from './public-forms.ts'

/** The vehicle that a form is about, as the page showed it. */
export type AskedVehicle = Readonly<{ id: string; title: string; priceCents: number | null; path: string }>

/** What came with the answers. */
export type SentWith = Readonly<{
  language: string
  pageUrl: string | null
  referrer: string | null
  campaign: Readonly<Record<string, string>>
  senderAddress: string
  isTest?: boolean
}>

export type StoredSubmission = Readonly<{
  id: string
  sentKey: string
  isFinished: boolean
  answers: Readonly<Record<string, unknown>>
  suspicions: readonly Suspicion[]
  /** The lead that it became while it was unfinished. */
  leadId: string | null
  /** It became one, which may have been deleted since. */
  becameLead: boolean
}>

/** `sentKey`: for the next step. `isTrusted`: it isn't in quarantine, nor is its lead. `leadId`: of a new one that is finished. */
export type SavedSubmission = Readonly<{
  id: string
  sentKey: string
  isNew: boolean
  isTrusted: boolean
  leadId: string | null
}>

/** What the keys of all submissions of one page start with. */
export const pageKeyOf = (sentKey: string): string => sentKey.slice(0, 24)

/** Reads what was sent from this page before, and locks it against users who change it. */
export async function lockSubmission(
  db: Database,
  form: PublicForm,
  sentKey: string,
): Promise<StoredSubmission | null> {
  const { rows } = await sql<StoredSubmission>`
    select id::text, sent_key, finished_at is not null as is_finished, answers, suspicions, became_lead,
      (select l.id::text from leads l where l.customer_id = s.customer_id and l.submission_id = s.id) as lead_id
    from form_submissions s where customer_id = ${form.customerId} and form_id = ${form.id} and sent_key = ${sentKey} for update of s`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Where answers are stored: `stored` is changed, or null, and a new submission has this key. `isSame`: they are there already. */
export type SubmissionPlace = Readonly<{ sentKey: string; stored: StoredSubmission | null; isSame: boolean }>

/**
 * The same answers from the same page are stored once; other answers after the form was finished are a second submission, so
 * that neither is lost.
 */
export async function findPlace(
  db: Database,
  of: {
    form: PublicForm
    sentKey: string
    stored: StoredSubmission | null
    answers: Evaluation['answers']
  },
): Promise<SubmissionPlace> {
  const { form, sentKey, stored } = of
  const answers = JSON.stringify(of.answers)
  if (stored?.isFinished !== true) return { sentKey, stored, isSame: false }
  if (isDeepStrictEqual(stored.answers, JSON.parse(answers))) return { sentKey, stored, isSame: true }
  const hash = createHash('sha256').update(answers).digest('base64url').slice(0, 16)
  const otherKey = `${pageKeyOf(sentKey)}_${hash}`
  const other = await lockSubmission(db, form, otherKey)
  return { sentKey: otherKey, stored: other, isSame: other?.isFinished === true }
}

/** The promo page that a form was sent from, by its present or a former address; null if it was another page. */
async function findPromoPage(
  db: Database,
  { customerId }: PublicForm,
  pageUrl: string | null,
): Promise<string | null> {
  const slug = /^https?:\/\/[^/]+\/p\/([a-z0-9-]{1,60})(?:\?|$)/.exec(pageUrl ?? '')?.[1]
  if (slug === undefined) return null
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id::text, published_number is null as is_last from promo_pages where customer_id = ${customerId} and slug = ${slug}
      union all select page_id::text, false from promo_page_addresses where customer_id = ${customerId} and slug = ${slug}
    ) found order by is_last limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Stores a step of a form or all of it. */
export async function saveSubmission(
  db: Database,
  of: {
    form: PublicForm
    receiver: Receiver
    vehicle: AskedVehicle | null
    place: SubmissionPlace
    evaluation: Evaluation
    isFinished: boolean
    /** Of an unfinished one: the step that was sent, and when it becomes a lead. */
    progress: Readonly<{ step: number; steps: number }> & FollowUp
    suspicions: readonly Suspicion[]
    /** What is wrong with the answers, of a form that could not be checked while its sender waited. */
    checkNote?: string | null
    /** If it was received before now. */
    receivedAt?: Date | null
    sent: SentWith
  },
): Promise<SavedSubmission> {
  const { form, evaluation, isFinished } = of
  const { stored, sentKey, isSame } = of.place
  const receivedAt = of.receivedAt?.toISOString() ?? sql<string>`app_now()`
  const suspicions = [...new Set([...(stored?.suspicions ?? []), ...of.suspicions])]
  // Someone may work on its lead already.
  const isTrusted = suspicions.length === 0 || (stored?.isFinished === false && stored.leadId !== null)
  if (isSame && stored !== null) return { id: stored.id, sentKey, isNew: false, isTrusted, leadId: null }
  const { step, steps, minutesUntilLead, isRefused } = of.progress
  const isDeleted = stored !== null && stored.becameLead && stored.leadId === null
  const isDue = !isFinished && isTrusted && !isDeleted && minutesUntilLead !== null
  const trusted = isFinished ? 'received' : 'unfinished'
  const state = isTrusted ? trusted : 'quarantined'
  const { name, email, phone, comments } = senderOf(evaluation.answers, form.leadFields)
  const content = {
    state,
    suspicions,
    senderName: name,
    senderEmail: email,
    senderPhone: phone,
    comments,
    answers: JSON.stringify(evaluation.answers),
    computed: JSON.stringify(evaluation.computed),
    consents: JSON.stringify(evaluation.consents),
    checkNote: of.checkNote ?? null,
    step: isFinished ? null : step,
    steps: isFinished ? null : steps,
    leadDueAt: isDue ? sql<string>`app_now() + ${minutesUntilLead} * interval '1 minute'` : null,
    ...(isFinished && { finishedAt: receivedAt }),
  } as const
  // A finished submission and its lead are stored together, or neither.
  const saved = async (id: string): Promise<SavedSubmission> => ({
    id,
    sentKey,
    isNew: isFinished,
    isTrusted,
    leadId: isFinished ? await addLeadOfSubmission(db, id) : null,
  })
  if (stored !== null) {
    if (!isFinished && isRefused && stored.leadId !== null) await withdrawUnfinished(db, stored.leadId)
    await db
      .updateTable('formSubmissions')
      .set({ ...content, sentAt: receivedAt })
      .where('id', '=', stored.id)
      .execute()
    return saved(stored.id)
  }
  const { receiver, vehicle, sent } = of
  const added = await db
    .insertInto('formSubmissions')
    .values({
      ...content,
      sentAt: receivedAt,
      organizationId: receiver.organizationId,
      formId: form.id,
      formNumber: form.number,
      sentKey,
      lotId: receiver.lotId,
      vehicleId: vehicle?.id ?? null,
      vehicleTitle: vehicle?.title ?? null,
      vehiclePriceCents: vehicle?.priceCents?.toString() ?? null,
      language: sent.language,
      pageUrl: sent.pageUrl,
      referrer: sent.referrer,
      campaign: JSON.stringify(sent.campaign),
      senderAddress: sent.senderAddress,
      isTest: sent.isTest ?? false,
      promoPageId: await findPromoPage(db, form, sent.pageUrl),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!isTrusted && !isFinished) await makeRoomForUnfinished(db, sent.senderAddress)
  return saved(added.id)
}
