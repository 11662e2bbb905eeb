import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { InventoryFigures } from '../inventories/inventories.ts'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'
import { GWP_SETS } from '../factors/resolve.ts'

/** kg CO2e of scope 1, 2, 3 or outside of scopes, by both methods of scope 2. */
const GroupScope = z.object({ key: z.string(), title: z.string(), location: z.string(), market: z.string() })
export type GroupScope = z.infer<typeof GroupScope>

/** An approved inventory that is part of the sum. */
const SummedInventory = z.object({
  id: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  name: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  status: z.enum(INVENTORY_STATUSES),
  gwpSet: z.enum(GWP_SETS),
  figures: InventoryFigures,
  scopes: z.array(GroupScope),
  /** It belongs to the organization the caller is working in. */
  isHere: z.boolean(),
})
export type SummedInventory = z.infer<typeof SummedInventory>

/** Something left out of the sum, and why. `inventoryId` and `name` are null for an organization without an inventory. */
const LeftOut = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  inventoryId: z.string().nullable(),
  name: z.string().nullable(),
  why: z.enum(['open', 'restated', 'boundary', 'missing']),
  sentence: z.string(),
  isHere: z.boolean(),
})
export type LeftOut = z.infer<typeof LeftOut>

export const CarbonGroup = z.object({
  /** Null: there are no inventories. */
  year: z.number().int().nullable(),
  boundary: z.enum(CONSOLIDATIONS),
  /** The years in which inventories end, latest first. */
  years: z.array(z.number().int()),
  /** How many organizations the user belongs to, and how many of them are in the sum. */
  organizations: z.number().int(),
  organizationsSummed: z.number().int(),
  total: InventoryFigures,
  scopes: z.array(GroupScope),
  summed: z.array(SummedInventory),
  left: z.array(LeftOut),
  /** Notes on how to read the sum. */
  notes: z.array(z.string()),
})
export type CarbonGroup = z.infer<typeof CarbonGroup>

/** The sum over the organizations a user belongs to. Read-only. */
export const carbonGroup = {
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/get-group',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'Returns the sum of the approved inventories that end in a year, over the organizations the caller belongs to, and what is not included.',
    input: z.strictObject({
      /** Default: the latest year with an inventory to sum. */
      year: z
        .union([z.string().regex(/^\d{4}$/, 'Enter a four-digit year.'), z.number()])
        .transform(Number)
        .pipe(z.number().int().min(1900).max(9999))
        .optional(),
      /** Default: the boundary that most of them use. */
      boundary: z
        .enum(CONSOLIDATIONS, 'Choose operational control, financial control or equity share.')
        .optional(),
    }),
    output: CarbonGroup,
  }),
}
