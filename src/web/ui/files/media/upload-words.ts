import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { Upload } from './uploads.ts'

type Sent = Pick<Upload, 'sent' | 'speed'> & { file: { size: number } }

/** The server has the whole file and may be storing it: canceling now could claim what isn't so. */
export const isAllSent = ({ sent, file }: Pick<Sent, 'sent' | 'file'>): boolean => sent >= file.size

/** What happened to an upload, or what is happening. */
export function describeUpload(one: Upload): string {
  const { state, file, reason, same, used, sent } = one
  if (state === 'waiting') return `Queued, ${formatBytes(file.size)}`
  if (state === 'sending') return isAllSent(one) ? `Saving, ${formatBytes(file.size)}` : describeTotal([one])
  if (state === 'paused')
    return `${reason ?? 'Paused.'} ${formatBytes(sent)} of ${formatBytes(file.size)} were uploaded.`
  if (state === 'asking')
    return `The media library already has this file: ${same.map(({ path }) => path).join(', ')}`
  if (state === 'done' && used !== null) return `Not uploaded. The existing file is used: ${used}`
  if (state === 'done') return `Uploaded, ${formatBytes(file.size)}`
  return state === 'stopped' ? 'Canceled' : (reason ?? 'Rejected')
}

/** The progress of files that are being uploaded or wait for it: "12 MB of 50 MB, 1.2 MB per second, 32 seconds left" */
export function describeTotal(open: readonly Sent[]): string {
  const whole = open.reduce((sum, { file }) => sum + file.size, 0)
  const sent = open.reduce((sum, one) => sum + Math.min(one.sent, one.file.size), 0)
  const speeds = open.flatMap(({ speed }) => speed ?? [])
  const progress = `${formatBytes(sent)} of ${formatBytes(whole)}`
  if (speeds.length === 0 || sent >= whole) return progress
  return `${progress}, ${withSpeed(
    whole - sent,
    speeds.reduce((sum, speed) => sum + speed),
  )}`
}

function withSpeed(left: number, speed: number): string {
  if (speed <= 0) return 'waiting for the connection'
  return `${formatBytes(Math.round(speed))} per second, ${showTimeLeft(left / speed)}`
}

/** "32 seconds left", "about 5 minutes left" */
function showTimeLeft(seconds: number): string {
  if (seconds < 60) return `${count(Math.max(1, Math.ceil(seconds)), 'second', 'seconds')} left`
  if (seconds < 3_600) return `about ${count(Math.round(seconds / 60), 'minute', 'minutes')} left`
  return `about ${count(Math.round(seconds / 3_600), 'hour', 'hours')} left`
}
