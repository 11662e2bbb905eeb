import { codeOf } from '#server/error-code.ts'

/** Whether others change the same rows: the same again may go well. */
export function isContention(error: unknown): boolean {
  // serialization_failure, deadlock_detected, lock_not_available
  return ['40001', '40P01', '55P03'].includes(codeOf(error))
}

/** Whether a statement took longer than it may. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === '57014'

/** Whether what the database keeps its rows on has no room left. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether the database cannot be had now: nothing is wrong with what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  // Class 08 connection, 53 resources, 57P shutdown.
  if (/^(08|53|57P)/.test(code)) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return true
  if (code === 'ENOENT' && error instanceof Error && error.message.startsWith('connect ')) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable|after calling end/.test(
      error.message,
    )
  )
}
