import { z } from 'zod'
import { trimmed } from './trimmed.ts'

/** A record ID. Accepts numbers and digit strings, and returns text, because a bigint does not fit a JSON number. */
export const Id = idOr('This must be a record ID.')

/** The ID of something that has to be chosen: "Choose a lot." instead of what an ID is. */
export const chosenId = (message: string) => idOr(message)

function idOr(message: string) {
  return z
    .union(
      [
        // No leading zeros: `007` and `7` would be one row to the database but two to us.
        z.string().regex(/^(0|[1-9]\d{0,17})$/, message),
        z
          .number()
          .int()
          .min(0)
          .max(Number.MAX_SAFE_INTEGER)
          .transform((n) => String(n)),
      ],
      message,
    )
    .meta({ description: 'A record ID, as digits.' })
}

/**
 * A check that exactly one of several fields is sent. The message is at each that is sent too much, or at the first if none is.
 */
export function exactlyOne<Name extends string>(names: readonly [Name, Name, ...Name[]], message: string) {
  return (value: Readonly<Partial<Record<Name, unknown>>>, context: z.RefinementCtx): void => {
    const sent = names.filter((name) => value[name] !== undefined)
    if (sent.length === 1) return
    for (const name of sent.length === 0 ? [names[0]] : sent)
      context.addIssue({ code: 'custom', path: [name], message })
  }
}

/** A required line of text: trimmed, not empty, at most `max` characters. */
export function line(max: number, name = 'This') {
  return z
    .string(`${name} must be text.`)
    .overwrite(trimmed)
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
    .refine(isOneLine, `${name} must be a single line of text.`)
}

/**
 * No line breaks or other control characters, no unpaired surrogates, which the database cannot store, and no
 * noncharacters, which workbooks cannot hold.
 */
function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u2028\u2029\uFFFE\uFFFF]/u.test(text)
}

/** An optional line of text. Empty text is returned as null. */
export function optionalLine(max: number, name = 'This') {
  return z
    .string(`${name} must be text.`)
    .overwrite(trimmed)
    .max(max, `${name} may have at most ${max} characters.`)
    .refine(isOneLine, `${name} must be a single line of text.`)
    .nullable()
    .transform((text) => (text === '' ? null : text))
    .optional()
}

/** An IANA zone name, checked against the running platform. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'This is not a time zone. Use a name such as America/Los_Angeles.')

function isTimeZone(name: string): boolean {
  try {
    // Intl accepts a bare offset such as +02:00, but that is not the zone of a place: it has no daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** The version that a form was loaded with. A stale version is answered with 409. Without a version the last write wins. */
export const Version = z
  .union([
    z.number().int().min(1).max(2_147_483_647),
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'This must be a whole number above 0.')
      .transform((digits) => Number(digits)),
  ])
  .optional()
/** A moment in ISO 8601, UTC. */
export const Instant = z.string().meta({ format: 'date-time' })
