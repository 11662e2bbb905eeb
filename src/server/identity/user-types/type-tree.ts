type Node = { id: string; parentId: string | null; name: string }

/**
 * The types from `topId` on, or all where it is null: parents before children, sisters by name, each with its depth.
 * A type whose parent is not among them stands at the top.
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

/** A type with everything below it. */
export function idsBelow(types: readonly Node[], topId: string): Set<string> {
  return new Set(walkTree(types, topId).map(({ id }) => id))
}
