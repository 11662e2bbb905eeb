import { sql } from 'kysely'
import type pg from 'pg'
import { senderOf } from '#contract/marketing/forms/lead-fields.ts'
import type { Evaluation } from '#contract/questions/evaluate.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { PublicForm } from './public-forms.ts'
import { addLeadOfSubmission } from './submission-lead.ts'

/** Forms of one customer per round; then the next customer has its turn. */
const BATCH = 100

/** What becomes of a form that is left after this step. `isRefused`: its sender doesn't want to be contacted. */
export type FollowUp = Readonly<{ minutesUntilLead: number | null; isRefused: boolean }>

/**
 * After how many minutes a form that was left after this step becomes a lead; null: never. It takes a page that said so, a way
 * to reach its sender, and every consent to being contacted that was asked for in `sections`, the steps that were sent.
 */
export function followUpOf(
  form: PublicForm,
  of: { evaluation: Evaluation; sections: readonly string[]; wasTold: boolean },
): FollowUp {
  const { evaluation, sections, wasTold } = of
  const { email, phone } = senderOf(evaluation.answers, form.leadFields)
  const isRefused = form.compiled.questions.some(
    ({ question, section }) =>
      question.type === 'consent' &&
      question.purpose === 'inquiry' &&
      sections.includes(section.id) &&
      evaluation.visible.includes(question.code) &&
      !evaluation.consents.some((consent) => consent.question === question.code && consent.isGiven),
  )
  const isReachable = email !== null || phone !== null
  return { minutesUntilLead: wasTold && isReachable && !isRefused ? form.unfinishedMinutes : null, isRefused }
}

/** Whether a form was left for long enough to become a lead. Reads with the queue's role, which sees no more. */
export async function hasDueForms(queue: pg.Pool): Promise<boolean> {
  const { rows } = await queue.query(
    'select from form_submissions where lead_due_at <= app_clock_timestamp() limit 1',
  )
  return rows.length > 0
}

/**
 * Makes leads of forms that were left. Safe to run at any time, even concurrently: each is locked and checked in its own
 * transaction, so that a server that is killed has made its lead or hasn't begun. One that fails doesn't keep the others.
 */
export async function takeDueForms({ queue, pool }: { queue: pg.Pool; pool: pg.Pool }): Promise<void> {
  const failed: unknown[] = []
  const { rows } = await queue.query<{ customer_id: string }>(
    `select customer_id::text from form_submissions where lead_due_at <= app_clock_timestamp()
      and customer_id <> all((select closed_customers())::bigint[]) group by customer_id order by min(lead_due_at)`,
  )
  for (const { customer_id: customerId } of rows) {
    const within = <T>(work: (db: Database) => Promise<T>) =>
      inTenant(pool, systemScope(customerId, 'forms.unfinished'), work)
    // oxlint-disable-next-line no-await-in-loop -- One customer after another.
    for (const id of await within(findDue)) {
      // oxlint-disable-next-line no-await-in-loop -- One form after another.
      await within((db) => takeForm(db, id)).catch((error: unknown) => failed.push(error))
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Unfinished forms could not become leads.')
}

/** The schedule that makes leads of forms that were left halfway. */
export const unfinishedForms = (parts: { queue: pg.Pool; pool: pg.Pool }) => ({
  name: 'unfinished-forms',
  everyMinutes: 1,
  hasWork: () => hasDueForms(parts.queue),
  run: () => takeDueForms(parts),
})

async function findDue(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from form_submissions where lead_due_at <= app_now() order by lead_due_at, id limit ${BATCH}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Makes the lead of a form, unless its sender or another server was faster, or the customer wants no such leads anymore. */
async function takeForm(db: Database, id: string): Promise<void> {
  const { rows } = await sql<{ isWanted: boolean }>`
    select s.state = 'unfinished' and s.finished_at is null
      and exists (select from lead_settings where unfinished_minutes is not null) as is_wanted
    from form_submissions s where s.id = ${id} and s.lead_due_at <= app_now() for update skip locked`.execute(
    db,
  )
  const [form] = rows
  if (form === undefined) return
  await db
    .updateTable('formSubmissions')
    .set({ leadDueAt: null, ...(form.isWanted && { becameLead: true }) })
    .where('id', '=', id)
    .execute()
  if (form.isWanted) await addLeadOfSubmission(db, id)
}
