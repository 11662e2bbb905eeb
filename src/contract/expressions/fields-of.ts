import type { Condition, Value } from './tree.ts'

/** The fields that a rule or formula reads, and those among them that it compares with null. */
export function fieldsOfTree(tree: Condition | Value): { all: Set<string>; comparedWithNull: Set<string> } {
  const found = { all: new Set<string>(), comparedWithNull: new Set<string>() }
  walk(tree, found)
  return found
}

function walk(node: unknown, found: { all: Set<string>; comparedWithNull: Set<string> }): void {
  if (Array.isArray(node)) {
    for (const part of node) walk(part, found)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if ('field' in node && typeof node.field === 'string') found.all.add(node.field)
  const isNullTest = 'op' in node && node.op === 'missing' && 'of' in node
  if (isNullTest && typeof node.of === 'object' && node.of !== null && 'field' in node.of) {
    if (typeof node.of.field === 'string') found.comparedWithNull.add(node.of.field)
  }
  for (const part of Object.values(node)) walk(part, found)
}
