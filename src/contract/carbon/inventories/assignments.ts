import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, optionalLine, Version } from '#contract/fields.ts'
import { FACILITY_TYPES, LEVELS } from '#contract/organizations/facilities/facility-schema.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Day } from '../factors/factor-schema.ts'
import { Inventory } from './inventories.ts'
import { customSourceId, SOURCE_NAMES } from './source-names.ts'
import { findSourceType } from './source-types.ts'

export const FREQUENCIES = ['month', 'quarter', 'year', 'once'] as const
export const METHODS = ['calculated', 'own_factor', 'direct', 'estimate', 'meter'] as const
/** The most cells in one save. */
const MOST_CHANGES = 2_000

/** A facility of the organization as the inventory sees it. */
export const InventoryFacility = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  level: z.enum(LEVELS),
  type: z.enum(FACILITY_TYPES).nullable(),
  country: z.string().nullable(),
  /** Null: not decided yet. */
  choice: z.enum(['included', 'excluded']).nullable(),
  /** Why it is excluded. */
  reason: z.string().nullable(),
  /** The inclusion percentage in the inventory's boundary, by date span over its period. */
  spans: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      /** Decimal digits; null if unknown. */
      percent: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  /** Open sources at the facility. */
  sources: z.number().int(),
  /** Null until there is a choice. */
  version: z.number().int().nullable(),
})
export type InventoryFacility = z.infer<typeof InventoryFacility>

/** A source of emissions at a facility, and its data owner. */
export const EmissionSource = z.object({
  id: z.string(),
  inventoryId: z.string(),
  facilityId: z.string(),
  /** One of `SOURCE_TYPES`, or of a custom source. */
  sourceType: z.string(),
  ...SOURCE_NAMES,
  /** The activity path that its factors have in the library. */
  activity: z.string(),
  /** 1, 2 or 3.1 to 3.15. */
  scope: z.string(),
  unit: z.string(),
  dataOwnerId: z.string().nullable(),
  dataOwnerName: z.string().nullable(),
  dueOn: z.string().nullable(),
  frequency: z.enum(FREQUENCIES),
  method: z.enum(METHODS),
  /** Chosen manually; null: picked by the rules. */
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
  /** Data points expected by its frequency, and how many of them have been entered. */
  expected: z.number().int(),
  there: z.number().int(),
  version: z.number().int(),
})
export type EmissionSource = z.infer<typeof EmissionSource>

/** A source type without an emission factor in a region, neither in the library nor among the customer's own. */
export const FactorGap = z.object({
  /** One of `SOURCE_TYPES`, or of a custom source. */
  sourceType: z.string(),
  ...SOURCE_NAMES,
  /** What the factor is searched by: an activity path, a scope, a unit, and a region such as US-CAMX. */
  activity: z.string(),
  scope: z.string(),
  unit: z.string(),
  region: z.string(),
  /** Regions that do have one. */
  elsewhere: z.array(z.string()),
  /** The facilities of the inventory in that region. */
  facilityIds: z.array(z.string()),
})
export type FactorGap = z.infer<typeof FactorGap>

const nothing = [z.null(), z.literal('').transform(() => null)] as const

const cell = {
  facilityId: Id,
  sourceType: z
    .string('Choose a source type.')
    .refine((id) => findSourceType(id) !== undefined || customSourceId(id) !== null, 'Choose a source type.'),
  /** Version of the source when it was read, 0 if there was none. Without it, the last write wins. */
  version: z.number().int().min(0).max(2_147_483_647).optional(),
}

