import { z } from 'zod'

/** So many times as much a day, or so small a part of it, and a record is looked at. */
export const UNUSUAL_FACTOR = 3
/** Of fewer records of a source it is not said what is usual there. */
export const MIN_USUAL_MONTHS = 4

/** Far from the year before, far from the other records of its source, or without a result. */
const UNUSUAL_KINDS = ['year_before', 'source', 'no_result'] as const

const before = {
  /** The inventory and the source that it stands beside. */
  inventoryId: z.string(),
  sourceId: z.string(),
  /** What was used a year before, in `unit`. */
  before: z.string(),
  unit: z.string(),
}

/** A submitted record that wants a look, and why. */
const UnusualRecord = z.object({
  recordId: z.string(),
  reasons: z.array(z.object({ kind: z.enum(UNUSUAL_KINDS), sentence: z.string() })).min(1),
  /** Where it is far from the year before. */
  yearBefore: z
    .object({
      ...before,
      /** All records of its source in its months. */
      now: z.string(),
      /** A day, with one digit behind the point. */
      times: z.string(),
    })
    .nullable(),
})
export type UnusualRecord = z.infer<typeof UnusualRecord>

/** Months that had records a year before, and have none. */
const MissingMonths = z.object({
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
export type MissingMonths = z.infer<typeof MissingMonths>

/** What of an inventory wants a look before it is approved. */
export const UnusualActivity = z.object({
  /** The inventories of the year before that were looked at, by name; none: there is nothing to compare with. */
  comparedWith: z.array(z.string()),
  /** How many submitted records want a look; so many are named as one page of the review has. */
  count: z.number().int(),
  records: z.array(UnusualRecord),
  /** What was there a year before and is not any more. */
  gone: z.array(MissingMonths),
})
export type UnusualActivity = z.infer<typeof UnusualActivity>
