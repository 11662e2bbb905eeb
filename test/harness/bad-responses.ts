import { DEFAULT_FAILURE, Refusal } from '#contract/answer.ts'

/**
 * What is wrong with an answer to something that nobody should have sent; null when nothing is. Every refusal is the
 * one object, with a sentence, without anything of the server's inside.
 */
export function flawOf({ status, text }: { status: number; text: string }): string | null {
  if (status >= 500) return `${status} ${text}`
  if (/\bat .*\.[jt]s:\d+|node_modules|syntax error|violates|pg_|select .* from/i.test(text))
    return `tells too much: ${text}`
  if (status < 400) return null
  const refusal = Refusal.safeParse(parse(text))
  if (!refusal.success) return `${status} is no refusal: ${text.slice(0, 200)}`
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
