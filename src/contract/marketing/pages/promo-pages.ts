import { z } from 'zod'
import { crud } from '#contract/crud.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, flag, optionalText, record, requiredText } from '#contract/record.ts'
import { versionedDocument } from '#contract/versioned-document.ts'
import { Visits } from '../visits.ts'
import { StoredBlocks } from './blocks.ts'
import { PageFacts } from './lint-page.ts'

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_SLUG = 60

/** What visitors get. `draft`: never published. `scheduled`: its first version starts later. `ended`: its last day is over. */
export const PAGE_STATUSES = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'ended', label: 'Ended' },
  { value: 'unpublished', label: 'Not published' },
] as const
export type PageStatus = (typeof PAGE_STATUSES)[number]['value']
const STATUSES = PAGE_STATUSES.map(({ value }) => value)

const day = (label: string) =>
  field(label, {
    input: z
      .union([z.null(), z.literal('').transform(() => null), z.iso.date('Enter a date.')], 'Enter a date.')
      .optional(),
    stored: z.string().nullable(),
    blank: null,
  })
const reference = (label: string) =>
  field(label, { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null })

/** A promo page, with its fields in form order. Title, description, blocks and days are what a version keeps. */
export const promoPageRecord = record(
  {
    name: requiredText('Name', 100),
    slug: field('Address', {
      input: z
        .string('Address must be text.')
        .trim()
        .toLowerCase()
        .min(1, 'Address is required.')
        .max(MAX_SLUG, `Address may have at most ${MAX_SLUG} characters.`)
        .regex(SLUG, 'Use letters from a to z, digits and hyphens, such as truck-clearance.'),
      stored: z.string(),
      blank: '',
    }),
    /** The store that the page belongs to; null: all of them. */
    lotId: reference('Lot'),
    layoutId: reference('Layout'),
    title: requiredText('Title', 100),
    description: optionalText('Description', 300),
    blocks: field('Blocks', { input: StoredBlocks.optional(), stored: StoredBlocks, blank: [] }),
    /** In the customer's time zone: from its beginning, and to the end of the last day. */
    startsOn: day('First day'),
    endsOn: day('Last day'),
    /** At the address of the site itself, where the list of vehicles is otherwise. One page at most. */
    isHome: flag('Home page of the site', { initial: false }),
    isInMenu: flag('Show in the menu of the site', { initial: false }),
    isInFooter: flag('Show in the footer of the site', { initial: false }),
  },
  {
    readOnly: {
      status: z.enum(STATUSES),
      /** The newest version; null before the first. */
      publishedNumber: z.number().int().nullable(),
      publishedAt: Instant.nullable(),
      /** The version that visitors see now; null if none. */
      liveNumber: z.number().int().nullable(),
      /** When the newest version starts, if visitors see an older one until then. */
      nextOn: z.string().nullable(),
      /** The draft differs from the newest version. */
      hasChanges: z.boolean(),
      layoutName: z.string().nullable(),
      lotName: z.string().nullable(),
      /** Leads that came from the page, as far as the reader may see them. */
      leads: z.number().int(),
      /** What visitors see has something that would stop its publication today, or refers to a vehicle that is no longer shown. */
      needsLook: z.boolean(),
      /** How many findings the linter has about what visitors see. */
      findings: z.number().int(),
      /** It belongs to organizations that the reader doesn't manage. */
      isReadOnly: z.boolean(),
    },
  },
)
/** Why a user of one organization can't change a page of others. */
export const FOREIGN_PAGE =
  'This page belongs to other organizations. Only users with access to the whole customer can change it.'
export type PromoPage = z.infer<typeof promoPageRecord.schema>