/** One cell of the matrix: assigned with these values, or no longer assigned. */
export const AssignmentChange = z.discriminatedUnion('isAssigned', [
  z.strictObject({
    ...cell,
    isAssigned: z.literal(true),
    dataOwnerId: z.union([...nothing, Id], 'Choose a person.').optional(),
    dueOn: z.union([...nothing, Day], 'Enter a date such as 2025-01-31.').optional(),
    frequency: z.enum(FREQUENCIES, 'Choose how often data is entered.').optional(),
    method: z.enum(METHODS, 'Choose a calculation method.').optional(),
    factorId: z.union([...nothing, Id], 'Choose a factor.').optional(),
    /** The meter, account or asset. */
    label: optionalLine(80, 'Meter or asset'),
  }),
  z.strictObject({ ...cell, isAssigned: z.literal(false) }),
])
export type AssignmentChange = z.input<typeof AssignmentChange>

const ofInventory = z.strictObject({ inventory: Id })

/** The inventory with the status of its steps, and the assignments of its facilities. */
const STEPS = [
  '/api/carbon/edit-inventory/{id}',
  '/api/carbon/get-inventories',
  '/api/carbon/get-inventory-facilities',
  '/api/carbon/get-assignments',
] as const

export const carbonAssignments = {
  facilities: endpoint({
    method: 'GET',
    path: '/api/carbon/get-inventory-facilities',
    allow: { anyOf: [can(Func.carbonFacility, Opr.read), can(Func.carbonEmission, Opr.read)] },
    summary:
      "Lists the facilities of an inventory's organization: whether each is included, at what percentage and why.",
    input: ofInventory,
    output: z.array(InventoryFacility),
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/carbon/choose-facilities',
    allow: { anyOf: [can(Func.carbonFacility, Opr.create), can(Func.carbonFacility, Opr.update)] },
    summary:
      'Includes facilities in an inventory, or excludes them with a reason. Changing an earlier choice requires permission to update. A facility with sources cannot be reset to undecided.',
    input: z.strictObject({
      inventoryId: Id,
      choices: z
        .array(
          z.strictObject({
            facilityId: Id,
            choice: z.enum(['included', 'excluded'], 'Choose whether to include it.'),
            reason: optionalLine(500, 'Reason').transform((reason) => reason ?? null),
            version: Version,
          }),
        )
        .min(1, 'Select at least one facility.')
        .max(2_000, 'Select at most 2,000 facilities at a time.'),
    }),
    output: z.array(InventoryFacility),
    changes: STEPS,
  }),
  sources: endpoint({
    method: 'GET',
    path: '/api/carbon/get-assignments',
    allow: {
      anyOf: [
        can(Func.assignments, Opr.read),
        can(Func.carbonEmission, Opr.read),
        can(Func.activityData, Opr.read),
      ],
    },
    summary: 'Lists the open sources of an inventory with their data owners, by facility and source type.',
    input: ofInventory,
    output: z.array(EmissionSource),
  }),
  factorGaps: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factor-gaps',
    allow: {
      anyOf: [
        can(Func.assignments, Opr.read),
        can(Func.carbonEmission, Opr.read),
        can(Func.activityData, Opr.read),
      ],
    },
    summary:
      'Lists the source types, assigned or not, that have no emission factor in the region of a facility of the inventory, whatever the date.',
    input: ofInventory,
    output: z.array(FactorGap),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/carbon/save-assignments',
    allow: can(Func.assignments, Opr.update),
    summary:
      'Saves changed cells of the assignment matrix, all or none. Returns 409 with the current sources if someone else changed one of the cells.',
    input: z.strictObject({
      inventoryId: Id,
      changes: z
        .array(AssignmentChange)
        .min(1, 'There is nothing to save.')
        .max(MOST_CHANGES, `Save at most ${MOST_CHANGES.toLocaleString('en')} cells at a time.`)
        .refine(
          (changes) =>
            new Set(changes.map(({ facilityId, sourceType }) => `${facilityId}/${sourceType}`)).size ===
            changes.length,
          'Each cell can be listed only once.',
        ),
    }),
    output: z.object({ sources: z.array(EmissionSource), inventory: Inventory }),
    changes: [
      '/api/carbon/get-inventories',
      '/api/carbon/get-data-requests',
      '/api/carbon/get-data-request/{id}',
      '/api/carbon/get-my-data-requests',
    ],
  }),
}
