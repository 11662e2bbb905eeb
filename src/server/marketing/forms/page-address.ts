import { campaignOf, lineOf } from '#contract/marketing/forms/form-body.ts'

const MAX_ADDRESS = 8_000

/**
 * The address of a page as it is kept: path and campaign parameters. Everything else may be a secret, such as the link to
 * someone's account. Null if it isn't the address of a page.
 */
export function knownAddress(text: string | null, most: number): string | null {
  const line = lineOf(text, MAX_ADDRESS)
  if (line === null || !URL.canParse(line)) return null
  const { protocol, origin, pathname, searchParams } = new URL(line)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const query = new URLSearchParams(campaignOf(searchParams)).toString()
  return `${origin}${pathname}${query === '' ? '' : `?${query}`}`.slice(0, most)
}
