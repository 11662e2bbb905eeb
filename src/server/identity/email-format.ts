import type { Identity } from './identity.ts'

/** The recipient of an email. `title`: from the customer's first domain; null if there is none. */
type Reader = { firstName: string; fullName: string; userName: string; title: string | null }

/** The product's name when no domain of the customer sets one. */
export const productTitle = (title: string | null | undefined): string => title ?? 'Forecourt'

/** Variables about the recipient, available to every email template. */
export function readerVariables({ firstName, fullName, userName, title }: Reader) {
  return { firstName, fullName, userName, title: productTitle(title) }
}

/**
 * Base URL for links in an email: the customer's own domain, if the product has a public URL. Never the Host
 * header of a request, which the caller controls.
 */
export function productUrl(
  { settings, address }: Pick<Identity, 'settings' | 'address'>,
  domain: string | null,
): string {
  const origin = new URL(settings.publicUrl ?? address())
  if (domain !== null && settings.publicUrl !== null) origin.hostname = domain
  return origin.origin
}

/** "November 21, 2026 at 2:32 PM UTC". UTC because the recipient's time zone is unknown. */
export function formatMoment(instant: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  // ICU puts a narrow no-break space before AM and PM, which some mail readers show as a box.
  return `${format.format(new Date(instant)).replaceAll('\u202F', ' ')} UTC`
}
