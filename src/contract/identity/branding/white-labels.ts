import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { WHITE_LABEL_LIST } from './white-label-list.ts'

/**
 * `office`: where a customer's staff work; `public`: where its buyers look. Links in emails use only `office`
 * domains.
 */
export const PURPOSES = ['office', 'public'] as const

/** In bytes. A logo is shown at the size of a word, a favicon at the size of a letter. */
export const PICTURE_LIMITS = { logo: 200_000, favicon: 50_000 } as const
const FOOTER_LENGTH = 4_000

/** Elements allowed in a footer. All others are removed; their text stays. */
export const FOOTER_TAGS = [
  'a',
  'b',
  'br',
  'em',
  'i',
  'img',
  'li',
  'p',
  'small',
  'span',
  'strong',
  'ul',
] as const

/** A customer's domain: its branding and proof of ownership. */
export const DomainWhiteLabel = z.object({
  id: z.string(),
  domain: z.string(),
  purpose: z.enum(PURPOSES),
  title: z.string(),
  /** Paths on this server. */
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  /** Sanitized HTML. */
  footer: z.string(),
  brand: z.string(),
  /** Null until its DNS record is found: the branding isn't shown and no emails link to the domain. */
  verifiedAt: Instant.nullable(),
  /** DNS records to add: `TXT` proves ownership, `CNAME` points the domain here. */
  records: z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type DomainWhiteLabel = z.infer<typeof DomainWhiteLabel>

/** Internationalized names are sent in their ASCII form, `xn--`. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

const Domain = z
  .string('Domain is required.')
  .trim()
  .toLowerCase()
  .min(1, 'Domain is required.')
  .max(253, 'A domain can have at most 253 characters.')
  .regex(DOMAIN, 'Enter a domain such as cars.example.com, without https://')

/**
 * The path of a saved picture, a data URL of a new one, or empty for none. In base64, four characters carry
 * three bytes.
 */
const picture = (maxBytes: number) =>
  z
    .string("This isn't a picture.")
    .max(Math.ceil(maxBytes / 3) * 4 + 100, `This picture is too large. The limit is ${maxBytes / 1000} kB.`)
    .regex(
      /^(|\/api\/auth\/brand-picture\/[0-9a-f]{64}|data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2})$/,
      "This isn't a picture.",
    )
    .transform((text) => (text === '' ? null : text))
    .nullable()

const fields = {
  domain: Domain,
  purpose: z.enum(PURPOSES, 'Choose back office or public pages.'),
  title: line(80, 'Title'),
  logo: picture(PICTURE_LIMITS.logo),
  favicon: picture(PICTURE_LIMITS.favicon),
  footer: z
    .string('Footer must be text.')
    .trim()
    .max(FOOTER_LENGTH, `The footer can have at most ${FOOTER_LENGTH} characters.`)
    .refine((text) => text.isWellFormed(), "The footer contains characters that can't be saved."),
  brand: z
    .string('Color must be text.')
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Enter a hex color like #0b6e4f.'),
}

/**
 * Without `id`, adds a domain (domain and title required). With `id`, changes only the fields that are sent.
 */
export const DomainWhiteLabelSave = z
  .strictObject({
    id: Id.optional(),
    version: Version,
    domain: fields.domain.optional(),
    purpose: fields.purpose.optional(),
    title: fields.title.optional(),
    logo: fields.logo.optional(),
    favicon: fields.favicon.optional(),
    footer: fields.footer.optional(),
    brand: fields.brand.optional(),
  })
  .superRefine(({ id, domain, title }, context) => {
    if (id !== undefined) return
    if (domain === undefined)
      context.addIssue({ code: 'custom', path: ['domain'], message: 'Domain is required.' })
    if (title === undefined)
      context.addIssue({ code: 'custom', path: ['title'], message: 'Title is required.' })
  })

/** Result of checking a domain's DNS record; `message` is a sentence for the user. */
export const DomainCheck = z.object({ whiteLabel: DomainWhiteLabel, message: z.string() })
export type DomainCheck = z.infer<typeof DomainCheck>

export const whiteLabels = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/domain-white-label',
    allow: can(Func.whiteLabel, Opr.list),
    summary: "The customer's domains with their branding, as a queried list.",
    input: listQuery(WHITE_LABEL_LIST),
    output: queriedList(DomainWhiteLabel),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/domain-white-label/{id}',
    allow: can(Func.whiteLabel, Opr.read),
    summary: 'One domain with its branding and the DNS records to add.',
    input: z.strictObject({ id: Id }),
    output: DomainWhiteLabel,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/administration/domain-white-label',
    allow: { anyOf: [can(Func.whiteLabel, Opr.create), can(Func.whiteLabel, Opr.update)] },
    summary: 'Adds a domain, or changes the one with the given `id`. 409 if the domain is already in use.',
    input: DomainWhiteLabelSave,
    output: DomainWhiteLabel,
    changes: ['/api/administration/domain-white-label'],
  }),
  remove: endpoint({
    ...deletionOf(DomainWhiteLabel),
    path: '/api/administration/domain-white-label/{id}',
    allow: can(Func.whiteLabel, Opr.delete),
    summary: 'Removes a domain. It then shows the default branding.',
    changes: ['/api/administration/domain-white-label'],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/administration/verify-domain-white-label',
    allow: can(Func.whiteLabel, Opr.update),
    summary: "Checks the domain's TXT record. Platform staff can verify a domain without one.",
    input: z.strictObject({ id: Id }),
    output: DomainCheck,
    outside: true,
    changes: ['/api/administration/domain-white-label'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/auth/brand-picture/{hash}',
    kind: 'download',
    allow: 'anyone',
    summary: 'A logo or favicon by the SHA-256 of its bytes. Never served as a page.',
    input: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/, "This isn't a picture hash.") }),
  }),
  isServed: endpoint({
    method: 'GET',
    path: '/api/auth/allowed-domain',
    allow: 'anyone',
    summary:
      'Whether this installation serves a domain: 200 or 404. For proxies that request certificates on demand.',
    input: z.strictObject({ domain: z.string().max(253) }),
  }),
}
