import { DEFAULT_FAILURE, Refusal } from '#contract/answer.ts'

/**
 * Describes what is wrong with the response to a bad request, or null. Every error must be the envelope with a sentence, and
 * must not reveal server internals.
 */
export function flawOf({ status, text }: { status: number; text: string }): string | null {
  if (status >= 500) return `${status} ${text}`
  if (/\bat .*\.[jt]s:\d+|node_modules|syntax error|violates|pg_|select .* from/i.test(text))
    return `reveals internals: ${text}`
  if (status < 400) return null
  const refusal = Refusal.safeParse(parse(text))
  if (!refusal.success) return `${status} is not an error envelope: ${text.slice(0, 200)}`
  const { message } = refusal.data
  return message === DEFAULT_FAILURE || /^[A-Z].*\.$/s.test(message) ? null : `no sentence: ${message}`
}

export function fieldsOf(text: string): Record<string, string> {
  const refusal = Refusal.safeParse(parse(text))
  return refusal.success ? (refusal.data.fields ?? {}) : {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
