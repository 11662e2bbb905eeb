import { sql } from 'kysely'
import { type AnswerEvidence, MAX_EVIDENCE } from '#contract/assessments/answers/answer-evidence.ts'
import type { assessmentAnswers } from '#contract/assessments/answers/answers.ts'
import { isAnswerable } from '#contract/assessments/assessments/target-states.ts'
import type { Received } from '#contract/endpoint.ts'
import { receiveEvidence, type SentEvidence, type StoredUpload } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { lockTargetContext, readTargetContext, type TargetContext } from '../assessments/target-context.ts'
import { type Answerer, readAnswerScope } from './answer-scope.ts'
import { readEvidence, readOneEvidence } from './evidence-rows.ts'
import { readPinnedVersion } from './pinned-version.ts'

const INVALID = 'Some fields are invalid.'

/** The folder of evidence files. The leading underscore keeps the file manager from using it. */
export const evidencePlace = (customerId: string, storedAs: string): StoragePath => [
  customerId,
  '_assessment-evidence',
  storedAs,
]

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type NewEvidence = {
  by: Answerer
  customerId: string
  targetId: string
  questionCode?: string | undefined
  sent: SentEvidence
}

/**
 * Stores evidence for a target: all files of an upload, or none.
 * @throws Failure 400 and 413 for files that aren't accepted, 403 and 409 if the sender can't answer now
 */
export async function addTargetEvidence(
  storage: FileStorage,
  within: Within,
  { by, customerId, targetId, questionCode, sent }: NewEvidence,
): Promise<AnswerEvidence[]> {
  await within(async (db) => requireUploader(db, await readTargetContext(db, targetId), by, questionCode))
  const uploads = await receiveEvidence(storage, (storedAs) => evidencePlace(customerId, storedAs), sent)
  for (const { file } of uploads) {
    // oxlint-disable-next-line no-await-in-loop
    await file.publish({ replaces: false })
  }
  try {
    return await within((db) => insertEvidence(db, { by, targetId, questionCode, uploads }))
  } catch (error) {
    await storage.remove(uploads.map(({ storedAs }) => evidencePlace(customerId, storedAs)))
    throw error
  }
}

type Inserted = {
  by: Answerer
  targetId: string
  questionCode: string | undefined
  uploads: readonly StoredUpload[]
}

async function insertEvidence(
  db: Database,
  { by, targetId, questionCode, uploads }: Inserted,
): Promise<AnswerEvidence[]> {
  const target = await lockTargetContext(db, targetId)
  await requireUploader(db, target, by, questionCode)
  const { organizationId } = target
  const added = await db
    .insertInto('assessmentEvidence')
    .values(
      uploads.map(({ name, storedAs, type, size, sha256 }) => ({
        organizationId,
        targetId,
        name,
        storedAs,
        type,
        size: String(size),
        sha256,
        userId: by.userId,
        participantId: by.participantId,
        addedBy: by.name,
      })),
    )
    .returning('id')
    .execute()
  if (questionCode !== undefined) {
    await db
      .insertInto('assessmentEvidenceLinks')
      .values(added.map(({ id }) => ({ organizationId, evidenceId: id, targetId, questionCode })))
      .execute()
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from assessment_evidence where target_id = ${targetId} and removed_at is null`.execute(
    db,
  )
  if ((rows[0]?.count ?? 0) > MAX_EVIDENCE) throw conflict(`A target can have at most ${MAX_EVIDENCE} files.`)
  const ids = new Set(added.map(({ id }) => id))
  return (await readEvidence(db, target)).filter(({ id }) => ids.has(id))
}

/** @throws Failure 403 if someone may not answer, 409 if the answers can't be changed now, 400 for an unknown question */
async function requireUploader(
  db: Database,
  target: TargetContext,
  by: Answerer,
  questionCode: string | undefined,
): Promise<void> {
  const { compiled } = await readPinnedVersion(db, target)
  if (questionCode !== undefined && !compiled.byCode.has(questionCode))
    throw refused(INVALID, { questionCode: 'Choose a question of this questionnaire.' })
  const scope = await readAnswerScope(db, target, by, (code) => compiled.byCode.get(code)?.section.id)
  const mayUpload =
    questionCode === undefined
      ? [...compiled.byCode.keys()].some((code) => scope.mayAnswer(code, ''))
      : scope.mayAnswer(questionCode, '')
  if (!mayUpload) throw forbidden('This is assigned to someone else.')
  if (target.status !== 'open' || !isAnswerable(target.state))
    throw conflict("The answers were submitted and can't be changed.")
}

/** Changes what is known of a file, and the questions of one target that it supports. @throws Failure 400, 403, 404, 409 */
export async function updateEvidence(
  db: Database,
  by: Answerer,
  { id, targetId, questionCodes, ...changes }: Received<typeof assessmentAnswers.updateEvidence>,
): Promise<AnswerEvidence> {
  const target = await lockTargetContext(db, targetId)
  const current = await readOneEvidence(db, target, id)
  await requireUploader(db, target, by, undefined)
  const start = changes.periodStart === undefined ? current.periodStart : changes.periodStart
  const end = changes.periodEnd === undefined ? current.periodEnd : changes.periodEnd
  if (start !== null && end !== null && end < start)
    throw refused(INVALID, { periodEnd: 'The period ends before it starts.' })
  if (Object.values(changes).some((value) => value !== undefined)) {
    await db.updateTable('assessmentEvidence').set(changes).where('id', '=', id).execute()
  }
  if (questionCodes !== undefined) {
    const { compiled } = await readPinnedVersion(db, target)
    if (questionCodes.some((code) => !compiled.byCode.has(code)))
      throw refused(INVALID, { questionCodes: 'Choose questions of this questionnaire.' })
    await db
      .deleteFrom('assessmentEvidenceLinks')
      .where('evidenceId', '=', id)
      .where('targetId', '=', targetId)
      .execute()
    const codes = [...new Set(questionCodes)]
    if (codes.length > 0) {
      await db
        .insertInto('assessmentEvidenceLinks')
        .values(
          codes.map((questionCode) => ({
            organizationId: target.organizationId,
            evidenceId: id,
            targetId,
            questionCode,
          })),
        )
        .execute()
    }
  }
  return readOneEvidence(db, target, id)
}

/** Removes a file that no submitted answers rely on. @throws Failure 403, 404, 409 */
export async function removeEvidence(db: Database, by: Answerer, id: string): Promise<void> {
  const { targetId } = await findEvidence(db, id)
  const target = await lockTargetContext(db, targetId)
  await requireUploader(db, target, by, undefined)
  const { rows } = await sql`
    select from assessment_evidence_links l join assessment_targets t on t.customer_id = l.customer_id and t.id = l.target_id
    where l.evidence_id = ${id} and t.state in ('submitted', 'in_review', 'approved', 'closed') limit 1`.execute(
    db,
  )
  if (rows.length > 0) throw conflict("Submitted answers rely on this file, so it can't be removed.")
  await sql`update assessment_evidence set removed_at = app_now() where id = ${id}`.execute(db)
  await db.deleteFrom('assessmentEvidenceLinks').where('evidenceId', '=', id).execute()
}

/** @throws Failure 404 */
export async function findEvidence(
  db: Database,
  id: string,
): Promise<{ name: string; type: string; storedAs: string; targetId: string }> {
  const { rows } = await sql<{ name: string; type: string; storedAs: string; targetId: string }>`
    select name, type, stored_as::text, target_id::text from assessment_evidence
    where id = ${id} and removed_at is null`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('File')
  return found
}
