/** Only the fields that were sent. Undefined fields are omitted. */
export function sentFields<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const sent: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const name in changes) {
    const value = changes[name]
    if (isDefined(value)) sent[name] = value
  }
  return sent
}
const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined
