import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lockTargetContext } from './target-context.ts'
import { readAnswers } from './answer-rows.ts'
import { evaluateStored } from './apply-mutations.ts'
import { readPinnedVersion } from './pinned-version.ts'
import { saveProgress } from './save-progress.ts'

/** Counts the questions of targets that have no answers yet, so that the board shows what is asked from the start. */
export async function startProgress(db: Database, assessmentId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select t.id::text from assessment_targets t where t.assessment_id = ${assessmentId}
      and not exists (select from assessment_progress p where p.customer_id = t.customer_id and p.target_id = t.id)
    order by t.id`.execute(db)
  for (const { id } of rows) {
    // Each target has its own time zone; the version is parsed once.
    // oxlint-disable-next-line no-await-in-loop
    await countQuestions(db, id)
  }
}

/** Counts what is asked and answered at a target again, after what is required changed. */
export async function countQuestions(db: Database, targetId: string): Promise<void> {
  const target = await lockTargetContext(db, targetId)
  const version = await readPinnedVersion(db, target)
  const [language = 'en'] = version.compiled.definition.languages
  const evaluation = evaluateStored(
    { compiled: version.compiled, language, now: clock.date(), zone: target.zone },
    await readAnswers(db, targetId),
  )
  await saveProgress(db, { target, version, evaluation, answered: null })
}
