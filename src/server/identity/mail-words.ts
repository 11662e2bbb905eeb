import type { Identity } from './identity.ts'

/** Whom a mail is for. `title`: of the customer's first domain; null where it has none. */
type Reader = { firstName: string; fullName: string; userName: string; title: string | null }

/** What the product is called where no domain of the customer names it. */
export const productTitle = (title: string | null | undefined): string => title ?? 'Forecourt'

/** What every mail to a person may say of its reader, under the names that templates use. */
export function readerVariables({ firstName, fullName, userName, title }: Reader) {
  return { firstName, fullName, userName, title: productTitle(title) }
}

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
