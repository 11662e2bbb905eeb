import type { Job } from '#contract/jobs/jobs.ts'
import { count } from '../layout/date-format.ts'

/** When the most recent of these jobs ended; null if none has. */
export function latestEnd(jobs: readonly Pick<Job, 'endedAt'>[]): string | null {
  return (
    jobs
      .flatMap(({ endedAt }) => endedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  )
}

type Progress = Pick<Job, 'state' | 'total' | 'done' | 'failures'>

/** Whether the job has ended. */
export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'waiting' && state !== 'running'
}

/** The progress or result of a job: "40 of 86 done", "83 done, 3 rejected". */
export function describeProgress({ state, total, done, failures }: Progress): string {
  if (state === 'waiting') return 'Queued'
  if (state === 'running') {
    return total === null ? 'Counting rows' : `${done.toLocaleString()} of ${total.toLocaleString()} done`
  }
  const well = (done - failures).toLocaleString()
  const refused = failures === 0 ? '' : `, ${failures.toLocaleString()} rejected`
  if (state === 'done') return `${well} done${refused}`
  const at = total === null ? `${well} done` : `${well} of ${total.toLocaleString()} done`
  return `${state === 'failed' ? 'Failed' : 'Canceled'}, ${at}${refused}`
}

const UNITS = ['kB', 'MB', 'GB'] as const

/** "840 bytes", "12.4 kB", "3.1 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte', 'bytes')
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const number = (bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })
  return `${number} ${UNITS[power - 1] ?? ''}`
}
