import { z } from 'zod'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'

/** The inventory that an organization works on. */
export const CurrentInventory = z.object({
  id: z.string(),
  name: z.string(),
  organizationName: z.string(),
  status: z.enum(INVENTORY_STATUSES),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** Data points that end before this day are due: today in the organization's time zone, or the day after the period. */
  dueBefore: z.string(),
})
export type CurrentInventory = z.infer<typeof CurrentInventory>

const counts = {
  expected: z.number().int(),
  /** Covered by records that aren't estimates. */
  there: z.number().int(),
  /** Covered by estimates only. */
  estimated: z.number().int(),
  /** Without records, estimates or imported totals. */
  missing: z.number().int(),
}

/** The data points of an inventory whose time has passed, by facility and by the month they end in. */
export const DuePoints = z.object({
  ...counts,
  /** First days of the months, ascending. */
  months: z.array(z.string()),
  facilities: z.array(
    z.object({
      facilityId: z.string(),
      name: z.string(),
      ...counts,
      /** Only months in which data points end. */
      months: z.array(z.object({ month: z.string(), ...counts })),
    }),
  ),
})
export type DuePoints = z.infer<typeof DuePoints>
