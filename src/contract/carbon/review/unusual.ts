import { z } from 'zod'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/** A record is flagged if its daily quantity is this many times the usual one, or this fraction of it. */
export const UNUSUAL_FACTOR = 3
/** The fewest records of a source that are enough to tell what is usual. */
export const MIN_USUAL_MONTHS = 4

/**
 * Far from the prior year, far from the other records of its source, without a result, sharing days with another record of
 * its source, more than one site plausibly uses, or with more certificates than its source used.
 */
const UNUSUAL_KINDS = [
  'year_before',
  'source',
  'no_result',
  'overlap',
  'implausible',
  'certificates',
] as const

const before = {
  /** The inventory and source it is compared with. */
  inventoryId: z.string(),
  sourceId: z.string(),
  /** The quantity of the prior year, in `unit`. */
  before: z.string(),
  unit: z.string(),
}

/** A flagged submitted record, and why. */
const UnusualRecord = z.object({
  recordId: z.string(),
  reasons: z.array(z.object({ kind: z.enum(UNUSUAL_KINDS), sentence: z.string() })).min(1),
  /** Only if it is far from the prior year. */
  yearBefore: z
    .object({
      ...before,
      /** The quantity of all records of its source in the same months. */
      now: z.string(),
      /** Ratio of the daily quantities, with one decimal. */
      times: z.string(),
    })
    .nullable(),
})
export type UnusualRecord = z.infer<typeof UnusualRecord>

/** Months that had records a year before but have none now. */
const MissingMonths = z.object({
  facilityId: z.string(),
  facilityName: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  /** First days of the first and the last month. */
  from: z.string(),
  to: z.string(),
  ...before,
  /** The source in this inventory; null: not assigned. */
  hereId: z.string().nullable(),
})
export type MissingMonths = z.infer<typeof MissingMonths>

/** What to check in an inventory before it is approved. */
export const UnusualActivity = z.object({
  /** Names of the prior-year inventories it was compared with; empty: there are none. */
  comparedWith: z.array(z.string()),
  /** How many submitted records are flagged. `records` has at most one page of them. */
  count: z.number().int(),
  records: z.array(UnusualRecord),
  /** What had records in the prior year and has none now. */
  gone: z.array(MissingMonths),
})
export type UnusualActivity = z.infer<typeof UnusualActivity>
