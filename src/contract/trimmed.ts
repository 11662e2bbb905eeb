/** Anything but spaces, control characters, characters that are ignored where they are shown, and the empty Braille pattern. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * A text without spaces around it; empty if nothing of it can be seen: a zero-width space is no name. In schemas,
 * `.overwrite(trimmed)` takes the place of `.trim()` where a text is required.
 */
export function trimmed(text: string): string {
  return VISIBLE.test(text) ? text.trim() : ''
}
