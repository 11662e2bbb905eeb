/**
 * A text without control characters except tabs and line breaks, and without halves of characters. XML doesn't allow them, and
 * PostgreSQL doesn't store all of them.
 */
export function withoutForbidden(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
}
