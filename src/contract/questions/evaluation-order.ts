/**
 * Orders names so that each comes after those it needs; names that aren't keys are ignored. Names without needs keep
 * their order. `cycle`: names that need each other, the first of them at both ends; null if there are none.
 */
export function orderByNeeds(needs: ReadonlyMap<string, readonly string[]>): {
  order: string[]
  cycle: string[] | null
} {
  const order: string[] = []
  const done = new Set<string>()
  for (const start of needs.keys()) {
    // Without recursion: a chain of questions may be as long as the definition.
    const path: { name: string; open: string[] }[] = done.has(start) ? [] : [open(start, needs)]
    const onPath = new Set(path.map(({ name }) => name))
    while (path.length > 0) {
      const last = path.at(-1)
      const next = last?.open.shift()
      if (last !== undefined && next === undefined) {
        path.pop()
        onPath.delete(last.name)
        done.add(last.name)
        order.push(last.name)
      } else if (next !== undefined && onPath.has(next)) {
        const names = path.map(({ name }) => name)
        return { order, cycle: [...names.slice(names.indexOf(next)), next] }
      } else if (next !== undefined && !done.has(next)) {
        path.push(open(next, needs))
        onPath.add(next)
      }
    }
  }
  return { order, cycle: null }
}

function open(name: string, needs: ReadonlyMap<string, readonly string[]>): { name: string; open: string[] } {
  return { name, open: (needs.get(name) ?? []).filter((one) => needs.has(one)) }
}
