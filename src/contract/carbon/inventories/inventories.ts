import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '#contract/fields.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { STEP_STATES } from '#contract/organizations/profile/profiles.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Day } from '../factors/factor-schema.ts'
import { ChangeEffect } from '../factors/change-effect.ts'
import {
  DENOMINATOR_KINDS,
  GWP_SETS,
  INVENTORY_FIELDS,
  INVENTORY_STATUSES,
  INVENTORY_YEAR_RULES,
  RELEVANCES,
} from './inventory-schema.ts'
import { ApprovalGap, ApprovalTotal } from './approval.ts'
import { INVENTORY_LIST } from './inventory-list.ts'

/** An inventory in the list. */
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
  /** The inventory it restates, and the one that restates it. */
  restatesId: z.string().nullable(),
  restatedById: z.string().nullable(),
  /** Included facilities. */
  facilities: z.number().int(),
  /** Open sources, and how many of them have a data owner. */
  sources: z.number().int(),
  assigned: z.number().int(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type InventoryRow = z.infer<typeof InventoryRow>

/** Emissions of an inventory in kg CO2e by both methods of scope 2, and its data coverage. */
export const InventoryFigures = z.object({
  location: z.string(),
  market: z.string(),
  /** The part of `location` and `market` that was imported as totals, and never counts toward coverage. */
  imported: z.string(),
  importedMarket: z.string(),
  /** Number of missing results. If above 0, the sums are minimums. */
  missing: z.number().int(),
  /** Data points. */
  expected: z.number().int(),
  there: z.number().int(),
  /** Expected data points without records, estimates or imported totals, and relevant scope 3 categories without figures: minimums too. */
  points: z.number().int(),
  categories: z.number().int(),
})
export type InventoryFigures = z.infer<typeof InventoryFigures>

/** A row of the list; `figures` is null for users who may not see emissions. */
export const ListedInventory = InventoryRow.extend({ figures: InventoryFigures.nullable() })
export type ListedInventory = z.infer<typeof ListedInventory>

/** An inventory with all fields of the start step. */
export const Inventory = InventoryRow.extend({
  /** Preferred factor datasets by ID, in order. */
  datasets: z.array(z.string()),
  yearRule: z.enum(INVENTORY_YEAR_RULES),
  /** Which values of the GWP set it uses. They stay the same until the edition is changed. */
  gwpEdition: z.number().int(),
  /** The newest values that differ, as decimal digits; null: it uses the newest. A gas can also be new or gone. */
  newerGwps: z
    .object({
      edition: z.number().int(),
      changes: z.array(
        z.object({ gas: z.string(), gwp: z.string().nullable(), newGwp: z.string().nullable() }),
      ),
    })
    .nullable(),
  /** In percent, as decimal digits. */
  recalculationThreshold: z.string(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  reviewerId: z.string().nullable(),
  reviewerName: z.string().nullable(),
  approverId: z.string().nullable(),
  approverName: z.string().nullable(),
  twoPersonApproval: z.boolean(),
  /** All fifteen categories, in order. */
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
  /** Facilities that are neither included nor excluded. */
  undecided: z.number().int(),
  /** How often it was approved. Above 0, it can't be deleted. */
  approvals: z.number().int(),
  /** What was missing when it was approved; empty while it is open. */
  gaps: z.array(ApprovalGap),
  steps: z.object({
    start: z.enum(STEP_STATES),
    facility: z.enum(STEP_STATES),
    emission: z.enum(STEP_STATES),
    insights: z.enum(STEP_STATES),
  }),
})
export type Inventory = z.infer<typeof Inventory>

/** Without an organization, the inventory belongs to the caller's current one. */
export const NewInventory = z.strictObject({ ...INVENTORY_FIELDS, organizationId: Id.optional() })

/** Only the fields that are present are changed. `scope3` and `denominators` replace all previous rows. */
export const InventoryChange = z.strictObject({
  ...INVENTORY_FIELDS,
  id: Id,
  name: INVENTORY_FIELDS.name.optional(),
  periodStart: Day.optional(),
  periodEnd: Day.optional(),
  boundary: INVENTORY_FIELDS.boundary.optional(),
  /** Its own edition of the GWP values, or the newest. */
  gwpEdition: z.number().int().positive().optional(),
  /** How many records the caller has confirmed to change. */
  affected: z.number().int().nonnegative().optional(),
})

/** A user who can be chosen as owner, reviewer, approver or data owner. */
export const CarbonUser = z.object({ id: z.string(), name: z.string() })
export type CarbonUser = z.infer<typeof CarbonUser>

/** Every step of the wizard reads the inventory, each with its own permission. */
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

const LIST = '/api/carbon/get-inventories'

export const carbonInventories = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.reportingPeriods, Opr.list),
    summary: 'Lists the inventories the caller can access, searched by name and organization.',
    input: listQuery(INVENTORY_LIST),
    output: queriedList(ListedInventory),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/edit-inventory/{id}',
    allow: READS_INVENTORY,
    summary: 'Returns one inventory with all fields of the start step, and the status of each step.',
    input: one,
    output: Inventory,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/carbon/get-people',
    allow: READS_INVENTORY,
    summary: 'Lists the people with access to an organization, by name.',
    input: z.strictObject({ organization: Id }),
    output: z.array(CarbonUser),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-inventory',
    allow: can(Func.carbonStart, Opr.create),
    summary:
      'Adds an inventory. Returns 409 if its period overlaps another inventory with the same consolidation approach.',
    input: NewInventory,
    output: Inventory,
    changes: [LIST],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-inventory',
    allow: can(Func.carbonStart, Opr.update),
    summary:
      'Changes an inventory. Returns 409 with the current inventory if the version is stale, and 409 if it is locked. If results change, `affected` must be the number of their records; otherwise 409 with what changes as `preview`.',
    input: InventoryChange,
    output: Inventory,
    preview: ChangeEffect,
    changes: [LIST],
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/carbon/copy-inventory',
    allow: can(Func.carbonStart, Opr.create),
    summary:
      'Adds an inventory with the settings, facilities, sources and assignments of another, without its activity data.',
    input: z.strictObject({ id: Id, ...period }),
    output: Inventory,
    changes: [LIST],
  }),
  restate: endpoint({
    method: 'POST',
    path: '/api/carbon/restate-inventory',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary:
      'Restates a locked inventory: adds a corrected inventory for the same period. The locked one does not change.',
    input: z.strictObject({ id: Id, reason: line(500, 'Reason'), version: Version }),
    output: Inventory,
    changes: [LIST, '/api/carbon/edit-inventory/{id}'],
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/carbon/set-inventory-status',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary:
      'Changes the status of an inventory; going back requires a reason. An approval states the total that the approver saw and returns 409 with the current one if it differs; it requires a reason if anything is missing. Returns 409 if the version is stale.',
    input: z.strictObject({
      id: Id,
      status: z.enum(INVENTORY_STATUSES, 'Choose a status.'),
      reason: optionalLine(500, 'Reason').transform((reason) => reason ?? null),
      /** Required for an approval: the total of `get-approval-check` that the approver saw. */
      seen: ApprovalTotal.optional(),
      version: Version,
    }),
    output: Inventory,
    changes: [LIST],
  }),
  remove: endpoint({
    ...deletionOf(Inventory),
    path: '/api/carbon/delete-inventory/{id}',
    allow: can(Func.carbonStart, Opr.delete),
    summary: 'Deletes a draft inventory.',
    changes: [LIST],
  }),
}
