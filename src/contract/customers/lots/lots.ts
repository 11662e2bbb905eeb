import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { LOT_LIST } from './lot-list.ts'
import { Holidays, OpeningHours } from './opening-hours.ts'

/** What stands on a lot, in the order the form offers them. */
export const LOT_TYPES = ['new', 'used', 'both', 'service'] as const

/** A dealer id as it is compared: providers pad and capitalize it as they like. */
export function dealerKey(dealerId: string): string {
  return dealerId.trim().toLowerCase()
}

const fields = {
  // Measured again in capitals: some letters become two.
  code: line(20, 'Code')
    .transform((code) => code.toUpperCase())
    .pipe(z.string().max(20, 'Code may have at most 20 characters.')),
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
        .regex(/^\+?[0-9 ().x/-]{5,32}$/, 'Phone may have digits, spaces and + ( ) . - / x.'),
    ])
    .optional(),
  timeZone: z.union([TimeZone, z.null()]).optional(),
  makes: z.array(line(40, 'Make')).max(50, 'A lot may have at most 50 makes.').optional(),
  isPublic: z.boolean('Choose whether the lot shows on public pages.').optional(),
  dealerIds: z
    .array(line(100, 'Dealer id'))
    .max(50, 'A lot may have at most 50 dealer ids.')
    .refine((ids) => new Set(ids.map(dealerKey)).size === ids.length, 'A dealer id stands there twice.')
    .optional(),
  hours: OpeningHours.optional(),
  holidays: Holidays.optional(),
}

/** A place where vehicles stand. It belongs to one organization; its code is unique in the customer. */
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
  /** Null: the zone of the lot's organization. */
  timeZone: z.string().nullable(),
  makes: z.array(z.string()),
  isPublic: z.boolean(),
  /** By what numbers providers of feeds call it; each leads to one lot of the customer. */
  dealerIds: z.array(z.string()),
  /** By the clock of `zone`; none: not known. */
  hours: OpeningHours,
  /** Days that are not like their weekday, in their order. */
  holidays: Holidays,
  /** The lot's own time zone, or that of its organization. */
  zone: z.string(),
  version: z.number().int(),
  updatedAt: Instant,
  /** Who changed it last; null when the product itself did. */
  updatedBy: z.string().nullable(),
})
export type Lot = z.infer<typeof Lot>

/** Without an organization the lot belongs to the one the person acts in. */
export const NewLot = z.strictObject({
  ...fields,
  type: fields.type.optional().default('both'),
  organizationId: Id.optional(),
})
export type NewLot = z.input<typeof NewLot>

/** What `edit-lot` answered may come back whole; only the fields that are there are changed. */
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
    summary: 'The lots the caller reaches, searched by code, name, address and make.',
    input: listQuery(LOT_LIST),
    output: queriedList(Lot),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/customers/edit-lot/{id}',
    allow: can(Func.lots, Opr.read),
    summary: 'One lot with everything its form edits.',
    input: z.strictObject({ id: Id }),
    output: Lot,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-lot',
    allow: can(Func.lots, Opr.create),
    summary: 'Adds a lot. A code already in use answers 409.',
    input: NewLot,
    output: Lot,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lot',
    allow: can(Func.lots, Opr.update),
    summary: 'Changes a lot. A stale version answers 409 with the lot as it is now.',
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
    summary: 'Changes many lots by a job: whether they show on public pages.',
    input: z.strictObject({
      selection: Selection,
      change: z.strictObject({ isPublic: z.boolean('Choose whether the lots show on public pages.') }),
    }),
    output: Job,
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/customers/delete-lots',
    allow: can(Func.lots, Opr.delete),
    summary: 'Deletes many lots by a job. A lot on which vehicles stand stays, and is listed.',
    input: z.strictObject({ selection: Selection }),
    output: Job,
  }),
}
