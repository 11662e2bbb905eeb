import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { toast } from '../feedback/toast.tsx'
import { offerUndo } from '../feedback/undo.tsx'
import { isOver, describeProgress } from './job-labels.ts'
import { markJobsSeen } from './jobs-seen.ts'
import { startTask, isNotified, dismissTask, updateTask, sessionSignal } from './background-tasks.ts'

/** Most jobs are small: poll often for the first seconds, so that they feel instant. */
const OFTEN_MS = 200
const OFTEN_TIMES = 15
const SELDOM_MS = 1_500

const undo = send(jobs.undo)

/**
 * Shows a notice for a job until it ends, then refreshes lists and shows the result: an undo if the job can be
 * undone, or a notice that stays if rows were rejected. Does nothing if the job already has a notice. Never throws.
 */
export async function followJob(started: Job): Promise<void> {
  if (isNotified(started.id)) return
  const signal = sessionSignal()
  const id = startTask({ kind: 'job', job: started, isLost: false })
  void queryClient.invalidateQueries({ queryKey: keyOf(jobs.list) })
  let job = started
  for (let times = 0; !isOver(job); times += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await wait(times < OFTEN_TIMES ? OFTEN_MS : SELDOM_MS)
    if (signal.aborted) return
    // oxlint-disable-next-line no-await-in-loop
    const answer = await askFor(job.id, signal)
    if (answer === 'gone') {
      dismissTask(id)
      return
    }
    if (answer !== 'lost') job = answer
    // The end of a job is shown only after the lists are refreshed, so that an Undo button doesn't move while it is
    // clicked.
    if (!isOver(job)) updateTask(id, { kind: 'job', job, isLost: answer === 'lost' })
  }
  await showEnd(id, job)
}

function wait(ms: number): Promise<void> {
  return new Promise((over) => {
    setTimeout(over, ms)
  })
}

async function askFor(id: string, signal: AbortSignal): Promise<Job | 'gone' | 'lost'> {
  try {
    const job = await call(jobs.get, { id }, { signal })
    queryClient.setQueryData([...keyOf(jobs.get), { id }], job)
    return job
  } catch (failure) {
    if (!(failure instanceof CallFailure)) return 'gone'
    // The job keeps running on the server; other parts of the screen show whether the server is reachable.
    return failure.kind === 'refused' && failure.status < 500 ? 'gone' : 'lost'
  }
}

/** A job may change many rows in many lists, so everything shown may be stale. An export changes nothing. */
async function showEnd(id: number, job: Job): Promise<void> {
  markJobsSeen(job.endedAt)
  const hasChanged = job.file === null
  await queryClient.invalidateQueries(hasChanged ? {} : { queryKey: keyOf(jobs.list) })
  const isPlain = job.state === 'done' && job.failures === 0 && job.file === null
  if (!isPlain) {
    // Stays until the user closes it.
    updateTask(id, { kind: 'job', job, isLost: false })
    return
  }
  dismissTask(id)
  if (job.canUndo) offerUndo({ text: `${job.title}: done`, undo: () => undoJob(job) })
  else toast(job.title, describeProgress(job))
}

/** Undoes a job by starting another one, which gets its own notice. Throws a CallFailure. */
export async function undoJob({ id }: Pick<Job, 'id'>): Promise<void> {
  void followJob(await undo({ id }))
}
