import { isRecord } from '#web/api/read-json.ts'

/**
 * What was saved, with the spaces around its texts as they were typed: the server stores texts without them, and in a form the
 * cursor would jump.
 */
export function withTypedSpaces<T>(typed: unknown, saved: T): T
export function withTypedSpaces(typed: unknown, saved: unknown): unknown {
  if (typeof typed === 'string' && typeof saved === 'string')
    return typed.trim() === saved.trim() ? typed : saved
  if (Array.isArray(typed) && Array.isArray(saved))
    return typed.length === saved.length ? saved.map((one, at) => withTypedSpaces(typed[at], one)) : saved
  if (!isRecord(typed) || !isRecord(saved)) return saved
  const parts = Object.entries(saved).map(
    ([name, part]) => [name, withTypedSpaces(typed[name], part)] as const,
  )
  return Object.fromEntries(parts)
}
