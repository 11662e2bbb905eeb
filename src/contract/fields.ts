import { z } from 'zod'

/** A row's number. Numbers and digit strings go in, text comes out, because bigint does not fit a JSON number. */
export const Id = z
  .union(
    [
      // One way to write each number: `007` and `7` would be one row to the database and two to us.
      z.string().regex(/^(0|[1-9]\d{0,17})$/),
      z
        .number()
        .int()
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .transform((n) => String(n)),
    ],
    'This must be the number of a record.',
  )
  .meta({ description: 'The number of a record, as digits.' })

/** A person's words on one line: trimmed, not empty, at most `max` characters. */
export function line(max: number, name = 'This') {
  return z
    .string(`${name} must be text.`)
    .trim()
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
    .refine(isOneLine, `${name} must be one line of text.`)
}

/**
 * No line breaks or other control characters, no halves of characters that the database could not keep, and none that
 * are no characters at all: workbooks cannot hold them.
 */
function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u2028\u2029\uFFFE\uFFFF]/u.test(text)
}

/** The same where nothing is fine too: empty text and null both mean "not given". */
export function optionalLine(max: number, name = 'This') {
  return z
    .union([
      z.null(),
      z
        .string()
        .trim()
        .max(max, `${name} may have at most ${max} characters.`)
        .refine(isOneLine, `${name} must be one line of text.`)
        .transform((text) => (text === '' ? null : text)),
    ])
    .optional()
}

/** An IANA zone name, checked against the running platform. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'This is not a time zone. Use a name such as America/Los_Angeles.')

function isTimeZone(name: string): boolean {
  try {
    // A bare offset such as +02:00 passes Intl but knows no daylight saving, so it is no zone of a place.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** The version a form was loaded with. Without it the last writer wins; with it a stale write answers 409. */
export const Version = z
  .union([
    z.number().int().min(1).max(2_147_483_647),
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform((digits) => Number(digits)),
  ])
  .optional()
/** A moment in ISO 8601, UTC. */
export const Instant = z.string().meta({ format: 'date-time' })
