import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import { clearProblem, reportProblem, notifyOwner, type Notices } from './notify-owner.ts'
import { applyRun } from './apply-run.ts'
import { countLostPrices, readHeldPrices } from './run-rows.ts'
import { startApplying } from './start-applying.ts'
import type { RunWork } from './run-work.ts'

type ReadRun = {
  status: string
  error: string | null
  reviewReasons: string[]
  fileName: string
  source: { id: string; name: string; userCustomerId: string; userId: string } | null
  isAutomatic: boolean
  autoApply: boolean
}

/**
 * What happens after an automatically received file is read: it is applied if its source says so and it doesn't need review;
 * otherwise, or if it couldn't be read, the owner is notified. Runs in the same job, so that a killed job resumes here.
 */
export async function afterRead(notices: Notices, work: RunWork, runId: string): Promise<void> {
  const { step } = work
  const run = await step(async (db): Promise<ReadRun | null> => {
    const row = await db
      .selectFrom('feedRuns as r')
      .leftJoin('feedSources as s', (join) =>
        join.onRef('s.customerId', '=', 'r.customerId').onRef('s.id', '=', 'r.sourceId'),
      )
      .select(['r.status', 'r.error', 'r.reviewReasons', 'r.fileName', 'r.isAutomatic', 'r.autoApply'])
      .select(['s.id as sourceId', 's.name', 's.userCustomerId', 's.userId'])
      .where('r.id', '=', runId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { sourceId, name, userCustomerId, userId, ...read } = row
    const isWhole = sourceId !== null && name !== null && userCustomerId !== null && userId !== null
    return { ...read, source: isWhole ? { id: sourceId, name, userCustomerId, userId } : null }
  })
  if (run === null || run.source === null || !run.isAutomatic) return
  const { source, status } = run
  if (status === 'failed') {
    const problem = `${run.fileName} couldn't be read: ${run.error ?? 'the file is incomplete.'}`
    return reportProblem(step, notices, { source, problem })
  }
  await step((db) => clearProblem(db, source.id))
  if (status === 'review') {
    return notifyOwner(notices, source, {
      subject: 'a feed needs review',
      text: `${run.fileName} needs your review before it is applied. No vehicles have changed yet.\n\n${run.reviewReasons.join('\n')}\n\nReview the feed, then apply or cancel it.`,
      path: `/inventory/feeds/${runId}`,
    })
  }
  if (!run.autoApply) return
  if (status === 'ready' && !(await startIfFree(work, { runId, source }))) return
  await applyRun(work, runId)
  const held = await step(async (db) => {
    const { currency } = await db
      .selectFrom('feedRuns as r')
      .innerJoin('customers as c', 'c.id', 'r.customerId')
      .select('c.currency')
      .where('r.id', '=', runId)
      .executeTakeFirstOrThrow()
    return readHeldPrices(db, { runId, currency })
  })
  if (held !== null) {
    const what = held.open === 1 ? '1 price that is' : `${held.open} prices that are`
    await notifyOwner(notices, source, {
      subject: 'unusual prices to decide',
      text: `${run.fileName} has ${what} beyond your limits: ${held.sentence}\n\nThese vehicles keep their price until someone decides. Everything else in the file was applied.`,
      path: `/inventory/feeds/${runId}?rows=prices`,
    })
  }
  const lost = await step((db) => countLostPrices(db, runId))
  if (lost > 0) {
    await notifyOwner(notices, source, {
      subject: 'prices that the feed took away',
      text: `${run.fileName} has no price anymore for ${lost === 1 ? '1 vehicle' : `${lost} vehicles`} that had one. Buyers see no price until the feed sends one again or someone enters it.`,
      path: `/inventory/feeds/${runId}?rows=lostPrices`,
    })
  }
  const lower = await step((db) => lowerMileages(db, runId))
  if (lower === 0) return
  await notifyOwner(notices, source, {
    subject: 'lower mileages',
    text: `${run.fileName} has a lower mileage than before for ${lower === 1 ? '1 vehicle' : `${lower} vehicles`}. The vehicles keep their mileage. If the lower one is right, enter it on the page of the vehicle.`,
    path: `/inventory/feeds/${runId}?rows=mileages`,
  })
}

/** How many vehicles of a run would have a lower mileage than before. */
const lowerMileages = async (db: Database, runId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('feedRunRows')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('runId', '=', runId)
    .where('sourceMileage', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns false if another run of the source is being applied or a later one was: then it waits for a user. */
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
