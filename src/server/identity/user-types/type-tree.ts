type Node = { id: string; parentId: string | null; name: string }

/**
 * The subtree of `topId`, or all types if it is null: parents before children, siblings by name, each with
 * its depth. A type whose parent is missing is treated as a top-level type.
 */
export function walkTree<T extends Node>(
  types: readonly T[],
  topId: string | null,
): (T & { depth: number })[] {
  const known = new Set(types.map(({ id }) => id))
  const children = Map.groupBy(types, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  )
  const tops = topId === null ? (children.get(null) ?? []) : types.filter(({ id }) => id === topId)
  const walk = (siblings: readonly T[], depth: number): (T & { depth: number })[] =>
    siblings
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
      .flatMap((type) => [{ ...type, depth }, ...walk(children.get(type.id) ?? [], depth + 1)])
  return walk(tops, 0)
}

/** IDs of a type and all its descendants. */
export function idsBelow(types: readonly Node[], topId: string): Set<string> {
  return new Set(walkTree(types, topId).map(({ id }) => id))
}
