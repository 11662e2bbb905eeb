import type { Condition } from './tree.ts'

/** The opposite. Two opposites are none. */
export function not(part: Condition): Condition {
  if (part.op === 'not') return part.part
  return part.op === 'constant' ? { op: 'constant', holds: !part.holds } : { op: 'not', part }
}

/** All of them, or any. Those of the same kind inside are taken apart: `(a && b) && c` has three parts. */
export function connect(op: 'and' | 'or', parts: readonly Condition[]): Condition {
  return { op, parts: parts.flatMap((part) => (part.op === op && 'parts' in part ? part.parts : [part])) }
}