export const PAGE_LIST = defineList({
  key: 'promoPages',
  title: 'Promo pages',
  nouns: ['promo page', 'promo pages'],
  page: '/administration/promo-pages',
  allow: can(Func.promoPages, Opr.list),
  exports: can(Func.promoPages, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Page', kind: 'text', isSortable: true, isFixed: true },
    slug: { title: 'Address', kind: 'text', isSortable: true },
    status: { title: 'Status', kind: 'choice', isSortable: true, isFacet: true, choices: PAGE_STATUSES },
    hasChanges: { title: 'Changed since', kind: 'flag', isFacet: true, isHidden: true },
    needsLook: { title: 'Needs a look', kind: 'flag', isFacet: true, isHidden: true },
    findings: { title: 'Findings', kind: 'integer', isSortable: true, isHidden: true },
    lotName: { title: 'Lot', kind: 'text', isHidden: true },
    layoutName: { title: 'Layout', kind: 'text', isHidden: true },
    leads: { title: 'Leads', kind: 'integer', isSortable: true },
    startsOn: { title: 'First day', kind: 'date', isSortable: true, isHidden: true },
    endsOn: { title: 'Last day', kind: 'date', isSortable: true },
    publishedAt: { title: 'Published', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** A published version. It never changes. */
export const PageVersion = promoPageRecord.schema
  .pick({ title: true, description: true, blocks: true, startsOn: true, endsOn: true })
  .extend({ number: z.number().int(), publishedAt: Instant, publishedBy: z.string().nullable() })
export type PageVersion = z.infer<typeof PageVersion>

/** As `recordTable` handles them. */
export const pageRecordCalls = crud(promoPageRecord, { list: PAGE_LIST, func: Func.promoPages })
const { list, get, add, update, publish, discardDraft, versions, version, remove, stale } = versionedDocument(
  promoPageRecord,
  {
    list: PAGE_LIST,
    base: '/api/administration',
    func: Func.promoPages,
    row: promoPageRecord.schema,
    versions: { listed: PageVersion, whole: PageVersion },
    summaries: {
      list: 'Lists the promo pages of the customer. Searches name, address and title.',
      add: 'Adds a promo page as a draft. Returns 409 if the name or the address is already in use, 400 with the block that breaks a rule.',
      update:
        'Changes a promo page. Changed blocks are a draft until it is published; a changed address redirects from the former one. Returns 400 with the block that breaks a rule of its layout or has a price typed by hand.',
      publish:
        'Publishes the draft as the next version, from its first day on. Returns 400 with what is missing or may not be advertised, 409 if the draft has changed since `version`.',
      remove: 'Deletes a promo page.',
    },
  },
)

export const promoPages = {
  list,
  get,
  add,
  update: { ...update, changes: [...update.changes, '/api/administration/get-promo-page-facts/{id}'] },
  /** It reads pictures. */
  publish: { ...publish, outside: true as const },
  discardDraft,
  unpublish: endpoint({
    method: 'POST',
    path: '/api/administration/unpublish-promo-page',
    allow: can(Func.promoPages, Opr.execute),
    summary:
      'Takes a promo page from the site: its visitors read that it has ended. Publishing shows it again.',
    input: z.strictObject({ id: Id }),
    output: promoPageRecord.schema,
    changes: stale.changed,
  }),
  facts: endpoint({
    method: 'GET',
    path: '/api/administration/get-promo-page-facts/{id}',
    allow: can(Func.promoPages, Opr.read),
    summary:
      'Returns what the rules of advertising ask about the customer: the price laws of the lots, and whether there are fees, certified vehicles and disclaimers.',
    input: z.strictObject({ id: Id }),
    output: PageFacts,
  }),
  visits: endpoint({
    method: 'GET',
    path: '/api/administration/get-promo-page-visits/{id}',
    allow: can(Func.promoPages, Opr.read),
    summary:
      'Returns the visits of a promo page by day, of people, suspects and bots, and the leads of its forms in these days.',
    input: z.strictObject({ id: Id }),
    output: Visits,
  }),
  previewLink: endpoint({
    method: 'GET',
    path: '/api/administration/get-promo-page-preview/{id}',
    allow: can(Func.promoPages, Opr.read),
    summary:
      'Returns a link to the draft on the public site of the customer. Everyone who has the link can open it, for an hour.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      /** On the public site of the customer. */
      path: z.string(),
      endsAt: Instant,
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/administration/preview-promo-page',
    allow: can(Func.promoPages, Opr.read),
    summary:
      'Returns a promo page as visitors would see it, with unsaved content and the vehicles and prices of now. Nothing is saved.',
    input: z.strictObject({
      id: Id,
      title: z.string('Title must be text.').max(100, 'Title may have at most 100 characters.'),
      blocks: StoredBlocks,
      layoutId: Id.nullable(),
      /** What ends or counts down is shown as on this day; null: today. */
      on: z.iso.date('Enter a date.').nullable(),
    }),
    output: z.object({
      /** The whole document, without scripts. Before each block is a `template` whose `data-block` is its ID. */
      html: z.string(),
    }),
    writes: false,
    outside: true,
  }),
  versions,
  version,
  remove,
  removeMany: pageRecordCalls.removeMany,
}
