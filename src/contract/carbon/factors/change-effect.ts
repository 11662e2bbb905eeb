import { z } from 'zod'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/** What a change of factors or settings would do to the results of open inventories. */
export const ChangeEffect = z.object({
  /** Records whose result changes. At most 100 are listed. */
  affected: z.number().int(),
  records: z.array(
    z.object({
      recordId: z.string(),
      inventoryId: z.string(),
      inventoryName: z.string(),
      status: z.enum(INVENTORY_STATUSES),
      facilityName: z.string(),
      sourceType: z.string(),
      ...SOURCE_NAMES,
      periodStart: z.string(),
      periodEnd: z.string(),
      quantity: z.string().nullable(),
      unit: z.string().nullable(),
      /** kg CO2e, location-based, before and after; null: no result. */
      kg: z.string().nullable(),
      kgAfter: z.string().nullable(),
    }),
  ),
  /** kg CO2e of the affected records, before and after. Records without a result don't count. */
  before: z.string(),
  after: z.string(),
})
export type ChangeEffect = z.infer<typeof ChangeEffect>
