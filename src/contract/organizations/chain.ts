/** The facility and its ancestors, from the top down. A missing parent ends the chain. */
export function chainOf<F extends { id: string; parentId: string | null }>(
  facilities: readonly F[],
  id: string,
): F[] {
  const byId = new Map(facilities.map((facility) => [facility.id, facility]))
  const chain: F[] = []
  let next = byId.get(id)
  while (next !== undefined && !chain.includes(next)) {
    chain.unshift(next)
    next = next.parentId === null ? undefined : byId.get(next.parentId)
  }
  return chain
}
