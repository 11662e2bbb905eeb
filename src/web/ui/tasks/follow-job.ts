import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { toast } from '../feedback/toast.tsx'
import { offerUndo } from '../feedback/undo.tsx'
import { isOver, describeProgress } from './job-labels.ts'
import { lookAtJobs } from './looked-at.ts'
import { startTask, isNotified, dismissTask, updateTask, sessionSignal } from './background-tasks.ts'

/** Most jobs are small: for the first seconds the screen asks often, so that they feel like no job at all. */
const OFTEN_MS = 200
const OFTEN_TIMES = 15
const SELDOM_MS = 1_500

const undo = send(jobs.undo)

/**
 * Tells of a job at the foot of the page until it is over, and then shows what came of it: lists anew, an undo where it
 * can be taken back, a notice that stays where something was refused. Does nothing for one that is followed. Never throws.
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
    // Its end is told once the lists show it, and then at one place: an undo that moves is pressed where it was.
    if (!isOver(job)) updateTask(id, { kind: 'job', job, isLost: answer === 'lost' })
  }
  await settle(id, job)
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
    // The job goes on without us; whether the server does is shown elsewhere.
    return failure.kind === 'refused' && failure.status < 500 ? 'gone' : 'lost'
  }
}

/** A job changes many rows of many lists: whatever is shown may be old. What only made a file changed nothing. */
async function settle(id: number, job: Job): Promise<void> {
  lookAtJobs(job.endedAt)
  const hasChanged = job.file === null
  await queryClient.invalidateQueries(hasChanged ? {} : { queryKey: keyOf(jobs.list) })
  const isPlain = job.state === 'done' && job.failures === 0 && job.file === null
  if (!isPlain) {
    // Stays until somebody has read it.
    updateTask(id, { kind: 'job', job, isLost: false })
    return
  }
  dismissTask(id)
  if (job.canUndo) offerUndo({ text: `${job.title}: done`, undo: () => undoJob(job) })
  else toast(job.title, describeProgress(job))
}

/** Undoes a job by another, which is followed in its turn. Throws a CallFailure. */
export async function undoJob({ id }: Pick<Job, 'id'>): Promise<void> {
  void followJob(await undo({ id }))
}
