import { type RawBuilder, sql } from 'kysely'
import type { SubmissionFile } from '#contract/files/submission-file.ts'

/** The files that came with a submission, as JSON: `customer` and `submission` are columns of the statement. */
export const submissionFiles = (customer: string, submission: string): RawBuilder<SubmissionFile[]> =>
  sql<
    SubmissionFile[]
  >`(select coalesce(json_agg(json_build_object('id', ff.id::text, 'question', ff.question_code, 'name', ff.name,
    'type', ff.type, 'bytes', ff.size) order by ff.id), '[]') from form_files ff
    where ff.customer_id = ${sql.ref(customer)} and ff.submission_id = ${sql.ref(submission)})`
