import { codeOf } from '#server/error-code.ts'

/** Whether the statement conflicted with others on the same rows. A retry may succeed. */
export function isContention(error: unknown): boolean {
  // serialization_failure, deadlock_detected, lock_not_available
  return ['40001', '40P01', '55P03'].includes(codeOf(error))
}

/** Whether a statement exceeded its time limit. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === '57014'

/** Whether the database's disk is full. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether the database is unavailable. The statement itself was fine. */
export function isDatabaseUnavailable(error: unknown): boolean {
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
