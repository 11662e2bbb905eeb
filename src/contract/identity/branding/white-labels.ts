import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { WHITE_LABEL_LIST } from './white-label-list.ts'

/** Where a customer's people work, or where its buyers look. Links in mails lead to the first alone. */
export const PURPOSES = ['office', 'public'] as const

/** In bytes. A logo stands at the size of a word, a favicon at that of a letter. */
export const PICTURE_LIMITS = { logo: 200_000, favicon: 50_000 } as const
const FOOTER_LENGTH = 4_000

/** The elements a footer may hold; everything else falls away and leaves its text. */
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

/** How a domain of the customer looks, and how it is shown to be the customer's. */
export const DomainWhiteLabel = z.object({
  id: z.string(),
  domain: z.string(),
  purpose: z.enum(PURPOSES),
  title: z.string(),
  /** Paths of this server. */
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  /** HTML, sanitised. */
  footer: z.string(),
  brand: z.string(),
  /** Null: its brand shows to nobody and no mail leads there, until its record was found. */
  verifiedAt: Instant.nullable(),
  /** What to enter where the domain is kept: `TXT` shows whose it is, `CNAME` leads here. */
  records: z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type DomainWhiteLabel = z.infer<typeof DomainWhiteLabel>

/** Names of other scripts travel in their ASCII form, `xn--`. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

const Domain = z
  .string('Domain is required.')
  .trim()
  .toLowerCase()
  .min(1, 'Domain is required.')
  .max(253, 'A domain may have at most 253 characters.')
  .regex(DOMAIN, 'This is not a domain. It looks like cars.example.com, without https://')

/** The path of one that is kept, a new one as a data address, or none. Four signs carry three bytes. */
const picture = (most: number) =>
  z
    .string('This is not a picture.')
    .max(Math.ceil(most / 3) * 4 + 100, `This picture is too large: at most ${most / 1000} kB.`)
    .regex(
      /^(|\/api\/auth\/brand-picture\/[0-9a-f]{64}|data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2})$/,
      'This is not a picture.',
    )
    .transform((text) => (text === '' ? null : text))
    .nullable()

const given = {
  domain: Domain,
  purpose: z.enum(PURPOSES, 'Choose the back office or public pages.'),
  title: line(80, 'Title'),
  logo: picture(PICTURE_LIMITS.logo),
  favicon: picture(PICTURE_LIMITS.favicon),
  footer: z
    .string('Footer must be text.')
    .trim()
    .max(FOOTER_LENGTH, `The footer may have at most ${FOOTER_LENGTH} characters.`)
    .refine((text) => text.isWellFormed(), 'The footer has characters that cannot be kept.'),
  brand: z
    .string('Colour must be text.')
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'A colour looks like #0b6e4f.'),
}

/** Without `id` a new one, which needs domain and title; with it only what is sent is changed. */
export const DomainWhiteLabelSave = z
  .strictObject({
    id: Id.optional(),
    version: Version,
    domain: given.domain.optional(),
    purpose: given.purpose.optional(),
    title: given.title.optional(),
    logo: given.logo.optional(),
    favicon: given.favicon.optional(),
    footer: given.footer.optional(),
    brand: given.brand.optional(),
  })
  .superRefine(({ id, domain, title }, context) => {
    if (id !== undefined) return
    if (domain === undefined)
      context.addIssue({ code: 'custom', path: ['domain'], message: 'Domain is required.' })
    if (title === undefined)
      context.addIssue({ code: 'custom', path: ['title'], message: 'Title is required.' })
  })

/** What came of looking for a domain's record, as a sentence besides. */
export const DomainCheck = z.object({ whiteLabel: DomainWhiteLabel, said: z.string() })
export type DomainCheck = z.infer<typeof DomainCheck>

export const whiteLabels = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/domain-white-label',
    allow: can(Func.whiteLabel, Opr.list),
    summary: 'The domains of the customer with their looks, as a queried list.',
    input: listQuery(WHITE_LABEL_LIST),
    output: queriedList(DomainWhiteLabel),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/domain-white-label/{id}',
    allow: can(Func.whiteLabel, Opr.read),
    summary: 'One domain with its look and the records to set.',
    input: z.strictObject({ id: Id }),
    output: DomainWhiteLabel,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/administration/domain-white-label',
    allow: { anyOf: [can(Func.whiteLabel, Opr.create), can(Func.whiteLabel, Opr.update)] },
    summary:
      'Adds a domain, or changes the one whose `id` is given. A domain that anybody has already answers 409.',
    input: DomainWhiteLabelSave,
    output: DomainWhiteLabel,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/domain-white-label/{id}',
    allow: can(Func.whiteLabel, Opr.delete),
    summary: 'Gives a domain up. The product then looks there as it does everywhere else.',
    input: z.strictObject({ id: Id }),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/administration/verify-domain-white-label',
    allow: can(Func.whiteLabel, Opr.update),
    summary: "Looks for the domain's TXT record. Staff of the platform vouch for it without one.",
    input: z.strictObject({ id: Id }),
    output: DomainCheck,
    outside: true,
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/auth/brand-picture/{hash}',
    kind: 'download',
    allow: 'anyone',
    summary: 'A logo or favicon by the SHA-256 of its bytes. Never shown as a page of its own.',
    input: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'This is not the hash of a picture.') }),
  }),
  isServed: endpoint({
    method: 'GET',
    path: '/api/auth/allowed-domain',
    allow: 'anyone',
    summary:
      'Whether this installation answers on a domain: 200 or 404. For proxies that get certificates on demand.',
    input: z.strictObject({ domain: z.string().max(253) }),
  }),
}
