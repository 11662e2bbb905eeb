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

/** An inventory that stands, with what it comes to. */
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
  /** It can be opened without acting in another organization. */
  isHere: z.boolean(),
})
export type SummedInventory = z.infer<typeof SummedInventory>

/** What is not in the sum, and why: `inventoryId` and `name` are null where an organization has none. */
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
  /** Null: there is no inventory at all. */
  year: z.number().int().nullable(),
  boundary: z.enum(CONSOLIDATIONS),
  /** The years in which inventories end, the latest first. */
  years: z.array(z.number().int()),
  /** How many the person belongs to, by which of them are summed. */
  organizations: z.number().int(),
  organizationsSummed: z.number().int(),
  total: InventoryFigures,
  scopes: z.array(GroupScope),
  summed: z.array(SummedInventory),
  left: z.array(LeftOut),
  /** What has to be known to read the sum, each a sentence. */
  notes: z.array(z.string()),
})
export type CarbonGroup = z.infer<typeof CarbonGroup>

/** A sum over the organizations somebody belongs to. It is only read. */
export const carbonGroup = {
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/get-group',
    allow: can(Func.carbonInsights, Opr.list),
    summary:
      'The sum of the approved inventories that end in a year, over the organizations the caller belongs to, and what is not in it.',
    input: z.strictObject({
      /** Without it the latest with something to sum. */
      year: z
        .union([z.string().regex(/^\d{4}$/, 'Write the year in four digits.'), z.number()])
        .transform(Number)
        .pipe(z.number().int().min(1900).max(9999))
        .optional(),
      /** Without it the one that most of them are drawn by. */
      boundary: z
        .enum(CONSOLIDATIONS, 'Choose operational control, financial control or equity share.')
        .optional(),
    }),
    output: CarbonGroup,
  }),
}
