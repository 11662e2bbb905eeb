import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '#contract/fields.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { STEP_STATES } from '#contract/organizations/profile/profiles.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Day } from '../factors/factor-schema.ts'
import {
  DENOMINATOR_KINDS,
  GWP_SETS,
  INVENTORY_FIELDS,
  INVENTORY_STATUSES,
  INVENTORY_YEAR_RULES,
  RELEVANCES,
} from './inventory-schema.ts'
import { INVENTORY_LIST } from './inventory-list.ts'

/** An inventory as the list shows it. */
export const InventoryRow = z.object({
  id: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  name: z.string(),
  periodStart: z.string(),
  /** The last day. */
  periodEnd: z.string(),
  boundary: z.enum(CONSOLIDATIONS),
  gwpSet: z.enum(GWP_SETS),
  status: z.enum(INVENTORY_STATUSES),
  statusReason: z.string().nullable(),
  isBaseYear: z.boolean(),
  /** The one whose figures it corrects, and the one that corrects its own. */
  restatesId: z.string().nullable(),
  restatedById: z.string().nullable(),
  /** Facilities that are in it. */
  facilities: z.number().int(),
  /** Sources that are open, and those of them that somebody brings the figures of. */
  sources: z.number().int(),
  assigned: z.number().int(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type InventoryRow = z.infer<typeof InventoryRow>

/** What an inventory comes to, in kg CO2e by both methods of scope 2, and how much of what it expects is there. */
export const InventoryFigures = z.object({
  location: z.string(),
  market: z.string(),
  /** Of `location` and of `market`: what was imported as a total, and is never covered. */
  imported: z.string(),
  importedMarket: z.string(),
  /** Results that are none: the sums are at least what they say. */
  missing: z.number().int(),
  /** Data points. */
  expected: z.number().int(),
  there: z.number().int(),
})
export type InventoryFigures = z.infer<typeof InventoryFigures>

/** A row of the list; `figures` is null for those who may not see what an inventory comes to. */
export const ListedInventory = InventoryRow.extend({ figures: InventoryFigures.nullable() })
export type ListedInventory = z.infer<typeof ListedInventory>

/** An inventory with everything its first step edits. */
export const Inventory = InventoryRow.extend({
  /** Datasets of factors that come first, by their numbers, in order. */
  datasets: z.array(z.string()),
  yearRule: z.enum(INVENTORY_YEAR_RULES),
  /** In percent, as decimal digits. */
  recalculationThreshold: z.string(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  reviewerId: z.string().nullable(),
  reviewerName: z.string().nullable(),
  approverId: z.string().nullable(),
  approverName: z.string().nullable(),
  fourEyes: z.boolean(),
  /** All fifteen, in order. */
  scope3: z.array(
    z.object({
      category: z.number().int(),
      relevance: z.enum(RELEVANCES),
      reason: z.string().nullable(),
    }),
  ),
  denominators: z.array(
    z.object({
      kind: z.enum(DENOMINATOR_KINDS),
      name: z.string().nullable(),
      amount: z.string(),
      unit: z.string(),
    }),
  ),
  /** Facilities nobody decided about yet. */
  undecided: z.number().int(),
  steps: z.object({
    start: z.enum(STEP_STATES),
    facility: z.enum(STEP_STATES),
    emission: z.enum(STEP_STATES),
    insights: z.enum(STEP_STATES),
  }),
})
export type Inventory = z.infer<typeof Inventory>

/** Without an organization it belongs to the one the person acts in. */
export const NewInventory = z.strictObject({ ...INVENTORY_FIELDS, organizationId: Id.optional() })

/** Only the fields that are there are changed; `scope3` and `denominators` replace what there is of them. */
export const InventoryChange = z.strictObject({
  ...INVENTORY_FIELDS,
  id: Id,
  name: INVENTORY_FIELDS.name.optional(),
  periodStart: Day.optional(),
  periodEnd: Day.optional(),
  boundary: INVENTORY_FIELDS.boundary.optional(),
})

/** Somebody who may be the owner, reviewer or approver, or bring figures. */
export const CarbonPerson = z.object({ id: z.string(), name: z.string() })
export type CarbonPerson = z.infer<typeof CarbonPerson>

/** Every step reads the inventory, and each by its own function. */
const READS_INVENTORY: { anyOf: readonly Permission[] } = {
  anyOf: [
    can(Func.reportingPeriods, Opr.read),
    can(Func.carbonStart, Opr.read),
    can(Func.carbonFacility, Opr.read),
    can(Func.carbonEmission, Opr.read),
    can(Func.carbonInsights, Opr.read),
  ],
}
const one = z.strictObject({ id: Id })
const period = {
  name: INVENTORY_FIELDS.name,
  periodStart: Day,
  periodEnd: Day,
}

export const carbonInventories = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-inventories',
    allow: can(Func.reportingPeriods, Opr.list),
    summary: 'The inventories the caller reaches, searched by name and organization.',
    input: listQuery(INVENTORY_LIST),
    output: queriedList(ListedInventory),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/edit-inventory/{id}',
    allow: READS_INVENTORY,
    summary: 'One inventory with everything its first step edits, and how far its steps are.',
    input: one,
    output: Inventory,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/carbon/get-people',
    allow: READS_INVENTORY,
    summary: 'The people with access to an organization by name, for choosing one.',
    input: z.strictObject({ organization: Id }),
    output: z.array(CarbonPerson),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-inventory',
    allow: can(Func.carbonStart, Opr.create),
    summary: 'Adds an inventory. A period that overlaps another of the same boundary answers 409.',
    input: NewInventory,
    output: Inventory,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-inventory',
    allow: can(Func.carbonStart, Opr.update),
    summary:
      'Changes an inventory. A stale version answers 409 with the inventory as it is now, a locked one 409.',
    input: InventoryChange,
    output: Inventory,
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/carbon/copy-inventory',
    allow: can(Func.carbonStart, Opr.create),
    summary:
      'Adds an inventory with the settings, facilities, sources and assignments of another, without its quantities.',
    input: z.strictObject({ id: Id, ...period }),
    output: Inventory,
  }),
  restate: endpoint({
    method: 'POST',
    path: '/api/carbon/restate-inventory',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary:
      'Adds the corrected inventory beside a locked one of the same period; the locked one stays as it was.',
    input: z.strictObject({ id: Id, reason: line(500, 'Reason'), version: Version }),
    output: Inventory,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/carbon/set-inventory-status',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary: 'Takes an inventory to the next status, or back with a reason. A stale version answers 409.',
    input: z.strictObject({
      id: Id,
      status: z.enum(INVENTORY_STATUSES, 'Choose a status.'),
      reason: optionalLine(500, 'Reason').transform((reason) => reason ?? null),
      version: Version,
    }),
    output: Inventory,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-inventory/{id}',
    allow: can(Func.carbonStart, Opr.delete),
    summary: 'Deletes an inventory that is a draft.',
    input: one,
  }),
}
