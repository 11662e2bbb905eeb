/**
 * Looks keys up together: those that arrive while a lookup runs share the next one. However many arrive, one connection is used
 * at a time, so that guessed keys take none from others.
 * @param lookUp finds the values of some different keys. A key that doesn't exist has none.
 */
export function batched<Value>(
  lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let current: Promise<unknown> = Promise.resolve()
  let next: { keys: Set<string>; found: Promise<ReadonlyMap<string, Value>> } | null = null
  return async (key) => {
    if (next === null) {
      const keys = new Set<string>()
      const found = current.then(() => {
        next = null
        return lookUp([...keys])
      })
      current = found.catch(() => {})
      next = { keys, found }
    }
    next.keys.add(key)
    return (await next.found).get(key)
  }
}
