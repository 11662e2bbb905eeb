import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'

/** What is typed so far, once it is a colour; until then the product's own. */
export function knownColor(typed: string): string {
  const text = typed.trim().toLowerCase()
  return /^#[0-9a-f]{6}$/.test(text) ? text : DEFAULT_BRAND
}
