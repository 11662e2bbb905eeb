import { z } from 'zod'
import { Contact, SavedContact } from '#contract/contact.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Country } from '../facilities/facility-schema.ts'
import { CONSOLIDATIONS } from '../facilities/inclusion.ts'
import { findIndustry } from './industries.ts'
import { Logo } from '../organizations.ts'

const nothing = [z.null(), z.literal('').transform(() => null)] as const

/** How far a step of the organization wizard is. */
export const STEP_STATES = ['empty', 'partly', 'complete', 'locked'] as const
export type StepState = (typeof STEP_STATES)[number]

/** What an organization has to say about itself before carbon can be reckoned, in the order of the form. */
export const NEEDED = [
  'legalName',
  'industry',
  'country',
  'currency',
  'fiscalYearStart',
  'consolidation',
] as const

/** An organization as its wizard keeps it. */
export const OrganizationProfile = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  timeZone: z.string(),
  legalName: z.string().nullable(),
  /** Of `INDUSTRIES`. */
  industry: z.string().nullable(),
  country: z.string().nullable(),
  currency: z.string().nullable(),
  /** The month, 1 to 12. */
  fiscalYearStart: z.number().int().nullable(),
  consolidation: z.enum(CONSOLIDATIONS).nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  contacts: z.array(SavedContact),
  facilities: z.number().int(),
  people: z.number().int(),
  steps: z.object({ organization: z.enum(STEP_STATES), facility: z.enum(STEP_STATES) }),
  /** Name, logo and time zone are kept by people who reach the whole customer. */
  mayRename: z.boolean(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type OrganizationProfile = z.infer<typeof OrganizationProfile>

const fields = {
  name: line(120, 'Name'),
  logo: z.union([...nothing, Logo]).optional(),
  timeZone: TimeZone.optional(),
  legalName: optionalLine(160, 'Legal name'),
  industry: z
    .union(
      [...nothing, z.string().refine((id) => findIndustry(id) !== undefined)],
      'Choose one of the industries.',
    )
    .optional(),
  country: Country,
  currency: z
    .union([...nothing, z.string().regex(/^[A-Z]{3}$/)], 'Currency is a code of three letters such as USD.')
    .optional(),
  fiscalYearStart: z
    .union([...nothing, z.number().int().min(1).max(12)], 'Choose the month in which the fiscal year begins.')
    .optional(),
  consolidation: z
    .union(
      [...nothing, z.enum(CONSOLIDATIONS)],
      'Choose operational control, financial control or equity share.',
    )
    .optional(),
  address: optionalLine(200, 'Address'),
  city: optionalLine(100, 'City'),
  region: optionalLine(60, 'State or province'),
  postalCode: optionalLine(16, 'Postal code'),
  contacts: z.array(Contact).max(50, 'An organization may have at most 50 contacts.').optional(),
}

export const NewOrganization = z.strictObject(fields)

/** What `edit-organization` answered may come back whole; only the fields that are there are changed. */
export const OrganizationChange = z
  .strictObject({
    ...fields,
    id: Id,
    name: fields.name.optional(),
    version: Version,
    facilities: z.unknown().optional(),
    people: z.unknown().optional(),
    steps: z.unknown().optional(),
    mayRename: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(
    ({ facilities: _f, people: _p, steps: _s, mayRename: _m, updatedAt: _at, updatedBy: _by, ...change }) =>
      change,
  )

/** Somebody with access to an organization. */
export const OrganizationMember = z.object({
  id: z.string(),
  name: z.string(),
  jobTitle: z.string().nullable(),
  userTypeName: z.string(),
  isActive: z.boolean(),
})
export type OrganizationMember = z.infer<typeof OrganizationMember>

/** The most members that are named. */
export const MOST_MEMBERS = 200

/**
 * How far the two steps are. The second is locked until the country is known: units, grid and currency follow from it.
 * @param incomplete how many facilities lack something that emissions cannot be told without.
 */
export function stepsOf(profile: {
  filled: number
  hasCountry: boolean
  facilities: number
  incomplete: number
}): Record<'organization' | 'facility', StepState> {
  const { filled, hasCountry, facilities, incomplete } = profile
  const whole = filled === NEEDED.length ? 'complete' : 'partly'
  const built = incomplete === 0 ? 'complete' : 'partly'
  const empty = hasCountry ? 'empty' : 'locked'
  return { organization: filled === 0 ? 'empty' : whole, facility: facilities === 0 ? empty : built }
}

const mayRead = { anyOf: [can(Func.organizations, Opr.read), can(Func.organizationWizard, Opr.read)] }
const one = z.strictObject({ id: Id })

export const organizationProfiles = {
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/edit-organization/{id}',
    allow: mayRead,
    summary: 'One organization with everything its wizard edits, and how far its steps are.',
    input: one,
    output: OrganizationProfile,
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/organizations/get-members/{id}',
    allow: mayRead,
    summary: `The people with access to an organization by name, at most ${MOST_MEMBERS}.`,
    input: one,
    output: z.array(OrganizationMember),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/organizations/add-organization',
    allow: can(Func.organizations, Opr.create),
    summary: 'Adds an organization. A name that another one of the customer has answers 409.',
    input: NewOrganization,
    output: OrganizationProfile,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/organizations/update-organization',
    allow: can(Func.organizationWizard, Opr.update),
    summary: 'Changes an organization. A stale version answers 409 with the organization as it is now.',
    input: OrganizationChange,
    output: OrganizationProfile,
  }),
}
