import type { Kysely } from 'kysely'
import type { WhiteLabel } from '#contract/identity/auth.ts'
import { FOOTER_TAGS } from '#contract/identity/branding/white-labels.ts'
import type { DB } from '#server/database/schema.ts'
import { productTitle } from '../email-format.ts'

/** Default branding for domains that no customer has added. */
const PRODUCT: WhiteLabel = {
  logo: null,
  favicon: '/favicon.svg',
  title: productTitle(null),
  footer: 'Forecourt, the back office for dealer groups',
  brand: '#0b6e4f',
}

/** The branding of the host a page was opened on. The footer is sanitized again, whatever is stored. */
export async function whiteLabelOf(iam: Kysely<DB>, host: string): Promise<WhiteLabel> {
  const found = await iam
    .selectFrom('whiteLabels')
    .innerJoin('customers', 'customers.id', 'whiteLabels.customerId')
    .select(['logo', 'favicon', 'title', 'footer', 'brand'])
    .where('domain', '=', host)
    // An unverified domain could belong to anyone.
    .where('verifiedAt', 'is not', null)
    .where('customers.status', '=', 'active')
    .executeTakeFirst()
  return found ? { ...found, footer: await cleanFooter(found.footer) } : PRODUCT
}

/** Keeps text, links and pictures over https; removes scripts, styles and embeds. */
export async function cleanFooter(html: string): Promise<string> {
  if (html === '') return ''
  // Loaded on demand, with the first footer of a customer.
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, {
    allowedTags: [...FOOTER_TAGS],
    allowedAttributes: { a: ['href', 'title', 'rel', 'target'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer', target: '_blank' }) },
  })
}
