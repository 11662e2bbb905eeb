import { sql } from 'kysely'
import { type AnswerEvidence, MAX_EVIDENCE } from '#contract/assessments/targets/answer-evidence.ts'
import type { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import type { Received } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { receiveEvidence, type SentEvidence, type StoredUpload } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import { lockTargetContext, readTargetContext, type TargetContext } from './target-context.ts'
import { type Answerer, readAnswerScope } from './answer-scope.ts'
import { readEvidence, readOneEvidence } from './evidence-rows.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { closureOf } from './save-answers.ts'

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
  /** Of an upload that a device may repeat. */
  uploadId?: string | undefined
  sent: SentEvidence
}

/**
 * Stores evidence for a target: all files of an upload, or none. An upload under an ID that was used before stores nothing
 * and returns what is left of the first one.
 * @throws Failure 400 and 413 for files that aren't accepted, 403 and 409 if the sender can't answer now
 */
export async function addTargetEvidence(
  storage: FileStorage,
  within: Within,
  { by, customerId, targetId, questionCode, uploadId, sent }: NewEvidence,
): Promise<AnswerEvidence[]> {
  await within(async (db) => requireUploader(db, await readTargetContext(db, targetId), by, questionCode))
  const uploads = await receiveEvidence(storage, (storedAs) => evidencePlace(customerId, storedAs), sent)
  for (const { file } of uploads) {
    // oxlint-disable-next-line no-await-in-loop
    await file.publish({ replaces: false })
  }
  const discard = () => storage.remove(uploads.map(({ storedAs }) => evidencePlace(customerId, storedAs)))
  try {
    const { added, isRepeated } = await within((db) =>
      insertEvidence(db, { by, targetId, questionCode, uploadId, uploads }),
    )
    if (isRepeated) await discard()
    return added
  } catch (error) {
    await discard()
    throw error
  }
}

type Inserted = {
  by: Answerer
  targetId: string
  questionCode: string | undefined
  uploadId: string | undefined
  uploads: readonly StoredUpload[]
}

async function insertEvidence(
  db: Database,
  { by, targetId, questionCode, uploadId, uploads }: Inserted,
): Promise<{ added: AnswerEvidence[]; isRepeated: boolean }> {
  const target = await lockTargetContext(db, targetId)
  await requireUploader(db, target, by, questionCode)
  if (uploadId !== undefined) {
    if (uploads.length > 1) throw refused(INVALID, { files: 'Send one file at a time.' })
    const { rows } = await sql<{ id: string }>`
      select id::text from assessment_evidence where target_id = ${targetId} and upload_id = ${uploadId}`.execute(
      db,
    )
    if (rows.length > 0) {
      const all = await readEvidence(db, target, by)
      return { added: all.filter(({ id, isMine }) => isMine && id === rows[0]?.id), isRepeated: true }
    }
  }
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
        uploadId: uploadId ?? null,
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
  const all = await readEvidence(db, target, by)
  return { added: all.filter(({ id }) => ids.has(id)), isRepeated: false }
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
      ? [...compiled.byCode.keys()].some((code) => scope.mayAnswerPart(code))
      : scope.mayAnswerPart(questionCode)
  if (!mayUpload) throw forbidden('This is assigned to someone else.')
  const closed = closureOf(target, questionCode ?? null)
  if (closed !== null) throw conflict(closed)
}

/** Changes what is known of a file, and the questions of one target that it supports. @throws Failure 400, 403, 404, 409 */
export async function updateEvidence(
  db: Database,
  by: Answerer,
  {
    id,
    targetId,
    version,
    known,
    questionCodes,
    ...changes
  }: Received<typeof assessmentAnswers.updateEvidence>,
): Promise<AnswerEvidence> {
  const target = await lockTargetContext(db, targetId)
  // Other targets may use the same file.
  await sql`select from assessment_evidence where id = ${id} for update`.execute(db)
  const current = await readOneEvidence(db, target, by, id)
  await requireUploader(db, target, by, undefined)
  const isStale =
    (version !== undefined && version !== current.version) ||
    (known !== undefined && !isEqual(known.questionCodes.toSorted(), current.questionCodes.toSorted()))
  if (isStale) throw stale('This file', current)
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
  return readOneEvidence(db, target, by, id)
}

