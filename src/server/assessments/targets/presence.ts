import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { z } from 'zod'
import {
  type assessmentPresence,
  type Presence,
  PRESENCE_SECONDS,
  type PresentPerson,
} from '#contract/assessments/targets/presence.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'
import { readTargetContext } from './target-context.ts'
import { type Answerer, answererOf } from './answer-scope.ts'

export const assessmentPresenceHandlers: Handlers<typeof assessmentPresence> = {
  report: ({ db, actor, input }) => reportPresence(db, answererOf(actor), input),

  async list({ db, actor, input: { id } }) {
    await readAssessment(db, id)
    const rows = await readPresent(
      db,
      answererOf(actor),
      sql`p.target_id in (select t.id from assessment_targets t where t.customer_id = p.customer_id
        and t.assessment_id = ${id})`,
    )
    const targets = [...new Set(rows.map(({ targetId }) => targetId))]
    return targets.map((targetId) => ({
      targetId,
      people: rows.filter((one) => one.targetId === targetId).map(toPerson),
    }))
  },
}

/**
 * Notes that someone has a target open, or no longer does, and returns who else has. The caller has checked that they may read
 * the target. @throws Failure 404
 */
export async function reportPresence(
  db: Database,
  by: Answerer,
  { targetId, visitId, questionCode, isLeaving }: z.infer<typeof Presence>,
): Promise<PresentPerson[]> {
  const { organizationId } = await readTargetContext(db, targetId)
  await sql`
    delete from assessment_presence where target_id = ${targetId} and (seen_at <= ${EXPIRED}
      or (${isLeaving} and visit_id = ${visitId}::uuid and user_id is not distinct from ${by.userId}::bigint
        and participant_id is not distinct from ${by.participantId}::bigint))`.execute(db)
  if (!isLeaving) {
    // The ID of someone else's page changes nothing.
    await sql`
      insert into assessment_presence as p (organization_id, target_id, visit_id, user_id, participant_id, name, question_code)
      values (${organizationId}, ${targetId}, ${visitId}::uuid, ${by.userId}, ${by.participantId}, ${by.name}, ${questionCode})
      on conflict (customer_id, target_id, visit_id) do update set question_code = excluded.question_code,
        seen_at = excluded.seen_at
      where p.user_id is not distinct from excluded.user_id
        and p.participant_id is not distinct from excluded.participant_id`.execute(db)
  }
  const rows = await readPresent(db, by, sql`p.target_id = ${targetId}`)
  return rows.map(toPerson)
}

const EXPIRED = sql`app_now() - make_interval(secs => ${PRESENCE_SECONDS})`

type Row = PresentPerson & { targetId: string }

/** Others who are present, each once for a target: a page with a question counts before one without, then the latest. */
async function readPresent(db: Database, by: Answerer, where: RawBuilder<SqlBool>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (
      select distinct on (p.target_id, p.user_id, p.participant_id) p.target_id::text,
        case when p.user_id is null then 'p' || p.participant_id else 'u' || p.user_id end as key, p.name,
        p.participant_id is not null as is_participant, p.question_code
      from assessment_presence p
      where ${where} and p.seen_at > ${EXPIRED}
        and (p.user_id, p.participant_id) is distinct from (${by.userId}::bigint, ${by.participantId}::bigint)
      order by p.target_id, p.user_id, p.participant_id, p.question_code is null, p.seen_at desc) x
    order by lower(name), key`.execute(db)
  return rows
}

const toPerson = ({ key, name, isParticipant, questionCode }: Row): PresentPerson => ({
  key,
  name,
  isParticipant,
  questionCode,
})
