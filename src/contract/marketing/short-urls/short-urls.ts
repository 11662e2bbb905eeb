import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { crud } from '#contract/crud.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { choice, field, optionalText, record, requiredText } from '#contract/record.ts'
import { Visits } from '../visits.ts'
import { shortKey, webAddress } from './short-url-fields.ts'

/** Where a short URL leads. */
export const SHORT_URL_TARGETS = [
  { value: 'vehicle', label: 'Vehicle' },
  { value: 'form', label: 'Form' },
  { value: 'page', label: 'Promo page' },
  { value: 'url', label: 'Web address' },
] as const

/** Whether a short URL leads where it should, and if not, why. */
export const SHORT_URL_STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'usedUp', label: 'Clicks used up' },
  { value: 'sold', label: 'Sold: shows similar' },
  { value: 'unpublished', label: 'Vehicle not published' },
  { value: 'closed', label: 'Form closed' },
  { value: 'notShown', label: 'Page not published' },
  { value: 'missing', label: 'Target deleted' },
] as const
export type ShortUrlStatus = (typeof SHORT_URL_STATUSES)[number]['value']

/** What a web address answered when it was checked last. */
export const TARGET_ANSWERS = [
  { value: 'ok', label: 'Answers' },
  { value: 'elsewhere', label: 'Redirects to another site' },
  { value: 'refused', label: 'Refuses checks' },
  { value: 'gone', label: 'Page not found' },
  { value: 'failed', label: 'Answers with an error' },
  { value: 'certificate', label: 'Certificate not valid' },
  { value: 'unreachable', label: 'Not reachable' },
] as const
export type TargetAnswer = (typeof TARGET_ANSWERS)[number]['value']
/** What visitors most likely don't want: only people can say whether a redirect or a refusal is one. */
export const BROKEN_ANSWERS: readonly TargetAnswer[] = ['gone', 'failed', 'certificate', 'unreachable']
/** Working short URLs whose web address is broken, as a rule of the list. */
export const BROKEN_RULE = `status == "active" && answer in ${JSON.stringify(BROKEN_ANSWERS)}`

/** The last check of a web address. */
export const TargetCheck = z.object({
  answer: z.enum(TARGET_ANSWERS.map(({ value }) => value)),
  /** Of HTTP; null if nothing answered. */
  status: z.number().int().nullable(),
  /** The site that answered, if it is another one. */
  redirectedTo: z.string().nullable(),
  /** Why nothing answered. */
  reason: z.string().nullable(),
  checkedAt: Instant,
  /** The first check in a row with this answer and status. */
  since: Instant,
})
export type TargetCheck = z.infer<typeof TargetCheck>

const MAX_TAGS = 20
/** Of a sheet, which has twelve on a page. */
export const MAX_CODES = 120

export const DEVICES = [
  { value: 'phone', label: 'Phone' },
  { value: 'tablet', label: 'Tablet' },
  { value: 'desktop', label: 'Desktop' },
] as const
const DEVICE_NAMES = DEVICES.map(({ value }) => value)