/** Removes a file that no submitted answers rely on. @throws Failure 403, 404, 409 */
export async function removeEvidence(db: Database, by: Answerer, id: string): Promise<void> {
  const { targetId } = await findEvidence(db, id)
  const target = await lockTargetContext(db, targetId)
  await requireUploader(db, target, by, undefined)
  await requireUnused(db, id)
  await sql`update assessment_evidence set removed_at = app_now() where id = ${id}`.execute(db)
  await db.deleteFrom('assessmentEvidenceLinks').where('evidenceId', '=', id).execute()
}

/** @throws Failure 409 if submitted answers rely on a file, or an answer is this file. */
async function requireUnused(db: Database, id: string): Promise<void> {
  const { rows } = await sql<{ isSubmitted: boolean }>`
    select true as is_submitted from assessment_evidence_links l
      join assessment_targets t on t.customer_id = l.customer_id and t.id = l.target_id
      where l.evidence_id = ${id} and t.state in ('submitted', 'in_review', 'approved', 'closed')
    union select false from assessment_answers a
      where a.target_id in (select e.target_id from assessment_evidence e where e.id = ${id}
        union select l.target_id from assessment_evidence_links l where l.evidence_id = ${id})
      and jsonb_typeof(a.value) = 'array' and a.value @> jsonb_build_array(jsonb_build_object('id', ${id}::text))
    order by is_submitted desc`.execute(db)
  const [use] = rows
  if (use === undefined) return
  throw conflict(
    use.isSubmitted
      ? "Submitted answers rely on this file, so it can't be removed."
      : 'This file is an answer. Remove it from the answer first.',
  )
}

type EvidenceUse = { targetId: string; id: string; questionCode: string }

/**
 * A participant uses a file for a question, and says until when it is valid. The date of an earlier round's file stays as it is.
 * @throws Failure 403, 404, 409
 */
export async function applyEvidence(
  db: Database,
  by: Answerer,
  { targetId, id, questionCode, validUntil }: EvidenceUse & { validUntil?: string | null | undefined },
): Promise<AnswerEvidence> {
  const target = await lockTargetContext(db, targetId)
  const current = await readOneEvidence(db, target, by, id)
  await requireUploader(db, target, by, questionCode)
  if (validUntil !== undefined && validUntil !== current.validUntil) {
    if (current.isFromEarlier)
      throw conflict('This file belongs to an earlier round. Upload the renewed one.')
    await db.updateTable('assessmentEvidence').set({ validUntil }).where('id', '=', id).execute()
  }
  const { organizationId } = target
  await db
    .insertInto('assessmentEvidenceLinks')
    .values({ organizationId, evidenceId: id, targetId, questionCode })
    .onConflict((on) => on.doNothing())
    .execute()
  return readOneEvidence(db, target, by, id)
}

/**
 * A participant takes a file away from a question. It is deleted if nothing else uses it. `mayRemoveAll`: also files that
 * others have added. @throws Failure 403, 404, 409
 */
export async function withdrawEvidence(
  db: Database,
  by: Answerer,
  { targetId, id, questionCode, mayRemoveAll }: EvidenceUse & { mayRemoveAll: boolean },
): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  const { isFromEarlier, isMine, questionCodes, addedBy } = await readOneEvidence(db, target, by, id)
  if (!questionCodes.includes(questionCode)) throw notFound('File')
  await requireUploader(db, target, by, questionCode)
  if (!isMine && !mayRemoveAll && !isFromEarlier)
    throw forbidden(`${addedBy} added this file. Ask them to remove it.`)
  if (!isFromEarlier && questionCodes.length === 1) await removeEvidence(db, by, id)
  else {
    await db
      .deleteFrom('assessmentEvidenceLinks')
      .where('evidenceId', '=', id)
      .where('targetId', '=', targetId)
      .where('questionCode', '=', questionCode)
      .execute()
  }
}

/**
 * A file, or with `orFrozen` also one that was removed after a submission or approval, which lists it.
 * @throws Failure 404
 */
export async function findEvidence(
  db: Database,
  id: string,
  { orFrozen = false } = {},
): Promise<{ name: string; type: string; storedAs: string; targetId: string }> {
  const { rows } = await sql<{ name: string; type: string; storedAs: string; targetId: string }>`
    select e.name, e.type, e.stored_as::text, e.target_id::text from assessment_evidence e
    where e.id = ${id} and (e.removed_at is null or (${orFrozen} and exists (select from assessment_snapshots s
      where s.customer_id = e.customer_id and s.target_id = e.target_id and s.made_at between e.added_at and e.removed_at)))`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw notFound('File')
  return found
}
