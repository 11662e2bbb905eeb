import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { z } from 'zod'
import { Contact, SavedContact } from '#contract/contact.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, TimeZone, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Country } from '../facilities/facility-schema.ts'
import { CONSOLIDATIONS } from '../facilities/inclusion.ts'
import { findIndustry } from './industries.ts'
import { Archived, Logo, SHOWS_NAMES } from '../organizations.ts'

const CURRENCY = 'Currency must be a three-letter code such as USD.'
const FISCAL = 'Choose the first month of the fiscal year.'
const nothing = [z.null(), z.literal('').transform(() => null)] as const

/** The status of a step of the organization wizard. */
export const STEP_STATES = ['empty', 'partly', 'complete', 'locked'] as const
export type StepState = (typeof STEP_STATES)[number]

/** The profile fields required before emissions can be calculated, in form order. */
export const REQUIRED_FIELDS = [
  'legalName',
  'industry',
  'country',
  'currency',
  'fiscalYearStart',
  'consolidation',
] as const

/** An organization with everything its wizard edits. */
export const OrganizationProfile = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  timeZone: z.string(),
  legalName: z.string().nullable(),
  /** An ID from `INDUSTRIES`. */
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
  /** Whether the caller may change name, logo and time zone: their reach is the whole customer. */
  mayRename: z.boolean(),
  ...Archived.shape,
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
      [...nothing, z.string().refine((id) => findIndustry(id) !== undefined, 'Choose an industry.')],
      'Choose an industry.',
    )
    .optional(),
  country: Country,
  currency: z.union([...nothing, z.string().regex(/^[A-Z]{3}$/, CURRENCY)], CURRENCY).optional(),
  fiscalYearStart: z
    .union([...nothing, z.number(FISCAL).int(FISCAL).min(1, FISCAL).max(12, FISCAL)], FISCAL)
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
  contacts: z.array(Contact).max(50, 'An organization can have at most 50 contacts.').optional(),
}

export const NewOrganization = z.strictObject(fields)

/** The response of `edit-organization` can be sent back as is. Only the fields that are present are changed. */
export const OrganizationChange = z
  .strictObject({
    ...fields,
    id: Id,
    name: fields.name.optional(),
    version: Version,
    confirmPrices: ConfirmPrices,
    facilities: z.unknown().optional(),
    people: z.unknown().optional(),
    steps: z.unknown().optional(),
    mayRename: z.unknown().optional(),
    archivedAt: z.unknown().optional(),
    archivedBy: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(
    ({
      facilities: _f,
      people: _p,
      steps: _s,
      mayRename: _m,
      archivedAt: _archivedAt,
      archivedBy: _archivedBy,
      updatedAt: _at,
      updatedBy: _by,
      ...change
    }) => change,
  )

/** A user with access to an organization. */
export const OrganizationMember = z.object({
  id: z.string(),
  name: z.string(),
  jobTitle: z.string().nullable(),
  userTypeName: z.string(),
  isActive: z.boolean(),
})
export type OrganizationMember = z.infer<typeof OrganizationMember>

/** The most members that are listed. */
export const MAX_MEMBERS = 200

/**
 * The status of the two steps. The second is locked until the country is set: units, grid region and currency depend on it.
 * @param incomplete the number of facilities without data that emissions need, see `findMissing`.
 */
export function stepsOf(profile: {
  filled: number
  hasCountry: boolean
  facilities: number
  incomplete: number
}): Record<'organization' | 'facility', StepState> {
  const { filled, hasCountry, facilities, incomplete } = profile
  const begun = filled === REQUIRED_FIELDS.length ? 'complete' : 'partly'
  const built = incomplete === 0 ? 'complete' : 'partly'
  const empty = hasCountry ? 'empty' : 'locked'
  return { organization: filled === 0 ? 'empty' : begun, facility: facilities === 0 ? empty : built }
}

const canRead = { anyOf: [can(Func.organizations, Opr.read), can(Func.organizationWizard, Opr.read)] }
const one = z.strictObject({ id: Id })

export const organizationProfiles = {
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/edit-organization/{id}',
    allow: canRead,
    summary: 'Returns one organization with everything its wizard edits, and the status of each step.',
    input: one,
    output: OrganizationProfile,
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/organizations/get-members/{id}',
    allow: canRead,
    summary: `Lists the people with access to an organization by name, at most ${MAX_MEMBERS}.`,
    input: one,
    output: z.array(OrganizationMember),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/organizations/add-organization',
    allow: can(Func.organizations, Opr.create),
    summary: 'Adds an organization. Returns 409 if another one of the customer has the same name.',
    input: NewOrganization,
    output: OrganizationProfile,
    changes: SHOWS_NAMES,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/organizations/update-organization',
    allow: can(Func.organizationWizard, Opr.update),
    summary:
      'Changes an organization. Returns 409 with the current organization if the version is stale, and on `approval` or `confirmPrices` if its time zone changes advertised totals beyond the limits of the customer.',
    input: OrganizationChange,
    output: OrganizationProfile,
    changes: SHOWS_NAMES,
  }),
}
