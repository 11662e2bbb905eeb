import { sql } from 'kysely'
import type { FileAnswer } from '#contract/questions/answers.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { sweepFiles } from '#server/files/index.ts'
import { notFound } from '#server/http/failure.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { StagedFile, StoragePath } from '#server/outside/file-storage.ts'
import type { PublicForm, Receiver } from './public-forms.ts'

/** A file that was received completely, and isn't visible before it is published. */
export type SentFile = Readonly<{
  question: string
  name: string
  storedAs: string
  type: string
  size: number
  sha256: string
  file: StagedFile
}>
/** The files of a page, by the code of their question. */
export type PageFiles = Readonly<Record<string, readonly FileAnswer[]>>

/** A page of a form that a visitor has open. */
type PageOf = { form: PublicForm; pageKey: string }

/** Bytes of the files of a customer that belong to no accepted submission. */
export const MAX_UNCLAIMED_BYTES = 2_000_000_000

/** The folder of files of forms. The leading underscore keeps the file manager from using it. */
const FOLDER = '_form-files'
export const folderOfFormFiles = (customerId: string): StoragePath => [customerId, FOLDER]
export const formFilePlace = (customerId: string, storedAs: string): StoragePath => [
  ...folderOfFormFiles(customerId),
  storedAs,
]

/**
 * Makes room for files of a page that are about to be noted: the oldest ones without an accepted submission are deleted, those
 * that came without a proof of work first. Each file counts once, however many rows name it. Their bytes are removed by the sweep.
 */
async function makeRoomForFiles(db: Database, { form, pageKey }: PageOf, bytes: number): Promise<void> {
  const { customerId } = form
  await acquireAdvisoryLock(db, `room for form files ${customerId}`)
  const unclaimed = sql`select f.stored_as, max(f.size) as size, bool_and(f.is_proven) as is_proven, min(f.added_at) as added_at,
      bool_or(f.page_key = ${pageKey}) as is_of_page
    from form_files f left join form_submissions s on s.customer_id = f.customer_id and s.id = f.submission_id
    where f.customer_id = ${customerId} group by f.stored_as having not bool_or(coalesce(s.state = 'received', false))`
  // The newest ones that fit stay.
  await sql`
    with kept as (
      select u.stored_as, sum(u.size) over (order by u.is_of_page desc, u.is_proven desc, u.added_at desc, u.stored_as) as bytes
      from (${unclaimed}) u
    ), gone as (
      delete from form_files f using kept where f.stored_as = kept.stored_as and kept.bytes > ${MAX_UNCLAIMED_BYTES - bytes}
      returning f.submission_id
    )
    update form_submissions s set has_lost_files = true from gone where s.id = gone.submission_id`.execute(db)
}

/**
 * Notes the files of a page. The same file sent again, as by a double-click, is the one that is already there.
 * @returns all files of the page
 */
export async function keepFormFiles(
  db: Database,
  { form, pageKey }: PageOf,
  { receiver, files, isProven }: { receiver: Receiver; files: readonly SentFile[]; isProven: boolean },
): Promise<{ files: PageFiles; sent: readonly { question: string; id: string }[] }> {
  const asksForFiles = form.compiled.questions.some(({ question }) => question.type === 'file')
  if (!asksForFiles && files.length === 0) return { files: {}, sent: [] }
  if (files.length > 0) {
    await makeRoomForFiles(
      db,
      { form, pageKey },
      files.reduce((all, { size }) => all + size, 0),
    )
    await db
      .insertInto('formFiles')
      .values(
        files.map(({ question, name, storedAs, type, size, sha256 }) => ({
          organizationId: receiver.organizationId,
          formId: form.id,
          pageKey,
          questionCode: question,
          name,
          storedAs,
          type,
          size: String(size),
          sha256,
          isProven,
        })),
      )
      .onConflict((on) => on.doNothing())
      .execute()
  }
  const { rows } = await sql<FileAnswer & { question: string; sha256: string }>`
    select question_code as question, stored_as::text as id, name, size::float8 as bytes, type as media_type, sha256
    from form_files
    where customer_id = ${form.customerId} and form_id = ${form.id} and page_key = ${pageKey} and submission_id is null
    order by form_files.id`.execute(db)
  const grouped = Object.groupBy(rows, ({ question }) => question)
  return {
    files: Object.fromEntries(
      Object.entries(grouped).map(([code, found = []]) => [
        code,
        found.map(({ id, name, bytes, mediaType }) => ({ id, name, bytes, mediaType })),
      ]),
    ),
    sent: files.flatMap(({ question, name, sha256 }) =>
      rows
        .filter((row) => row.question === question && row.name === name && row.sha256 === sha256)
        .map(({ id }) => ({ question, id })),
    ),
  }
}

/** Gives a submission the files that its answers name, and takes away those that they don't name anymore. */
export async function claimFormFiles(
  db: Database,
  { form, pageKey }: PageOf,
  { submissionId, answers }: { submissionId: string; answers: Readonly<Record<string, unknown>> },
): Promise<void> {
  const questions = form.compiled.questions.filter(({ question }) => question.type === 'file')
  if (questions.length === 0) return
  const ids = questions.flatMap(({ question: { code } }) => idsIn(answers[code]))
  await sql`
    delete from form_files where submission_id = ${submissionId} and stored_as <> all (${ids}::uuid[])`.execute(
    db,
  )
  await sql`
    insert into form_files (organization_id, form_id, page_key, submission_id, question_code, name, stored_as, type, size, sha256, is_proven)
    select s.organization_id, f.form_id, f.page_key, s.id, f.question_code, f.name, f.stored_as, f.type, f.size, f.sha256, f.is_proven
    from form_files f join form_submissions s on s.customer_id = f.customer_id and s.id = ${submissionId}
    where f.form_id = ${form.id} and f.page_key = ${pageKey} and f.submission_id is null and f.stored_as = any (${ids}::uuid[])
    on conflict do nothing`.execute(db)
}

const idsIn = (answer: unknown): string[] =>
  Array.isArray(answer)
    ? answer.flatMap((file: { id?: unknown }) => (typeof file.id === 'string' ? [file.id] : []))
    : []

/** How long files of a page that was not sent are kept. */
const PAGE_HOURS = 24

/**
 * Removes files of pages that were never sent, and those whose submission was deleted. Those of submissions stay as long as
 * these. @returns the number of files removed from storage
 */
export async function sweepFormFiles(parts: Parameters<typeof sweepFiles>[0], now?: number): Promise<number> {
  for (const { id } of await parts.iam.selectFrom('customers').select('id').execute()) {
    await inTenant(parts.pool, systemScope(id, 'form-file-sweep'), (db) =>
      sql`
      delete from form_files where submission_id is null and added_at < app_now() - ${PAGE_HOURS} * interval '1 hour'`.execute(
        db,
      ),
    )
  }
  const of: Parameters<typeof sweepFiles>[1] = {
    name: 'form-file-sweep',
    folderOf: folderOfFormFiles,
    readNamed: async (db) => {
      const rows = await db.selectFrom('formFiles').select('storedAs').execute()
      return rows.map(({ storedAs }) => storedAs)
    },
  }
  return sweepFiles(parts, of, now)
}

/** @throws Failure 404 */
export async function findFormFile(
  db: Database,
  id: string,
): Promise<{ name: string; type: string; storedAs: string }> {
  const { rows } = await sql<{ name: string; type: string; storedAs: string }>`
    select name, type, stored_as::text from form_files where id = ${id} and submission_id is not null`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw notFound('File')
  return found
}
