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

/** Codes of connections that were refused or lost, and of names and networks that can't be reached. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EAI_AGAIN',
])

/** Whether the database is unavailable. The statement itself was fine. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  // Class 08 connection, 53 resources, 57P shutdown.
  if (/^(08|53|57P)/.test(code)) return true
  if (UNREACHABLE.has(code)) return true
  // Every address of the server's name was tried.
  if (error instanceof AggregateError) return error.errors.some((one) => isDatabaseUnavailable(one))
  if (code === 'ENOENT' && error instanceof Error && error.message.startsWith('connect ')) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable|after calling end/.test(
      error.message,
    )
  )
}
