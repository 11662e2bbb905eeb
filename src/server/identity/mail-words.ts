import type { Identity } from './identity.ts'

/**
 * Where a mail's links lead: to the customer's own domain, where the product has a public address at all. Never to the
 * Host of a request, which whoever asks may choose.
 */
export function productUrl(
  { settings, address }: Pick<Identity, 'settings' | 'address'>,
  domain: string | null,
): string {
  const origin = new URL(settings.publicUrl ?? address())
  if (domain !== null && settings.publicUrl !== null) origin.hostname = domain
  return origin.origin
}

/** "21 November 2026, 14:32 UTC": the reader's zone is not known. */
export function momentInWords(instant: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(new Date(instant)).replace(' at ', ', ')} UTC`
}
