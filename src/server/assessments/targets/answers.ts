import { sql } from 'kysely'
import type { assessmentAnswers, LogEntry } from '#contract/assessments/targets/answers.ts'
import type { Comment } from '#contract/assessments/targets/collaboration.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { makeQuota, spaceOf, type Limits } from '#server/files/index.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Identity } from '#server/identity/index.ts'
import { instant } from '#server/lists/json-text.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { readTargetContext } from './target-context.ts'
import { readPeople } from './target-people.ts'
import { isLogIntact } from './answer-log.ts'
import { answererOf, type Answerer } from './answer-scope.ts'
import { addDelegation, removeDelegation } from './delegations.ts'
import { notifyDelegate } from './notify-delegate.ts'
import { addTargetEvidence, evidencePlace, findEvidence, removeEvidence, updateEvidence } from './evidence.ts'
import { readEvidence } from './evidence-rows.ts'
import type { Invitations } from './invitations.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { saveAnswers } from './save-answers.ts'

/** The most entries of one page of the log. */
const LOG_PAGE = 500

/** Answers of a target, and how people work on them together. */
export function assessmentAnswerHandlers({
  identity,
  invitations,
  storageOf,
  limits,
}: {
  identity: Identity
  invitations: Invitations
  storageOf: OutsideStorage
  limits: Limits
}): Handlers<typeof assessmentAnswers> {
  const quota = makeQuota(limits)
  return {
    save: ({ db, actor, input: { targetId, mutations } }) =>
      saveAnswers(db, { targetId, by: answererOf(actor), mutations }),

    async log({ db, input: { targetId, question, before } }) {
      await readTargetContext(db, targetId)
      return {
        entries: await readLog(db, targetId, { question, before }),
        isIntact: await isLogIntact(db, targetId),
      }
    },

    comment: ({ db, actor, input }) => addComment(db, { by: answererOf(actor), ...input }),

    async removeComment({ db, actor, input: { id } }) {
      const { rows } = await sql<{ isMine: boolean }>`
        select user_id is not distinct from ${actor.effectiveUserId} as is_mine from assessment_comments where id = ${id}`.execute(
        db,
      )
      const [found] = rows
      if (found === undefined) throw notFound('Comment')
      if (!found.isMine) throw forbidden('You can only delete your own comments.')
      await db.deleteFrom('assessmentComments').where('id', '=', id).execute()
      return null
    },

    async delegate({ actor, inTenant, input }) {
      const by = answererOf(actor)
      const delegation = await inTenant((db) => addDelegation(db, { by, ...input }))
      await notifyDelegate({ identity, invitations }, inTenant, { targetId: input.targetId, delegation, by })
      return delegation
    },

    async takeBack({ db, actor, input: { id } }) {
      await removeDelegation(db, { by: answererOf(actor), id })
      return null
    },

    async people({ db, input: { targetId } }) {
      await readTargetContext(db, targetId)
      return readPeople(db, targetId)
    },

    async evidence({ db, actor, input: { targetId } }) {
      return readEvidence(db, await readTargetContext(db, targetId), answererOf(actor))
    },

    async addEvidence({ actor, inTenant, outside, input: { targetId, questionCode }, files }) {
      const storage = storageOf(outside)
      const counted = await quota.begin(storage, spaceOf(actor.customerId))
      try {
        return await addTargetEvidence(storage, inTenant, {
          by: answererOf(actor),
          customerId: actor.customerId,
          targetId,
          questionCode,
          sent: { files, ...counted },
        })
      } finally {
        counted.end()
      }
    },

    updateEvidence: ({ db, actor, input }) => updateEvidence(db, answererOf(actor), input),

    async downloadEvidence({ actor: { customerId }, inTenant, outside, input: { id } }) {
      const { name, type, storedAs } = await inTenant((db) => findEvidence(db, id, { orFrozen: true }))
      const file = await storageOf(outside).read(evidencePlace(customerId, storedAs))
      if (file === null) throw notFound('File')
      return new Download({ name, type, body: file.body })
    },

    async removeEvidence({ db, actor, input: { id } }) {
      await removeEvidence(db, answererOf(actor), id)
      return null
    },
  }
}

type NewComment = {
  by: Answerer
  targetId: string
  questionCode: string | null
  text: string
  isInternal: boolean
}

/** Adds a comment. Participants write none that are internal. @throws Failure 400 for an unknown question, 404 */
export async function addComment(db: Database, comment: NewComment): Promise<Comment> {
  const { by, targetId, questionCode, text, isInternal } = comment
  const target = await readTargetContext(db, targetId)
  const { compiled } = await readPinnedVersion(db, target)
  if (questionCode !== null && !compiled.byCode.has(questionCode))
    throw refused('Some fields are invalid.', { questionCode: 'Choose a question of this questionnaire.' })
  const { rows } = await sql<Comment>`
    insert into assessment_comments (organization_id, target_id, question_code, text, is_internal, user_id, participant_id,
      written_by)
    values (${target.organizationId}, ${targetId}, ${questionCode}, ${text}, ${isInternal && by.userId !== null},
      ${by.userId}, ${by.participantId}, ${by.name})
    returning id::text, question_code, text, is_internal, written_by, ${instant(sql`written_at`)} as written_at,
      true as is_mine`.execute(db)
  const [added] = rows
  if (added === undefined) throw conflict('The comment was not saved. Try again.')
  return added
}

type StoredEntry = Pick<LogEntry, 'number' | 'kind' | 'loggedBy' | 'loggedAt' | 'sha256'> & {
  content: string
}

async function readLog(
  db: Database,
  targetId: string,
  { question, before }: { question: string | undefined; before: number | undefined },
): Promise<LogEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select number, kind, content, logged_by, logged_at, sha256 from assessment_answer_log
    where target_id = ${targetId} and (${before ?? null}::int is null or number < ${before ?? null}::int)
      and (${question ?? null}::text is null or content::jsonb ->> 'questionCode' = ${question ?? null}::text)
    order by number desc limit ${LOG_PAGE}`.execute(db)
  return rows.map(({ content, ...entry }) => {
    const parsed: unknown = JSON.parse(content)
    const textOf = (name: string) => {
      const value: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : null
      return typeof value === 'string' ? value : null
    }
    const value: unknown =
      typeof parsed === 'object' && parsed !== null ? (Reflect.get(parsed, 'value') ?? null) : null
    return {
      ...entry,
      questionCode: textOf('questionCode'),
      rowKey: textOf('rowKey'),
      value,
      note: textOf('reason') ?? textOf('state'),
    }
  })
}
