import { z } from 'zod'

/** So many times as much a day as a year before, or so small a part of it, and a record is looked at. */
export const UNUSUAL_TIMES = 3

const before = {
  /** The inventory and the source that it stands beside. */
  inventoryId: z.string(),
  sourceId: z.string(),
  /** What was used a year before, in `unit`. */
  before: z.string(),
  unit: z.string(),
}

/** A submitted record whose months are far from those of the year before. */
const UnusualRecord = z.object({
  recordId: z.string(),
  ...before,
  /** All records of its source in its months. */
  now: z.string(),
  /** A day, with one digit behind the point. */
  times: z.string(),
  sentence: z.string(),
})

/** Months that had records a year before, and have none. */
const GoneMonths = z.object({
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
  /** The first days of the first and of the last of them. */
  from: z.string(),
  to: z.string(),
  ...before,
  /** The source here; null: it is not assigned. */
  hereId: z.string().nullable(),
})
export type GoneMonths = z.infer<typeof GoneMonths>

/** The same facilities, sources and months a year before: what is far from it, and what is not there any more. */
export const YearBefore = z.object({
  /** The inventories that were looked at, by name; none: there is nothing to compare with. */
  comparedWith: z.array(z.string()),
  odd: z.array(UnusualRecord),
  gone: z.array(GoneMonths),
})
export type YearBefore = z.infer<typeof YearBefore>
