/**
 * Reads JSON from our own server or storage. The contract's schemas could do it too, but zod adds 24 kB to the
 * sign-in page.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses an object; null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** A text property, empty if missing. */
export function readText(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

/** A number property, 0 if missing. */
export function readNumber(record: Record<string, unknown>, name: string): number {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}
