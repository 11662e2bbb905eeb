import { z } from 'zod'
import { isPhone, NO_PHONE } from '#contract/contact.ts'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import { crud } from '#contract/crud.ts'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, TimeZone } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { defineList } from '#contract/lists/list.ts'
import { Selection } from '#contract/lists/selection.ts'
import { Holidays, OpeningHours } from '#contract/opening-hours.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { choice, field, optionalText, record, requiredText } from '#contract/record.ts'

/** What a lot is for, in form order. */
export const LOT_TYPES = [
  { value: 'new', label: 'New' },
  { value: 'used', label: 'Used' },
  { value: 'both', label: 'New and used' },
  { value: 'service', label: 'Service' },
] as const

/** Normalizes a dealer ID for comparison: providers differ in padding and capitalization. */
export function dealerKey(dealerId: string): string {
  return dealerId.trim().toLowerCase()
}

/** A vehicle location, with its fields in form order. Belongs to one organization; its code is unique per customer. */
export const lotRecord = record(
  {
    code: field('Code', {
      // Checked again after uppercasing: some letters become two.
      input: line(20, 'Code')
        .transform((code) => code.toUpperCase())
        .pipe(z.string().max(20, 'Code can have at most 20 characters.')),
      stored: z.string(),
      blank: '',
    }),
    name: requiredText('Name', 100),
    type: choice('Type', LOT_TYPES, {
      message: 'Type must be new, used, both or service.',
      initial: 'both',
    }),
    /** A new lot without an organization belongs to the user's current one. */
    organizationId: field('Organization', { input: Id.optional(), stored: z.string(), blank: undefined }),
    address: optionalText('Address', 200),
    city: optionalText('City', 100),
    region: optionalText('State or province', 60),
    postalCode: optionalText('Postal code', 16),
    phone: field('Phone', {
      input: z
        .union([z.null(), z.literal('').transform(() => null), z.string().trim().refine(isPhone, NO_PHONE)])
        .optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    /** Null: the time zone of the lot's organization. */
    timeZone: field('Time zone', {
      input: z.union([TimeZone, z.null()]).optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    /** Null: the rules of the lot's state, otherwise those of the customer (price-laws.ts). */
    priceLaw: field('Price advertising rules', {
      input: z.enum(PRICE_LAW_CODES, 'Choose the price advertising rules.').nullable().optional(),
      stored: z.enum(PRICE_LAW_CODES).nullable(),
      blank: null,
    }),
    makes: field('Makes', {
      input: z.array(line(40, 'Make')).max(50, 'A lot can have at most 50 makes.').optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    /** IDs that feed providers use for it; each belongs to one lot of the customer. */
    dealerIds: field('Dealer IDs', {
      input: z
        .array(line(100, 'Dealer ID'))
        .max(50, 'A lot can have at most 50 dealer IDs.')
        .refine(
          (ids) => new Set(ids.map(dealerKey)).size === ids.length,
          'Each dealer ID can be listed only once.',
        )
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    /** Local time in `zone`; empty: unknown. */
    hours: field('Opening hours', { input: OpeningHours.optional(), stored: OpeningHours, blank: [] }),
    /** Dates whose hours differ from the weekly hours, ascending. */
    holidays: field('Holidays', { input: Holidays.optional(), stored: Holidays, blank: [] }),
    isPublic: field('On public pages', {
      input: z.boolean('Choose whether to show the lot on public pages.').optional(),
      stored: z.boolean(),
      blank: true,
    }),
  },
  {
    readOnly: {
      organizationName: z.string(),
      /** Whether buyers see it: on public pages, and not of an archived organization. */
      isVisible: z.boolean(),
      /** It sells vehicles under a price law, and the details of the company have no fee for it. A fee of 0 says that there is none. */
      lacksFees: z.boolean(),
      /** The time zone in effect: the lot's own, or its organization's. */
      zone: z.string(),
    },
  },
)
export type Lot = z.infer<typeof lotRecord.schema>
export type NewLot = z.input<typeof lotRecord.create>

export const LOT_LIST = defineList({
  key: 'lots',
  title: 'Lots',
  nouns: ['lot', 'lots'],
  page: '/customers/lots',
  allow: can(Func.lots, Opr.list),
  exports: can(Func.lots, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Lot', kind: 'text', isSortable: true, isFixed: true },
    code: { title: 'Code', kind: 'text', isSortable: true },
    type: {
      title: 'Type',
      kind: 'choice',
      isFacet: true,
      isSortable: true,
      choices: LOT_TYPES,
    },
    address: { title: 'Address', kind: 'text' },
    city: { title: 'City', kind: 'text', isSortable: true, isHidden: true },
    region: { title: 'State or province', kind: 'text', isHidden: true },
    postalCode: { title: 'Postal code', kind: 'text', isHidden: true },
    phone: { title: 'Phone', kind: 'text', isHidden: true },
    organizationId: {
      title: 'Organization',
      kind: 'reference',
      refersTo: 'organizations',
      isSortable: true,
      isFacet: true,
    },
    makes: { title: 'Makes', kind: 'texts', isHidden: true, isFacet: true },
    hours: { title: 'Opening hours', kind: 'text' },
    isPublic: { title: 'On public pages', kind: 'flag' },
    /** On public pages, and not of an archived organization. */
    isVisible: { title: 'Visible to buyers', kind: 'flag', isColumn: false },
    lacksFees: { title: 'Fees missing', kind: 'flag', isHidden: true },
    timeZone: { title: 'Time zone', kind: 'text', isHidden: true, isFacet: true },
    dealerIds: { title: 'Dealer IDs', kind: 'texts', isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** What the words about lots mean, as rules of the list. */
export const LOT_RULES = {
  all: '',
  visible: 'isVisible',
  withoutAddress: 'address == null',
  withoutFees: 'isVisible && lacksFees',
} as const

/** A whole response is accepted; what can't be changed is ignored. */
const LotChange = z
  .strictObject({
    ...lotRecord.changes.shape,
    organizationName: z.unknown().optional(),
    isVisible: z.unknown().optional(),
    lacksFees: z.unknown().optional(),
    zone: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
    confirmPrices: ConfirmPrices,
  })
  .transform(
    ({
      organizationName: _name,
      isVisible: _visible,
      lacksFees: _fees,
      zone: _zone,
      updatedAt: _at,
      updatedBy: _by,
      ...change
    }) => change,
  )

const calls = crud(lotRecord, {
  list: LOT_LIST,
  func: Func.lots,
  changes: ['/api/home/dashboard'],
  summaries: {
    list: "Lists the lots within the caller's reach. Searches code, name, address and make.",
    add: 'Adds a lot. Returns 409 if the code is already in use.',
    removeMany: 'Starts a job that deletes many lots. Lots with vehicles are kept and listed.',
  },
})

export const lots = {
  ...calls,
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lot',
    allow: can(Func.lots, Opr.update),
    summary:
      'Updates a lot. Returns 409 with the current lot if the version is outdated, on `approval` if it changes more advertised totals than one user may change, and on `confirmPrices` if they change beyond the limits of the customer.',
    input: LotChange,
    output: lotRecord.schema,
    changes: ['/api/customers/get-lots', '/api/home/dashboard'],
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/customers/change-lots',
    allow: can(Func.lots, Opr.update),
    summary: 'Starts a job that shows or hides many lots on public pages.',
    input: z.strictObject({
      selection: Selection,
      change: z.strictObject({ isPublic: z.boolean('Choose whether to show the lots on public pages.') }),
    }),
    output: Job,
  }),
}