/** A short URL with its fields in form order. Belongs to one organization; its key is unique per customer. */
export const shortUrlRecord = record(
  {
    /** What it is for. Visitors don't see it. */
    name: requiredText('Name', 100),
    /** A key without look-alike characters is made if none is given. */
    key: field('Key', { input: shortKey.optional(), stored: z.string(), blank: undefined }),
    target: choice('Opens', SHORT_URL_TARGETS, {
      message: 'Choose what the short URL opens.',
      initial: 'vehicle',
    }),
    vehicleId: field('Vehicle', {
      input: Id.nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    formId: field('Form', { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null }),
    pageId: field('Promo page', {
      input: Id.nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    url: field('Web address', {
      input: webAddress('Web address'),
      stored: z.string().nullable(),
      blank: null,
    }),
    /** One of the customer's verified public domains; null: the first. The others open it as well. */
    domain: optionalText('Domain', 253),
    expiresOn: field('Last day', {
      input: z.union([z.null(), z.literal('').transform(() => null), z.iso.date('Enter a date.')]).optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    /** Clicks of people after which it has ended. Counted within seconds, so some more may get through. */
    maxClicks: field('Clicks', {
      input: z
        .number('Clicks must be a number.')
        .int('Clicks must be a whole number.')
        .min(1, 'Allow at least 1 click.')
        .max(1_000_000_000, 'Allow at most 1,000,000,000 clicks.')
        .nullable()
        .optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
    tags: field('Tags', {
      input: z
        .array(line(40, 'Tag'))
        .max(MAX_TAGS, `A short URL can have at most ${MAX_TAGS} tags.`)
        .transform((tags) => [...new Set(tags)])
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    utmSource: optionalText('UTM source', 100),
    utmMedium: optionalText('UTM medium', 100),
    utmCampaign: optionalText('UTM campaign', 100),
    /** What chats show of the link; null: what they find at its target. */
    previewTitle: optionalText('Preview title', 100),
    previewPicture: field('Preview picture', {
      input: webAddress('Preview picture'),
      stored: z.string().nullable(),
      blank: null,
    }),
  },
  {
    readOnly: {
      organizationId: z.string(),
      organizationName: z.string(),
      status: z.enum(SHORT_URL_STATUSES.map(({ value }) => value)),
      /** The vehicle, the form, the page, or the web address; null if it was deleted or is out of reach. */
      targetTitle: z.string().nullable(),
      /** The public domain of its address; null if the customer has no verified one. */
      host: z.string().nullable(),
      /** The last check of the web address; null if it wasn't checked yet, and for what is on the customer's own sites. */
      check: TargetCheck.nullable(),
      answer: TargetCheck.shape.answer.nullable(),
      /** Clicks of people within the last 30 days. */
      clicks: z.number().int(),
    },
  },
)
export type ShortUrl = z.infer<typeof shortUrlRecord.schema>

export const SHORT_URL_LIST = defineList({
  key: 'shortUrls',
  title: 'Short URLs',
  nouns: ['short URL', 'short URLs'],
  page: '/administration/short-url',
  allow: can(Func.shortUrls, Opr.list),
  exports: can(Func.shortUrls, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Short URL', kind: 'text', isSortable: true, isFixed: true },
    key: { title: 'Key', kind: 'text', isSortable: true },
    target: {
      title: 'Opens',
      kind: 'choice',
      isFacet: true,
      isSortable: true,
      isHidden: true,
      choices: SHORT_URL_TARGETS,
    },
    targetTitle: { title: 'Target', kind: 'text', isHidden: true },
    status: { title: 'Status', kind: 'choice', isFacet: true, choices: SHORT_URL_STATUSES },
    answer: {
      title: 'Answer of the target',
      kind: 'choice',
      isFacet: true,
      isHidden: true,
      choices: TARGET_ANSWERS,
    },
    clicks: { title: 'Clicks in 30 days', kind: 'integer', isSortable: true },
    tags: { title: 'Tags', kind: 'texts', isFacet: true },
    expiresOn: { title: 'Last day', kind: 'date', isSortable: true, isHidden: true },
    maxClicks: { title: 'Most clicks', kind: 'integer', isSortable: true, isHidden: true },
    utmSource: { title: 'UTM source', kind: 'text', isHidden: true },
    utmMedium: { title: 'UTM medium', kind: 'text', isHidden: true },
    utmCampaign: { title: 'UTM campaign', kind: 'text', isHidden: true },
    organizationId: {
      title: 'Organization',
      kind: 'reference',
      refersTo: 'organizations',
      isSortable: true,
      isFacet: true,
      isHidden: true,
    },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

export const ShortUrlClicks = Visits.extend({
  /**
   * Leads of the last 30 days that came by it, as the list of leads has them with this filter. Null if the reader can't open that list,
   * and for a web address: other sites send no leads.
   */
  leads: z.object({ count: z.number().int(), filter: z.string() }).nullable(),
  /** Of the people of the last 30 days, most first. */
  devices: z.array(z.object({ device: z.enum(DEVICE_NAMES), people: z.number().int() })),
  /** The sites with the link, at most eight; blank: none, as from a QR code, an email or an app. */
  referrers: z.array(z.object({ referrer: z.string(), people: z.number().int() })),
})
export type ShortUrlClicks = z.infer<typeof ShortUrlClicks>

/** A key that visitors opened although no short URL has it. */
export const UnknownKey = z.object({
  key: z.string(),
  clicks: z.number().int(),
  firstAt: Instant,
  lastAt: Instant,
})
export type UnknownKey = z.infer<typeof UnknownKey>

export const shortUrls = {
  ...crud(shortUrlRecord, {
    list: SHORT_URL_LIST,
    func: Func.shortUrls,
    changes: ['/api/administration/get-unknown-short-keys'],
    summaries: {
      list: "Lists the short URLs within the caller's reach. Searches name, key, target, tags and campaign.",
      add: 'Adds a short URL. Without a key, it gets one. Returns 409 if the key is already in use.',
    },
  }),
  clicks: endpoint({
    method: 'GET',
    path: '/api/administration/get-short-url-clicks/{id}',
    allow: can(Func.shortUrls, Opr.read),
    summary: 'Returns the clicks of a short URL by day, of people, suspects and bots.',
    input: z.strictObject({ id: Id }),
    output: ShortUrlClicks,
  }),
  addMany: endpoint({
    method: 'POST',
    path: '/api/administration/add-short-url-lines',
    allow: can(Func.shortUrls, Opr.create),
    summary:
      'Adds many short URLs from lines: a target, a key or -, and a name. Adds all of them or none. Returns 400 with the lines that are wrong.',
    input: z.strictObject({
      lines: z
        .string('Lines must be text.')
        .overwrite(trimmed)
        .min(1, 'Enter at least one line.')
        .max(60_000, 'Enter at most 60,000 characters.'),
      tags: shortUrlRecord.fields.tags.create,
    }),
    output: z.object({ ids: z.array(z.string()) }),
    changes: ['/api/administration/get-short-urls', '/api/administration/get-unknown-short-keys'],
  }),
  sheet: endpoint({
    method: 'POST',
    path: '/api/administration/print-short-urls',
    allow: can(Func.shortUrls, Opr.read),
    kind: 'report',
    writes: false,
    outside: true,
    summary: `Returns the QR codes of up to ${MAX_CODES} short URLs as a PDF to print.`,
    input: z.strictObject({ selection: Selection }),
  }),
  unknownKeys: endpoint({
    method: 'GET',
    path: '/api/administration/get-unknown-short-keys',
    allow: can(Func.shortUrls, Opr.list),
    summary: 'Lists the keys that visitors opened although no short URL has them, the most opened first.',
    output: z.array(UnknownKey),
  }),
}
