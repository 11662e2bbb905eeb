import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, optionalLine, Version } from '#contract/fields.ts'
import { FACILITY_TYPES, LEVELS } from '#contract/organizations/facilities/facility-schema.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Day } from '../factors/factor-schema.ts'
import { Inventory } from './inventories.ts'
import { findSourceType } from './source-types.ts'

export const FREQUENCIES = ['month', 'quarter', 'year', 'once'] as const
export const METHODS = ['calculated', 'own_factor', 'direct', 'estimate', 'meter'] as const
/** The most cells that are saved at once. */
const MOST_CHANGES = 2_000

/** A facility of the organization as the inventory sees it. */
export const InventoryFacility = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  level: z.enum(LEVELS),
  type: z.enum(FACILITY_TYPES).nullable(),
  country: z.string().nullable(),
  /** Null: nobody decided yet. */
  choice: z.enum(['included', 'excluded']).nullable(),
  /** Why it is excluded. */
  reason: z.string().nullable(),
  /** How much of it counts in the inventory's boundary, span by span over its period. */
  spans: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      /** Decimal digits; null where it is not known. */
      percent: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  /** Sources that are open there. */
  sources: z.number().int(),
  /** Null while nobody decided. */
  version: z.number().int().nullable(),
})
export type InventoryFacility = z.infer<typeof InventoryFacility>

/** What emits at a facility, and who brings its figures. */
export const EmissionSource = z.object({
  id: z.string(),
  inventoryId: z.string(),
  facilityId: z.string(),
  /** Of `SOURCE_TYPES`. */
  sourceType: z.string(),
  /** The path of its factors in the library. */
  activity: z.string(),
  /** 1, 2 or 3.1 to 3.15. */
  scope: z.string(),
  unit: z.string(),
  personId: z.string().nullable(),
  personName: z.string().nullable(),
  dueOn: z.string().nullable(),
  frequency: z.enum(FREQUENCIES),
  method: z.enum(METHODS),
  /** Chosen by hand; null: by the rules. */
  factorId: z.string().nullable(),
  factorName: z.string().nullable(),
  /** Data points that are expected of it by its frequency, and how many of them are there. */
  expected: z.number().int(),
  there: z.number().int(),
  version: z.number().int(),
})
export type EmissionSource = z.infer<typeof EmissionSource>

/** A kind of source to which no factor leads in a region: the library has none, nor has the customer of its own. */
export const FactorGap = z.object({
  /** Of `SOURCE_TYPES`. */
  sourceType: z.string(),
  /** What its factor is looked for by: a path of the library, for a scope, in a unit, and a region such as US-CAMX. */
  activity: z.string(),
  scope: z.string(),
  unit: z.string(),
  region: z.string(),
  /** Regions that have one. */
  elsewhere: z.array(z.string()),
  /** The facilities of the inventory where it is so. */
  facilityIds: z.array(z.string()),
})
export type FactorGap = z.infer<typeof FactorGap>

const nothing = [z.null(), z.literal('').transform(() => null)] as const

const cell = {
  facilityId: Id,
  sourceType: z
    .string('Choose a kind of source.')
    .refine((id) => findSourceType(id) !== undefined, 'Choose a kind of source.'),
  /** Of the source as it was when it was read, 0 where there was none. Without it the last writer wins. */
  version: z.number().int().min(0).max(2_147_483_647).optional(),
}

/** One cell: assigned with what it holds, or not assigned any more. */
export const AssignmentChange = z.discriminatedUnion('isAssigned', [
  z.strictObject({
    ...cell,
    isAssigned: z.literal(true),
    personId: z.union([...nothing, Id], 'Choose a person.').optional(),
    dueOn: z.union([...nothing, Day], 'Write the day as 2025-01-31.').optional(),
    frequency: z.enum(FREQUENCIES, 'Choose how often figures come.').optional(),
    method: z.enum(METHODS, 'Choose how it is reckoned.').optional(),
    factorId: z.union([...nothing, Id], 'Choose a factor.').optional(),
  }),
  z.strictObject({ ...cell, isAssigned: z.literal(false) }),
])
export type AssignmentChange = z.input<typeof AssignmentChange>

const ofInventory = z.strictObject({ inventory: Id })

export const carbonAssignments = {
  facilities: endpoint({
    method: 'GET',
    path: '/api/carbon/get-inventory-facilities',
    allow: { anyOf: [can(Func.carbonFacility, Opr.read), can(Func.carbonEmission, Opr.read)] },
    summary: 'The facilities of the organization of an inventory, which of them count, how much and why.',
    input: ofInventory,
    output: z.array(InventoryFacility),
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/carbon/choose-facilities',
    allow: can(Func.carbonFacility, Opr.update),
    summary:
      'Includes facilities in an inventory or excludes them with a reason. One that has sources is not undecided again.',
    input: z.strictObject({
      inventoryId: Id,
      choices: z
        .array(
          z.strictObject({
            facilityId: Id,
            choice: z.enum(['included', 'excluded'], 'Choose whether it is included.'),
            reason: optionalLine(500, 'Reason').transform((reason) => reason ?? null),
            version: Version,
          }),
        )
        .min(1, 'Choose a facility.')
        .max(2_000, 'At most 2,000 facilities at once.'),
    }),
    output: z.array(InventoryFacility),
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
    summary: 'The open sources of an inventory with who brings their figures, by facility and kind.',
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
      'The kinds of source, assigned or not, to which no factor leads where a facility of the inventory stands, whatever the day.',
    input: ofInventory,
    output: z.array(FactorGap),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/carbon/save-assignments',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Saves changed cells of the matrix, all or none. Cells that somebody else changed meanwhile answer 409 with the sources as they are now.',
    input: z.strictObject({
      inventoryId: Id,
      changes: z
        .array(AssignmentChange)
        .min(1, 'There is nothing to save.')
        .max(MOST_CHANGES, `At most ${MOST_CHANGES.toLocaleString('en')} cells at once.`)
        .refine(
          (changes) =>
            new Set(changes.map(({ facilityId, sourceType }) => `${facilityId}/${sourceType}`)).size ===
            changes.length,
          'A cell stands there once.',
        ),
    }),
    output: z.object({ sources: z.array(EmissionSource), inventory: Inventory }),
  }),
}
