import { z } from 'zod'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Instant, line, TimeZone, Version } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { ORGANIZATION_LIST } from './organization-list.ts'

/** A logo is an https URL or a small embedded image. Neither can contain scripts. */
export const Logo = z
  .string()
  .max(200_000, 'The logo can be at most 200 kB.')
  .regex(
    /^(https:\/\/[^\s"'<>]+|\/[^\s"'<>]*|data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+)$/,
    'The logo must be an https URL or an embedded PNG, JPEG, WebP or GIF.',
  )

/** One legal entity or rooftop of a customer. */
export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  timeZone: z.string(),
  version: z.number().int(),
})
export type Organization = z.infer<typeof Organization>

/** A row of the list. For organizations outside the caller's reach, only what every member may see is set. */
export const OrganizationRow = Organization.extend({
  country: z.string().nullable(),
  facilities: z.number().int().nullable(),
  people: z.number().int().nullable(),
  /** Progress over both wizard steps. */
  progress: z.enum(['empty', 'partly', 'complete']).nullable(),
  status: z.enum(['active', 'archived']),
})
export type OrganizationRow = z.infer<typeof OrganizationRow>

/** An organization the caller may switch to. Platform staff see those of all customers, so it includes the customer. */
export const SwitchChoice = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  customerId: z.string(),
  customerName: z.string(),
  isCurrent: z.boolean(),
})
export type SwitchChoice = z.infer<typeof SwitchChoice>

/** Creates an organization, or updates it if `id` is given. The response of `{id}` can be sent back as is. */
export const OrganizationSave = z.strictObject({
  id: z.union([Id, z.null()]).optional(),
  name: line(120, 'Name'),
  logo: z.union([Logo, z.null(), z.literal('').transform(() => null)]).optional(),
  timeZone: TimeZone.optional(),
  version: Version,
  confirmPrices: ConfirmPrices,
})

/** What shows the name, logo or status of an organization: lists, choices and the top bar. */
export const SHOWS_NAMES = [
  '/api/organization/list',
  '/api/organization/list-all',
  '/api/organization/all',
  '/api/organization/change',
  '/api/organization/{id}',
] as const
const SHOWS_STATUS = [
  ...SHOWS_NAMES,
  '/api/organizations/edit-organization/{id}',
  '/api/inventory/get-vehicles',
  '/api/customers/get-lots',
] as const

const one = z.strictObject({ id: Id })
/** Whether it is archived, and since when and by whom. */
export const Archived = z.object({ archivedAt: Instant.nullable(), archivedBy: z.string().nullable() })

export const organizations = {
  all: endpoint({
    method: 'GET',
    path: '/api/organization/all',
    allow: 'member',
    summary: 'Lists all organizations of the customer by name.',
    output: z.array(Organization),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/organization/list',
    allow: can(Func.organizations, Opr.list),
    summary: 'Returns the organizations of the customer as a queried list.',
    input: listQuery(ORGANIZATION_LIST),
    output: queriedList(OrganizationRow),
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/api/organization/list-all',
    allow: 'member',
    summary: 'Lists the ID and name of all organizations of the customer.',
    output: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  change: endpoint({
    method: 'GET',
    path: '/api/organization/change',
    allow: 'verified',
    summary: 'Lists the organizations the caller can switch to. Works before one is selected.',
    output: z.array(SwitchChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/organization/{id}',
    allow: 'member',
    summary: 'Returns one organization with its name and logo.',
    input: one,
    output: Organization,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/organization',
    allow: { anyOf: [can(Func.organizations, Opr.create), can(Func.organizations, Opr.update)] },
    summary:
      'Creates an organization, or updates it if `id` is given. Returns 409 on `approval` or `confirmPrices` if its time zone changes advertised totals beyond the limits of the customer.',
    input: OrganizationSave,
    output: Organization,
  }),
  remove: endpoint({
    ...deletionOf(Organization),
    path: '/api/organization/{id}',
    allow: can(Func.organizations, Opr.delete),
    summary:
      'Deletes an organization. `version` is the one of edit-organization. Returns 409 if it is in use.',
    changes: SHOWS_NAMES,
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/organization/archive',
    allow: can(Func.organizations, Opr.delete),
    summary:
      'Archives an organization: buyers and participants see nothing of it, and no one can choose it or add to it until it is restored. Its data is kept. Returns 409 for the one the caller works in and for the last one of a customer.',
    input: one,
    output: Archived,
    changes: SHOWS_STATUS,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/organization/restore',
    allow: can(Func.organizations, Opr.delete),
    summary: 'Restores an archived organization. Everything in it is as it was.',
    input: one,
    output: Archived,
    changes: SHOWS_STATUS,
  }),
}
