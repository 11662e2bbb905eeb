import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, line, TimeZone, Version } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { ORGANIZATION_LIST } from './organization-list.ts'

/** A logo travels as an https address or as a small embedded picture; scripts cannot hide in either. */
export const Logo = z
  .string()
  .max(200_000, 'The logo may have at most 200 kB.')
  .regex(
    /^(https:\/\/[^\s"'<>]+|\/[^\s"'<>]*|data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+)$/,
    'The logo must be an https address or an embedded PNG, JPEG, WebP or GIF.',
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

/** A row of the list. Of a sister that the caller does not reach only what everybody sees is known. */
export const OrganizationRow = Organization.extend({
  country: z.string().nullable(),
  facilities: z.number().int().nullable(),
  people: z.number().int().nullable(),
  /** Over both steps of the wizard. */
  progress: z.enum(['empty', 'partly', 'complete']).nullable(),
})
export type OrganizationRow = z.infer<typeof OrganizationRow>

/** One the caller may switch to. Platform staff see every customer's, so the customer is named. */
export const SwitchChoice = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  customerId: z.string(),
  customerName: z.string(),
  isCurrent: z.boolean(),
})
export type SwitchChoice = z.infer<typeof SwitchChoice>

/** Without `id` it creates, with `id` it updates. What `{id}` answered may come back whole. */
export const OrganizationSave = z.strictObject({
  id: z.union([Id, z.null()]).optional(),
  name: line(120, 'Name'),
  logo: z.union([Logo, z.null(), z.literal('').transform(() => null)]).optional(),
  timeZone: TimeZone.optional(),
  version: Version,
})

export const organizations = {
  all: endpoint({
    method: 'GET',
    path: '/api/organization/all',
    allow: 'member',
    summary: 'Every organization of the customer, by name.',
    output: z.array(Organization),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/organization/list',
    allow: can(Func.organizations, Opr.list),
    summary: 'The organizations of the customer as a queried list.',
    input: listQuery(ORGANIZATION_LIST),
    output: queriedList(OrganizationRow),
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/api/organization/list-all',
    allow: 'member',
    summary: 'Number and name of every organization of the customer, for choosing one.',
    output: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  change: endpoint({
    method: 'GET',
    path: '/api/organization/change',
    allow: 'verified',
    summary: 'The organizations the caller may switch to; works before one is chosen.',
    output: z.array(SwitchChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/organization/{id}',
    allow: 'member',
    summary: 'One organization, for instance its logo and name.',
    input: z.strictObject({ id: Id }),
    output: Organization,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/organization',
    allow: { anyOf: [can(Func.organizations, Opr.create), can(Func.organizations, Opr.update)] },
    summary: 'Creates an organization, or updates the one whose `id` is given.',
    input: OrganizationSave,
    output: Organization,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organization/{id}',
    allow: can(Func.organizations, Opr.delete),
    summary: 'Deletes an organization that nothing uses; one in use answers 409.',
    input: z.strictObject({ id: Id }),
  }),
}
