import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { Upload } from './uploads.ts'

type Sent = Pick<Upload, 'sent' | 'speed'> & { file: { size: number } }

/** The server has the whole file and may be storing it: canceling now could claim what isn't so. */
export const isAllSent = ({ sent, file }: Pick<Sent, 'sent' | 'file'>): boolean => sent >= file.size

/** "12 MB of 50 MB, 1.2 MB per second, 32 seconds left" */
export function describeProgress(one: Sent): string {
  const { sent, file, speed } = one
  if (isAllSent(one)) return `Saving, ${formatBytes(file.size)}`
  const progress = `${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`
  return speed === null ? progress : `${progress}, ${withSpeed(file.size - sent, speed)}`
}

/** The progress of all files that are being uploaded or wait for it. */
export function describeTotal(open: readonly Sent[]): string {
  const whole = open.reduce((sum, { file }) => sum + file.size, 0)
  const sent = open.reduce((sum, one) => sum + Math.min(one.sent, one.file.size), 0)
  const speed = open.reduce((sum, one) => sum + (one.speed ?? 0), 0)
  const progress = `${formatBytes(sent)} of ${formatBytes(whole)}`
  return speed === 0 || sent >= whole ? progress : `${progress}, ${withSpeed(whole - sent, speed)}`
}

function withSpeed(left: number, speed: number): string {
  if (speed <= 0) return 'waiting for the connection'
  return `${formatBytes(Math.round(speed))} per second, ${showTimeLeft(left / speed)}`
}

/** "32 seconds left", "about 5 minutes left" */
export function showTimeLeft(seconds: number): string {
  if (seconds < 60) return `${count(Math.max(1, Math.ceil(seconds)), 'second', 'seconds')} left`
  if (seconds < 3_600) return `about ${count(Math.round(seconds / 60), 'minute', 'minutes')} left`
  return `about ${count(Math.round(seconds / 3_600), 'hour', 'hours')} left`
}
