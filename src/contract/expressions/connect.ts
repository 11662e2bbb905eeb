import type { Condition } from './tree.ts'

/** Negates a condition. A double negation is removed. */
export function not(part: Condition): Condition {
  if (part.op === 'not') return part.part
  return part.op === 'constant' ? { op: 'constant', holds: !part.holds } : { op: 'not', part }
}

/**
 * Combines conditions with "and" or "or". Nested ones of the same kind are flattened: `(a && b) && c` has three
 * parts.
 */
export function connect(op: 'and' | 'or', parts: readonly Condition[]): Condition {
  return { op, parts: parts.flatMap((part) => (part.op === op && 'parts' in part ? part.parts : [part])) }
}
