import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { LOT_LIST } from './lot-list.ts'
import { Holidays, OpeningHours } from './opening-hours.ts'

/** What a lot is for, in form order. */
export const LOT_TYPES = ['new', 'used', 'both', 'service'] as const

/** Normalizes a dealer ID for comparison: providers differ in padding and capitalization. */
export function dealerKey(dealerId: string): string {
  return dealerId.trim().toLowerCase()
}

const fields = {
  // Checked again after uppercasing: some letters become two.
  code: line(20, 'Code')
    .transform((code) => code.toUpperCase())
    .pipe(z.string().max(20, 'Code can have at most 20 characters.')),
  name: line(100, 'Name'),
  type: z.enum(LOT_TYPES, 'Type must be new, used, both or service.'),
  address: optionalLine(200, 'Address'),
  city: optionalLine(100, 'City'),
  region: optionalLine(60, 'State or province'),
  postalCode: optionalLine(16, 'Postal code'),
  phone: z
    .union([
      z.null(),
      z.literal('').transform(() => null),
      z
        .string()
        .trim()
        .regex(
          /^\+?[0-9 ().x/-]{5,32}$/,
          'Phone can contain only digits, spaces, and the characters + ( ) . - / and x.',
        ),
    ])
    .optional(),
  timeZone: z.union([TimeZone, z.null()]).optional(),
  makes: z.array(line(40, 'Make')).max(50, 'A lot can have at most 50 makes.').optional(),
  isPublic: z.boolean('Choose whether to show the lot on public pages.').optional(),
  dealerIds: z
    .array(line(100, 'Dealer ID'))
    .max(50, 'A lot can have at most 50 dealer IDs.')
    .refine(
      (ids) => new Set(ids.map(dealerKey)).size === ids.length,
      'Each dealer ID can be listed only once.',
    )
    .optional(),
  hours: OpeningHours.optional(),
  holidays: Holidays.optional(),
}

/** A vehicle location. Belongs to one organization; its code is unique per customer. */
export const Lot = z.object({
  id: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  code: z.string(),
  name: z.string(),
  type: z.enum(LOT_TYPES),
  address: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  phone: z.string().nullable(),
  /** Null: the time zone of the lot's organization. */
  timeZone: z.string().nullable(),
  makes: z.array(z.string()),
  isPublic: z.boolean(),
  /** IDs that feed providers use for it; each belongs to one lot of the customer. */
  dealerIds: z.array(z.string()),
  /** Local time in `zone`; empty: unknown. */
  hours: OpeningHours,
  /** Dates whose hours differ from the weekly hours, ascending. */
  holidays: Holidays,
  /** The time zone in effect: the lot's own, or its organization's. */
  zone: z.string(),
  version: z.number().int(),
  updatedAt: Instant,
  /** Null if the product made the change. */
  updatedBy: z.string().nullable(),
})
export type Lot = z.infer<typeof Lot>

/** Without an organization, the lot belongs to the user's current one. */
export const NewLot = z.strictObject({
  ...fields,
  type: fields.type.optional().default('both'),
  organizationId: Id.optional(),
})
export type NewLot = z.input<typeof NewLot>

/** Accepts the whole response of `edit-lot`; only the fields present are changed. */
export const LotChange = z
  .strictObject({
    ...fields,
    id: Id,
    code: fields.code.optional(),
    name: fields.name.optional(),
    type: fields.type.optional(),
    organizationId: Id.optional(),
    version: Version,
    organizationName: z.unknown().optional(),
    zone: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(({ organizationName: _name, zone: _zone, updatedAt: _at, updatedBy: _by, ...change }) => change)

export const lots = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers/get-lots',
    allow: can(Func.lots, Opr.list),
    summary: "Lists the lots within the caller's reach. Searches code, name, address and make.",
    input: listQuery(LOT_LIST),
    output: queriedList(Lot),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/customers/edit-lot/{id}',
    allow: can(Func.lots, Opr.read),
    summary: 'Returns one lot with all editable fields.',
    input: z.strictObject({ id: Id }),
    output: Lot,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-lot',
    allow: can(Func.lots, Opr.create),
    summary: 'Adds a lot. Returns 409 if the code is already in use.',
    input: NewLot,
    output: Lot,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lot',
    allow: can(Func.lots, Opr.update),
    summary: 'Updates a lot. Returns 409 with the current lot if the version is outdated.',
    input: LotChange,
    output: Lot,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/customers/delete-lot/{id}',
    allow: can(Func.lots, Opr.delete),
    summary: 'Deletes a lot.',
    input: z.strictObject({ id: Id }),
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
  removeMany: endpoint({
    method: 'POST',
    path: '/api/customers/delete-lots',
    allow: can(Func.lots, Opr.delete),
    summary: 'Starts a job that deletes many lots. Lots with vehicles are kept and listed.',
    input: z.strictObject({ selection: Selection }),
    output: Job,
  }),
}
