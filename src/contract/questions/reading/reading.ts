import type { Answer } from '../answers.ts'
import type { ProblemCode } from '../problem-messages.ts'

/** What is wrong with an answer, without its question. `fill` is the number or date in the message. */
export type Flaw = Readonly<{ code: ProblemCode; fill?: string | number; row?: number; column?: string }>
/** A valid answer in its stored form, or what is wrong with it; null if there is none. */
export type Reading = Readonly<{ value: Answer } | { flaws: readonly Flaw[] }> | null

/** A reading with one flaw. */
export function flaw(code: ProblemCode, fill?: string | number): { flaws: readonly Flaw[] } {
  return { flaws: [fill === undefined ? { code } : { code, fill }] }
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether an object has no other keys. */
export function hasOnly(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}
