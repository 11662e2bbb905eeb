import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import {
  FACILITY_FIELDS,
  FACILITY_TYPES,
  FLOOR_UNITS,
  LEASES,
  LEVELS,
  type Level,
} from './facility-schema.ts'
import { GRID_REGION_CODES } from './grid-regions.ts'

/** A place of an organization that consumes energy, or a part of one. */
export const Facility = z.object({
  id: z.string(),
  organizationId: z.string(),
  level: z.enum(LEVELS),
  /** Null: top level in the organization. */
  parentId: z.string().nullable(),
  code: z.string(),
  name: z.string(),
  type: z.enum(FACILITY_TYPES).nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
  /** An eGRID subregion; in the United States only. */
  gridRegion: z.enum(GRID_REGION_CODES).nullable(),
  /** Decimal digits. */
  floorArea: z.string().nullable(),
  floorUnit: z.enum(FLOOR_UNITS),
  staff: z.number().int().nullable(),
  openedOn: z.string().nullable(),
  /** The last day in use. */
  closedOn: z.string().nullable(),
  lease: z.enum(LEASES).nullable(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  /** Earliest first. */
  control: z.array(
    z.object({
      validFrom: z.string(),
      ownership: z.string(),
      operationalControl: z.boolean(),
      financialControl: z.boolean(),
    }),
  ),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Facility = z.infer<typeof Facility>

const { version: _version, ...given } = FACILITY_FIELDS

/** Without an organization, the facility belongs to the caller's current one. */
export const NewFacility = z.strictObject({ ...given, organizationId: Id.optional() })
export type NewFacility = z.input<typeof NewFacility>

/** The response of `edit-facility` can be sent back as is. Only the fields that are present are changed. */
export const FacilityChange = z
  .strictObject({
    ...FACILITY_FIELDS,
    id: Id,
    level: given.level.optional(),
    code: given.code.optional(),
    name: given.name.optional(),
    control: given.control.optional(),
    // A facility can't be moved to another organization.
    organizationId: z.unknown().optional(),
    lotName: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(
    ({ organizationId: _organization, lotName: _name, updatedAt: _at, updatedBy: _by, ...change }) => change,
  )

/** A lot of the organization, and the facility it is linked to. */
export const LotChoice = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  facilityId: z.string().nullable(),
})
export type LotChoice = z.infer<typeof LotChoice>

/** The missing fields that calculating emissions requires. Groups, entities and meters require none. */
export function findMissing(facility: {
  level: Level
  type: string | null
  country: string | null
  gridRegion: string | null
  floorArea: string | null
}): ('type' | 'country' | 'gridRegion' | 'floorArea')[] {
  const { level, country } = facility
  if (level !== 'site' && level !== 'building') return []
  const needed =
    level === 'building' ? (['type'] as const) : (['type', 'country', 'gridRegion', 'floorArea'] as const)
  return needed.filter((name) => facility[name] === null && (name !== 'gridRegion' || country === 'US'))
}

const canRead = {
  anyOf: [can(Func.organizations, Opr.read), can(Func.organizationWizard, Opr.read)],
}
const ofOrganization = z.strictObject({ organization: Id })

/** The tree, the steps of the wizard and the list of organizations. */
const SHOWS_FACILITIES = [
  '/api/organizations/get-facilities',
  '/api/organizations/get-facility-lots',
  '/api/organizations/edit-organization/{id}',
  '/api/organization/list',
] as const

export const facilities = {
  tree: endpoint({
    method: 'GET',
    path: '/api/organizations/get-facilities',
    allow: canRead,
    summary: 'Lists all facilities of an organization with their ownership and control over time.',
    input: ofOrganization,
    output: z.array(Facility),
  }),
  lots: endpoint({
    method: 'GET',
    path: '/api/organizations/get-facility-lots',
    allow: canRead,
    summary: 'Lists the lots of an organization by name, each with the facility it is linked to.',
    input: ofOrganization,
    output: z.array(LotChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/edit-facility/{id}',
    allow: canRead,
    summary: 'Returns one facility with everything its form edits.',
    input: z.strictObject({ id: Id }),
    output: Facility,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/organizations/add-facility',
    allow: can(Func.organizationWizard, Opr.create),
    summary: 'Adds a facility. Returns 409 if another one has the same code or lot.',
    input: NewFacility,
    output: Facility,
    changes: SHOWS_FACILITIES,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/organizations/update-facility',
    allow: can(Func.organizationWizard, Opr.update),
    summary:
      'Changes, moves or closes a facility. Returns 409 with the current facility if the version is stale.',
    input: FacilityChange,
    output: Facility,
    changes: SHOWS_FACILITIES,
  }),
  remove: endpoint({
    ...deletionOf(Facility),
    path: '/api/organizations/delete-facility/{id}',
    allow: can(Func.organizationWizard, Opr.update),
    summary: 'Deletes a facility. Returns 409 if it is in use; it can be closed instead.',
    changes: SHOWS_FACILITIES,
  }),
}
