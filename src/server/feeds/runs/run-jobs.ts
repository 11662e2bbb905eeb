import { z } from 'zod'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { type JobKind, taskKind } from '#server/queue/job-kind.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import type { Notices } from './notify-owner.ts'
import { applyRun } from './apply-run.ts'
import { afterRead } from './auto-apply.ts'
import { readRun } from './reading/read-run.ts'
import { undoRun } from './undo-run.ts'

/** Jobs are named after the endpoints that start them. A database trigger updates the run when one of them stops. */
export const RUN_JOBS = { read: 'feedRuns.add', apply: 'feedRuns.apply', undo: 'feedRuns.undo' } as const

const Payload = z.object({ runId: z.string() })

/** The jobs that read, apply and undo feed runs. */
export const feedJobs = (storage: FileStorage, notices: Notices): JobKind[] => [
  taskKind({
    name: RUN_JOBS.read,
    payload: Payload,
    needs: feedRuns.add.allow,
    async work(work) {
      await readRun(storage, work, work.payload.runId)
      await afterRead(notices, work, work.payload.runId)
    },
  }),
  taskKind({
    name: RUN_JOBS.apply,
    payload: Payload,
    needs: feedRuns.apply.allow,
    work: (work) => applyRun(work, work.payload.runId),
  }),
  taskKind({
    name: RUN_JOBS.undo,
    payload: Payload,
    needs: feedRuns.undo.allow,
    work: (work) => undoRun(work, work.payload.runId),
  }),
]
