/**
 * Reading JSON that our own server or our own storage wrote. The schemas of the contract would do it too, but they
 * bring 24 kB of zod, and the sign-in page comes before anything else.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object a text holds; null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** The text under a name, empty when there is none. */
export function readText(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

/** The number under a name, 0 when there is none. */
export function readNumber(record: Record<string, unknown>, name: string): number {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}
