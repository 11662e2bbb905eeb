import { Failure } from '#server/http/failure.ts'
import { clearProblem, noteProblem, notifyOwner, type Notices } from '../sources/notify-owner.ts'
import { applyRun } from './apply-run.ts'
import { startApplying } from './start-applying.ts'
import type { RunWork } from './run-work.ts'

type Read = {
  status: string
  error: string | null
  held: string[]
  fileName: string
  source: { id: string; name: string; userCustomerId: string; userId: string } | null
  comesItself: boolean
  appliesItself: boolean
}

/**
 * What follows when a file was read that nobody brought: it is applied where its source says so and nothing holds it, and
 * where something does, or it could not be read, the owner is told. In the same job, so that one that is killed goes on.
 */
export async function followRun(notices: Notices, work: RunWork, runId: string): Promise<void> {
  const { step } = work
  const run = await step(async (db): Promise<Read | null> => {
    const row = await db
      .selectFrom('feedRuns as r')
      .leftJoin('feedSources as s', (join) =>
        join.onRef('s.customerId', '=', 'r.customerId').onRef('s.id', '=', 'r.sourceId'),
      )
      .select(['r.status', 'r.error', 'r.held', 'r.fileName', 'r.comesItself', 'r.appliesItself'])
      .select(['s.id as sourceId', 's.name', 's.userCustomerId', 's.userId'])
      .where('r.id', '=', runId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { sourceId, name, userCustomerId, userId, ...read } = row
    const isWhole = sourceId !== null && name !== null && userCustomerId !== null && userId !== null
    return { ...read, source: isWhole ? { id: sourceId, name, userCustomerId, userId } : null }
  })
  if (run === null || run.source === null || !run.comesItself) return
  const { source, status } = run
  if (status === 'failed') {
    const problem = `${run.fileName} could not be read: ${run.error ?? 'it broke off.'}`
    return noteProblem(step, notices, { source, problem })
  }
  await step((db) => clearProblem(db, source.id))
  if (status === 'held') {
    return notifyOwner(notices, source, {
      subject: 'a file waits for you',
      text: `${run.fileName} was read and is held, so nothing was changed:\n\n${run.held.join('\n')}\n\nLook at it, and apply it or cancel it.`,
      path: `/inventory/feeds/${runId}`,
    })
  }
  if (!run.appliesItself) return
  if (status === 'ready' && !(await startIfFree(work, { runId, source }))) return
  await applyRun(work, runId)
}

/** @returns false where another run of the source is being written, or a later one was: then it waits for a person. */
async function startIfFree(
  { step }: RunWork,
  { runId, source: { id, name } }: { runId: string; source: { id: string; name: string } },
): Promise<boolean> {
  try {
    return await step((db) => startApplying(db, { id: runId, sourceId: id, by: name, from: ['ready'] }))
  } catch (error) {
    if (error instanceof Failure && error.status === 409) return false
    throw error
  }
}
