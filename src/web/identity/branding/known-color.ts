import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'

/** The typed color once it is valid; until then the default brand color. */
export function knownColor(typed: string): string {
  const text = typed.trim().toLowerCase()
  return /^#[0-9a-f]{6}$/.test(text) ? text : DEFAULT_BRAND
}
