/** The fields that were sent: those that were not are left out, not undefined. */
export function sentFields<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const name in changes) {
    const value = changes[name]
    if (isThere(value)) kept[name] = value
  }
  return kept
}
const isThere = <V>(value: V): value is Exclude<V, undefined> => value !== undefined
