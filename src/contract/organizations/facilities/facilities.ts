import { z } from 'zod'
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

/** What consumes energy: a place of an organization, or a part of one. */
export const Facility = z.object({
  id: z.string(),
  organizationId: z.string(),
  level: z.enum(LEVELS),
  /** Null: directly in the organization. */
  parentId: z.string().nullable(),
  code: z.string(),
  name: z.string(),
  type: z.enum(FACILITY_TYPES).nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
  /** An eGRID subregion, in the United States. */
  gridRegion: z.enum(GRID_REGION_CODES).nullable(),
  /** Decimal digits. */
  floorArea: z.string().nullable(),
  floorUnit: z.enum(FLOOR_UNITS),
  staff: z.number().int().nullable(),
  openedOn: z.string().nullable(),
  /** The last day it was in use. */
  closedOn: z.string().nullable(),
  lease: z.enum(LEASES).nullable(),
  lotId: z.string().nullable(),
  lotName: z.string().nullable(),
  /** The earliest first. */
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

/** Without an organization it belongs to the one the person acts in. */
export const NewFacility = z.strictObject({ ...given, organizationId: Id.optional() })
export type NewFacility = z.input<typeof NewFacility>

/** What `edit-facility` answered may come back whole; only the fields that are there are changed. */
export const FacilityChange = z
  .strictObject({
    ...FACILITY_FIELDS,
    id: Id,
    level: given.level.optional(),
    code: given.code.optional(),
    name: given.name.optional(),
    control: given.control.optional(),
    // A facility stays in its organization.
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

/** What emissions cannot be told without, by the names of the fields. Groups, entities and meters need nothing. */
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

const mayRead = {
  anyOf: [can(Func.organizations, Opr.read), can(Func.organizationWizard, Opr.read)],
}
const ofOrganization = z.strictObject({ organization: Id })

export const facilities = {
  tree: endpoint({
    method: 'GET',
    path: '/api/organizations/get-facilities',
    allow: mayRead,
    summary: 'The facilities of one organization, all of them, with who owned and controlled them when.',
    input: ofOrganization,
    output: z.array(Facility),
  }),
  lots: endpoint({
    method: 'GET',
    path: '/api/organizations/get-facility-lots',
    allow: mayRead,
    summary: 'The lots of one organization by name, each with the facility it is linked to.',
    input: ofOrganization,
    output: z.array(LotChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/edit-facility/{id}',
    allow: mayRead,
    summary: 'One facility with everything its form edits.',
    input: z.strictObject({ id: Id }),
    output: Facility,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/organizations/add-facility',
    allow: can(Func.organizationWizard, Opr.create),
    summary: 'Adds a facility. A code or a lot that another one has answers 409.',
    input: NewFacility,
    output: Facility,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/organizations/update-facility',
    allow: can(Func.organizationWizard, Opr.update),
    summary:
      'Changes a facility, moves it or closes it. A stale version answers 409 with the facility as it is now.',
    input: FacilityChange,
    output: Facility,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organizations/delete-facility/{id}',
    allow: can(Func.organizationWizard, Opr.update),
    summary: 'Deletes a facility that nothing uses; one in use answers 409 and can be closed.',
    input: z.strictObject({ id: Id }),
  }),
}
